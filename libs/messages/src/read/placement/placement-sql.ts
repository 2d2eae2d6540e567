/** Condition: row `m` went to another channel since it was sent, by itself or with its topic; needs PLACE_JOIN. */
export const TRAVELLED_SQL = '(m.arrived <> m.message_id OR p.arrived <> 0)';
