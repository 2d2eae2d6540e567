/** Condition: row `m` went to another channel since it was sent, by itself or with its topic; needs PLACE_JOIN. */
export const TRAVELLED_SQL = '(m.arrived <> m.message_id OR p.arrived <> 0)';

/**
 * The channel in which row `m` was right before a position, as long as it was there by then: its topic of that time, in
 * the channel of that time.
 *
 * @param position names no row `was`, `went`, `t` or `own`
 */
export const channelAtSql = (position: string): string => `(SELECT coalesce(
    (SELECT was.channel_id FROM view.topic_stays AS was WHERE was.realm_id = m.realm_id AND was.topic_id = own.topic_id
      AND was.until >= ${position} ORDER BY was.until LIMIT 1),
    (SELECT t.channel_id FROM view.topics AS t WHERE t.realm_id = m.realm_id AND t.topic_id = own.topic_id))
  FROM (SELECT coalesce(
    (SELECT went.topic_id FROM view.message_moves AS went WHERE went.realm_id = m.realm_id AND went.message_id = m.message_id
      AND went.position >= ${position} ORDER BY went.position LIMIT 1), m.topic_id) AS topic_id) AS own)`;

/** Every channel in which row `m` may ever have been, as a table of `channel_id`. */
export const CHANNELS_OF_M = `(SELECT w.channel_id FROM (
    SELECT m.topic_id UNION SELECT v.topic_id FROM view.message_moves AS v
      WHERE v.realm_id = m.realm_id AND v.message_id = m.message_id) AS own
  CROSS JOIN LATERAL (
    SELECT t.channel_id FROM view.topics AS t WHERE t.realm_id = m.realm_id AND t.topic_id = own.topic_id
    UNION SELECT s.channel_id FROM view.topic_stays AS s
      WHERE s.realm_id = m.realm_id AND s.topic_id = own.topic_id) AS w)`;
