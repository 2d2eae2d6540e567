import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { NewestMessage } from '@annals/users';
import { Injectable } from '@nestjs/common';

/** In a user object: the account has received no message. */
const NONE = -1;

/** The newest message of somebody: of each channel while they were subscribed, and of each conversation of theirs. */
@Injectable()
export class NewestReceived extends NewestMessage {
  constructor(private readonly kernel: Kernel) {
    super();
  }

  override async receivedBy({ realmId, userId }: Actor): Promise<number> {
    const { rows } = await this.kernel.database.pool.query<{ newest: number | null }>({
      name: 'newest-received',
      text: `SELECT max(newest) AS newest FROM (
          SELECT (SELECT max(m.message_id) FROM view.messages m
            WHERE m.realm_id = s.realm_id AND m.channel_id = s.channel_id AND m.message_id >= s.from_position
              AND (s.to_position IS NULL OR m.message_id < s.to_position)) AS newest
          FROM view.memberships s WHERE s.realm_id = $1 AND s.user_id = $2
        UNION ALL
          SELECT (SELECT max(m.message_id) FROM view.messages m
            WHERE m.realm_id = v.realm_id AND m.conversation_id = v.conversation_id)
          FROM view.conversation_members v WHERE v.realm_id = $1 AND v.user_id = $2) AS received`,
      values: [realmId, userId],
    });
    return rows[0]?.newest ?? NONE;
  }
}
