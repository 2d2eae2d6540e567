import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { ChannelId, Position, RealmId, Recorded, Span, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { MembersEvent, Returned } from '../../domain/events';

/** A stretch of the log in which a user was subscribed to a channel. */
export interface SubscriptionSpan extends Span {
  /**
   * Until when the user had not left the channel: `to`, unless the account was deactivated. Then it is the position of
   * the reactivation. Null while the user has not left.
   */
  readonly continuousUntil: Position | null;
}

/** The spans of a user by channel, oldest first. */
export type SpansByChannel = ReadonlyMap<ChannelId, readonly SubscriptionSpan[]>;

/** When users were subscribed to channels, cached in the process. Exact for readers that have passed the fence. */
@Injectable()
export class SubscriptionFacts {
  private readonly spans: FactCache<SpansByChannel>;

  constructor(private readonly kernel: Kernel) {
    this.spans = kernel.facts<SpansByChannel>({ touched, load: (realmId, keys) => this.load(realmId, keys) });
  }

  /** All spans of a user, also those that ended. */
  async of(realmId: RealmId, user: UserId): Promise<SpansByChannel> {
    return (await this.spans.get(realmId, user)) ?? NO_SPANS;
  }

  private async load(realmId: RealmId, users: readonly string[]): Promise<Map<string, SpansByChannel>> {
    const { rows } = await this.kernel.database.pool.query<SubscriptionSpan & { user: UserId; channel: ChannelId }>({
      name: 'channels-spans-of-users',
      text: `SELECT user_id AS user, channel_id AS channel, from_position AS from, to_position AS to,
          continuous_until AS "continuousUntil" FROM view.memberships
        WHERE realm_id = $1 AND user_id = ANY($2::int8[]) ORDER BY from_position`,
      values: [realmId, users],
    });
    const byUser = grouped(rows, ({ user }) => user);
    return new Map([...byUser].map(([user, own]) => [String(user), spansByChannel(own)]));
  }
}

const NO_SPANS: SpansByChannel = new Map();

const spansByChannel = (rows: readonly (SubscriptionSpan & { readonly channel: ChannelId })[]): SpansByChannel =>
  grouped(
    rows,
    ({ channel }) => channel,
    ({ from, to, continuousUntil }): SubscriptionSpan => ({ from, to, continuousUntil }),
  );

function touched(event: Recorded): readonly UserId[] {
  switch (event.type) {
    case 'channels.Subscribed':
    case 'channels.Unsubscribed':
      return (event as Recorded<MembersEvent>).data.userIds;
    case 'channels.Returned':
      return [(event as Recorded<Returned>).data.userId];
    default:
      return [];
  }
}
