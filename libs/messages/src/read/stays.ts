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

/**
 * The moves by which row `m` came from one channel to another since it was sent, as a table of `position` and
 * `channel_id`, the one it came to.
 */
const ARRIVALS_OF_M = `(SELECT a.position, ${channelAtSql('a.position + 1')} AS channel_id FROM (
    SELECT o.position FROM view.message_moves AS o WHERE o.realm_id = m.realm_id AND o.message_id = m.message_id
    UNION SELECT s.until FROM view.topic_stays AS s WHERE s.realm_id = m.realm_id AND s.until > m.message_id
      AND s.topic_id = ANY (SELECT m.topic_id UNION ALL SELECT v.topic_id FROM view.message_moves AS v
        WHERE v.realm_id = m.realm_id AND v.message_id = m.message_id)) AS a
  WHERE ${channelAtSql('a.position')} <> ${channelAtSql('a.position + 1')})`;

/** Condition: row `m` went from one topic to another by itself. */
const WENT_ALONE = `EXISTS (SELECT FROM view.message_moves AS v
  WHERE v.realm_id = m.realm_id AND v.message_id = m.message_id)`;

/** The channel that a topic went to at the end of stay `s`; `p` is the topic's row. */
const AFTER_STAY = `coalesce((SELECT n.channel_id FROM view.topic_stays AS n WHERE n.realm_id = s.realm_id
  AND n.topic_id = s.topic_id AND n.until > s.until ORDER BY n.until LIMIT 1), p.channel_id)`;

/** Condition: the reader `r` was not subscribed to a channel at a position; while their account had ended they were. */
const absentSql = (channel: string, position: string): string =>
  `NOT EXISTS (SELECT FROM view.memberships AS g WHERE g.realm_id = m.realm_id AND g.user_id = r.user_id
    AND g.channel_id = ${channel} AND g.from_position <= ${position}
    AND (g.held_until IS NULL OR ${position} < g.held_until))`;

/**
 * Condition: row `m` was brought to a channel in which the reader `r` was not; needs PLACE_JOIN. Of most that travelled
 * only the topic did, which costs little to ask: there may be tens of thousands in one.
 */
export const BROUGHT_AWAY_SQL = `CASE WHEN ${WENT_ALONE}
  THEN EXISTS (SELECT FROM ${ARRIVALS_OF_M} AS b WHERE ${absentSql('b.channel_id', 'b.position')})
  ELSE EXISTS (SELECT FROM view.topic_stays AS s WHERE s.realm_id = m.realm_id AND s.topic_id = m.topic_id
    AND s.until > m.message_id AND ${absentSql(AFTER_STAY, 's.until')}) END`;
