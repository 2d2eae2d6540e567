import { READER, readerValues } from '@annals/channels';
import type { RegisterBlock } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { readUnreadIds } from '../unread/unread-ids';
import { PLACE_JOIN, VISIBLE_SQL } from '../visibility/visibility';
import { newestReceived } from './newest-received';
import { presentUnread } from './unread-summary';

/** The initial state of messages for a client (contract/boot.md section 4.1). */
export const messagesRegisterBlock: RegisterBlock = {
  keys: ['message', 'recent_private_conversations', 'starred_messages', 'unread_msgs'],
  async read({ client, position }, by, { keys, capabilities }) {
    return {
      ...(keys.has('message') && { max_message_id: await newestReceived(client, by) }),
      ...(keys.has('recent_private_conversations') && {
        recent_private_conversations: await recentConversations(client, by),
      }),
      ...(keys.has('starred_messages') && { starred_messages: await starredMessages(client, by) }),
      ...(keys.has('unread_msgs') && {
        unread_msgs: await presentUnread(
          client,
          by,
          await readUnreadIds(client, by, position),
          capabilities.empty_topic_name,
        ),
      }),
    };
  },
};

/** Maximum of conversations in the answer. */
const MAX_CONVERSATIONS = 1_000;

async function recentConversations(client: ClientBase, { realmId, userId }: Actor) {
  const { rows } = await client.query<{ newest: MessageId; user_ids: (string | number)[] }>({
    name: 'messages-recent-conversations',
    text: `SELECT n.message_id AS newest, c.user_ids FROM view.conversation_members AS v
      JOIN view.conversations AS c ON c.realm_id = v.realm_id AND c.conversation_id = v.conversation_id
      CROSS JOIN LATERAL (SELECT m.message_id FROM view.messages AS m WHERE m.realm_id = v.realm_id
        AND m.conversation_id = v.conversation_id ORDER BY m.message_id DESC LIMIT 1) AS n
      WHERE v.realm_id = $1 AND v.user_id = $2 ORDER BY n.message_id DESC LIMIT $3`,
    values: [realmId, userId, MAX_CONVERSATIONS],
  });
  return rows.map(({ newest, user_ids }) => ({
    max_message_id: newest,
    user_ids: user_ids.map(Number).filter((id) => id !== userId),
  }));
}

/** Maximum of starred messages in the answer; the newest ones. */
const MAX_STARRED = 10_000;

/** The messages that the account starred and can see, ascending. */
async function starredMessages(client: ClientBase, by: Actor): Promise<MessageId[]> {
  const { rows } = await client.query<{ ids: string | null }>({
    name: 'messages-starred',
    text: `SELECT json_agg(message_id ORDER BY message_id)::text AS ids FROM (
        SELECT m.message_id FROM ${READER}
          JOIN view.personal_flags AS f ON f.realm_id = $1 AND f.user_id = r.user_id AND f.starred
          JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = f.message_id ${PLACE_JOIN}
        WHERE ${VISIBLE_SQL} ORDER BY m.message_id DESC LIMIT ${MAX_STARRED}) AS newest`,
    values: readerValues(by),
  });
  return JSON.parse(rows[0]?.ids ?? '[]') as MessageId[];
}
