/** Condition: row `m` was moved to another channel since it was sent, by itself or with its topic; needs PLACE_JOIN. */
export const CHANGED_CHANNEL_SQL = '(m.arrived <> m.message_id OR p.arrived <> 0)';
