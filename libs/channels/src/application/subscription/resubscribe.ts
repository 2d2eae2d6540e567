import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, Position, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { Returned } from '../../domain/events';
import { hasSubscribers } from '../guards';

/** Subscribes reactivated users to their former channels, within a unit of work. */
@Injectable()
export class Resubscriptions {
  constructor(private readonly kernel: Kernel) {}

  /**
   * The subscriptions at the deactivation of the account. Messages that were sent meanwhile were not received.
   * Deactivated accounts cannot be subscribed or unsubscribed, so the append depends on the account alone, which it
   * writes.
   *
   * @param since position of the deactivation
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

/** The span that ended and the one that begins. */
const ROWS_EACH = 2;
