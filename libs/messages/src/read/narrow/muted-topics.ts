import { IS_FOLLOWED_SQL, isMutedSql, isSubscribedSql, topicPolicyJoin } from '@annals/channels';

/** Condition on the visibility policy that the reader `r` has for the topic of message `m`, joined as row `w`. */
const ofTopic = (condition: string): string => `EXISTS (SELECT FROM view.topics AS k ${topicPolicyJoin('k')}
  WHERE k.realm_id = m.realm_id AND k.topic_id = m.topic_id AND ${condition})`;

const CHANNEL_MUTED_SQL = `(${isSubscribedSql('k')} AND EXISTS (SELECT FROM view.subscriptions AS q
  WHERE q.realm_id = k.realm_id AND q.user_id = r.user_id AND q.channel_id = k.channel_id AND q.is_muted))`;

/** Condition: the reader `r` follows the topic of message `m`. */
export const FOLLOWED_SQL = ofTopic(IS_FOLLOWED_SQL);

/** Condition: the topic of message `m` is muted for the reader `r`, by itself or with its channel. */
export const MUTED_SQL = ofTopic(isMutedSql(CHANNEL_MUTED_SQL));

/** Condition: the topic itself is muted. Within a muted channel only this counts, or it would seem empty. */
export const TOPIC_MUTED_SQL = ofTopic(isMutedSql('false'));
