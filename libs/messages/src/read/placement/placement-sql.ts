/** Condition: row `m` was moved to another channel since it was sent, without its topic. */
export const LEFT_CHANNEL_ALONE_SQL = 'm.arrived <> m.message_id';

/** Condition: topic `p` came from another channel. */
export const TOPIC_CHANGED_CHANNEL_SQL = 'p.arrived <> 0';

/** Condition: row `m` was moved to another channel since it was sent, by itself or with its topic; needs PLACE_JOIN. */
export const CHANGED_CHANNEL_SQL = `(${LEFT_CHANNEL_ALONE_SQL} OR ${TOPIC_CHANGED_CHANNEL_SQL})`;
