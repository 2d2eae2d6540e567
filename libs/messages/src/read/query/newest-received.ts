import { Kernel } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { NewestMessage } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { SENT_DURING_SQL } from '../visibility/visibility';

/** The newest message of accounts (contract/boot.md section 2.3). */
@Injectable()
export class NewestReceived extends NewestMessage {
  constructor(private readonly kernel: Kernel) {
    super();
  }

  override receivedBy(actor: Actor): Promise<number> {
    return newestReceived(this.kernel.database.pool, actor);
  }
}

/** Id of the newest message that the account received. -1 when there is none. */
export async function newestReceived(
  client: Pool | ClientBase,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
): Promise<number> {
  const newest = (condition: string) => `SELECT m.message_id FROM view.messages AS m WHERE m.realm_id = $1
    AND ${condition} ORDER BY m.message_id DESC LIMIT 1`;
  const { rows } = await client.query<{ newest: MessageId | null }>({
    name: 'messages-newest-received',
    text: `SELECT max(message_id) AS newest FROM (
        SELECT n.message_id FROM view.memberships AS s CROSS JOIN LATERAL (${newest(`m.channel_id = s.channel_id
          AND m.sent_channel_id = s.channel_id AND ${SENT_DURING_SQL}`)}) AS n
          WHERE s.realm_id = $1 AND s.user_id = $2::int8
        UNION ALL SELECT n.message_id FROM view.memberships AS s CROSS JOIN LATERAL (${newest(`m.sent_channel_id = s.channel_id
          AND m.sent_channel_id <> m.channel_id AND ${SENT_DURING_SQL}`)}) AS n
          WHERE s.realm_id = $1 AND s.user_id = $2::int8
        UNION ALL SELECT n.message_id FROM view.conversation_members AS v
          CROSS JOIN LATERAL (${newest('m.conversation_id = v.conversation_id')}) AS n
          WHERE v.realm_id = $1 AND v.user_id = $2::int8
        UNION ALL (${newest('m.sender_id = $2::int8')})
        UNION ALL (SELECT message_id FROM view.mentioned_when_sent WHERE realm_id = $1 AND user_id = $2::int8
          ORDER BY message_id DESC LIMIT 1)) AS received`,
    values: [realmId, userId],
  });
  return rows[0]?.newest ?? -1;
}
