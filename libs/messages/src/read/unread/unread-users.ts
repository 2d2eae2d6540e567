import type { ConversationId, MessageId, RealmId, UserId } from '@annals/kernel/domain';
import { readHadMuted } from '@annals/users';
import type { Pool } from 'pg';
import { reject } from '../../domain/rejections';
import type { Arrival } from '../placement/read-on-arrival';
import { wasReadOnArrival } from '../placement/read-on-arrival';
import { readReadStates } from '../flags/read-states';
import { readTimeline } from '../history/timeline/timeline';
import { isUnread } from './unread-rule';

interface SentMessage extends Arrival {
  readonly senderId: UserId;
  readonly conversationId: ConversationId | null;
}

/**
 * For which users a message is unread: the rule of decision 41 for one message and many users, who can see it.
 *
 * @throws Rejected BAD_REQUEST for a message that was deleted meanwhile
 */
export async function readUnreadFor(
  pool: Pool,
  realmId: RealmId,
  id: MessageId,
  users: readonly UserId[],
): Promise<(user: UserId) => boolean> {
  const { rows } = await pool.query<SentMessage>({
    name: 'messages-sent-by',
    text: `SELECT sender_id AS "senderId", read_by AS "readBy", unread_for AS "unreadFor", conversation_id AS "conversationId" FROM view.messages
      WHERE realm_id = $1 AND message_id = $2`,
    values: [realmId, id],
  });
  const [sent] = rows;
  if (!sent) throw reject.unknownMessage();
  const arrival = { readBy: sent.readBy, unreadFor: sent.unreadFor && (sent.unreadFor.map(Number) as UserId[]) };
  const states = await readReadStates(pool, realmId, [id], users);
  const timeline = await readTimeline(pool, realmId, [id], users);
  const hadMuted = await readHadMuted(pool, realmId, [sent.senderId]);
  return (user) =>
    isUnread(id, {
      state: states(user),
      isReceived: () => sent.conversationId !== null || timeline.receivedBy(id, user),
      wasRead: () => wasReadOnArrival(arrival, user) || hadMuted(user, sent.senderId, id),
      isRetained: (_, since) => timeline.implicitlyReadAt(id, user, since) === undefined,
    });
}
