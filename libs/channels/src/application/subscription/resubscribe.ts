import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, Position, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { Returned } from '../../domain/events';
import { hasSubscribers } from '../guards';

/** Gives people whose accounts had ended their channels back, within a unit of work. */
@Injectable()
export class Resubscriptions {
  constructor(private readonly kernel: Kernel) {}

  /**
   * What a user was subscribed to when their account ended; what was sent there meanwhile has not come to them. Nobody
   * subscribes or unsubscribes accounts that have ended, so the append rests on the account alone, which it writes.
   *
   * @param since where in the log the account ended
   */
  async resubscribe(work: Work, userId: UserId, since: Position): Promise<void> {
    const { rows } = await this.kernel.database.pool.query<{ id: ChannelId }>({
      name: 'channels-of-departed',
      text: `SELECT channel_id AS id FROM view.memberships
        WHERE realm_id = $1 AND user_id = $2::int4 AND to_position IS NULL AND is_departed ORDER BY channel_id`,
      values: [work.realmId, userId],
    });
    if (rows.length === 0) return;
    const channelIds = rows.map(({ id }) => id);
    work.append(`returns-${userId}`, [fact(Returned, { userId, channelIds, since })]);
    work.touchesRows(channelIds.length * ROWS_EACH);
    for (const id of channelIds) work.changesGuard(hasSubscribers, id);
  }
}

/** The stay that ended and the one that begins. */
const ROWS_EACH = 2;
