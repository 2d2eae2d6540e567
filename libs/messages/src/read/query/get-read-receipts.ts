import { Kernel } from '@annals/kernel';
import type { Actor, MessageId, UserId } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { reject } from '../../domain/rejections';
import { EVERYTHING } from '../narrow/compiled-narrow';
import { readUnreadFor } from '../unread/unread-users';
import { SENT_DURING_SQL } from '../visibility/visibility';
import { MessageFinder } from './message-finder';

/**
 * The users who have read a message, ascending (contract/messages.md section 4.4). Left out are its sender, deactivated users, users
 * who do not send read receipts, users whom the actor has muted, and those who have muted the actor.
 *
 * @throws Rejected BAD_REQUEST for a message that the actor cannot see, and where the organization has no read receipts
 */
export class GetReadReceipts extends Query<UserId[]> {
  constructor(
    readonly by: Actor,
    readonly id: number,
  ) {
    super();
  }
}

@QueryHandler(GetReadReceipts)
export class GetReadReceiptsHandler implements IQueryHandler<GetReadReceipts> {
  constructor(
    private readonly kernel: Kernel,
    private readonly finder: MessageFinder,
    private readonly realms: RealmFacts,
  ) {}

  async execute({ by, id }: GetReadReceipts): Promise<UserId[]> {
    const [visible] = await this.finder.visible(by, EVERYTHING, [id]);
    if (visible === undefined) throw reject.unknownMessage();
    const { settings } = await this.realms.of(by.realmId);
    if (!settings.enable_read_receipts) throw reject.noReadReceipts();
    const { pool } = this.kernel.database;
    const recipients = await readShownRecipients(pool, by, visible);
    const isUnread = await readUnreadFor(pool, by.realmId, visible, recipients);
    return recipients.filter((user) => !isUnread(user));
  }
}

/** The users who have a copy of a message and whom the actor may know to have read it, ascending. */
async function readShownRecipients(pool: Pool, { realmId, userId }: Actor, id: MessageId): Promise<UserId[]> {
  const isMuting = (user: string, other: string) => `EXISTS (SELECT FROM view.muted_users AS k WHERE k.realm_id = $1
    AND k.user_id = ${user} AND k.muted_user_id = ${other} AND k.to_position IS NULL)`;
  const { rows } = await pool.query<{ id: UserId }>({
    name: 'messages-shown-recipients',
    text: `WITH m AS (SELECT * FROM view.messages WHERE realm_id = $1 AND message_id = $2::int8),
      r AS (SELECT s.user_id FROM m JOIN view.memberships AS s ON s.realm_id = $1 AND s.channel_id = m.sent_channel_id
          AND ${SENT_DURING_SQL}
        UNION SELECT unnest(c.user_ids) FROM m JOIN view.conversations AS c ON c.realm_id = $1
          AND c.conversation_id = m.conversation_id
        UNION SELECT n.user_id FROM view.mentioned_when_sent AS n WHERE n.realm_id = $1 AND n.message_id = $2::int8
        UNION SELECT f.user_id FROM view.personal_flags AS f WHERE f.realm_id = $1 AND f.message_id = $2::int8)
      SELECT r.user_id AS id FROM m CROSS JOIN r
        JOIN view.users AS u ON u.realm_id = $1 AND u.user_id = r.user_id AND u.is_active
      WHERE r.user_id <> m.sender_id AND NOT ${isMuting('r.user_id', '$3::int8')}
        AND NOT ${isMuting('$3::int8', 'r.user_id')}
        AND NOT EXISTS (SELECT FROM view.own_settings AS o WHERE o.realm_id = $1 AND o.user_id = r.user_id
          AND o.name = 'send_read_receipts' AND o.value = 'false')
      ORDER BY r.user_id`,
    values: [realmId, id, userId],
  });
  return rows.map((row) => row.id);
}
