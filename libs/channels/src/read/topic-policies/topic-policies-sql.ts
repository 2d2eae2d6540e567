/**
 * Joins the policy of the reader `r` for a topic, as row `w`. All null without a policy.
 *
 * @param topic a row with `realm_id`, `channel_id` and the topic's name in lower case as `name_key`
 */
export const topicPolicyJoin = (topic: string): string =>
  `LEFT JOIN view.user_topics AS w ON w.realm_id = ${topic}.realm_id AND w.user_id = r.user_id
    AND w.channel_id = ${topic}.channel_id AND w.name_key = ${topic}.name_key AND w.to_position IS NULL`;

/** Condition: the topic joined by `topicPolicyJoin` is followed. */
export const IS_FOLLOWED_SQL = '(w.policy IS NOT DISTINCT FROM 3)';

/**
 * Condition: the topic joined by `topicPolicyJoin` is muted: by itself, or with its channel unless it is unmuted or
 * followed (contract/boot.md section 8).
 *
 * @param isChannelMuted condition: the reader muted the channel
 */
export const isMutedSql = (isChannelMuted: string): string =>
  `CASE w.policy WHEN 1 THEN true WHEN 2 THEN false WHEN 3 THEN false ELSE ${isChannelMuted} END`;
