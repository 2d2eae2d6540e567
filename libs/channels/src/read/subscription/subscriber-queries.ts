import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId, UserId } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { UserAccess, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { seesMetadata } from '../../domain/channel/access';
import { reject } from '../../domain/rejections';
import { ChannelFacts } from '../channel/channel-facts';
import { PastChannels } from '../channel/past-channels';
import { subscribersOf } from './subscribers';

/** The subscribers of a channel that the caller can see (contract/channels.md section 4). */
export class ListSubscribers extends Query<readonly UserId[]> {
  constructor(
    readonly by: Actor,
    readonly channelId: ChannelId,
    /** Null for the present. */
    readonly asOf: AsOf | null = null,
  ) {
    super();
  }
}

/** Whether a user is subscribed to a channel that the caller can see (contract/subscriptions.md section 5). */
export class IsSubscribed extends Query<boolean> {
  constructor(
    readonly by: Actor,
    readonly userId: UserId,
    readonly channelId: ChannelId,
  ) {
    super();
  }
}

/** The subscriptions of a user to channels that the caller can see (contract/subscriptions.md section 5). */
export class ListSubscribedChannels extends Query<readonly ChannelId[]> {
  constructor(
    readonly by: Actor,
    readonly userId: UserId,
    /** Null for the present. */
    readonly asOf: AsOf | null = null,
  ) {
    super();
  }
}

/** Finds channels and users for the questions of one account. */
@Injectable()
export class ChannelMetadataAccess {
  constructor(
    private readonly channels: ChannelFacts,
    private readonly users: UserFacts,
    private readonly userAccess: UserAccess,
  ) {}

  /** Those of the channels that the account can see. Their subscribers are visible too (permissions.md section 6). */
  async known(
    by: Actor,
    ids: readonly ChannelId[],
  ): Promise<{ readonly id: ChannelId; readonly isArchived: boolean }[]> {
    const own = await this.channels.subscribedBy(by.realmId, by.userId);
    const rows = await this.channels.byIds(by.realmId, ids);
    return [...rows.values()].filter((channel) => seesMetadata(channel, by, own.has(channel.id)));
  }

  /** @throws Rejected BAD_REQUEST, the same for a channel that does not exist */
  async ensureKnown(by: Actor, id: ChannelId): Promise<void> {
    const [channel] = await this.known(by, [id]);
    if (!channel) throw reject.unknownChannel();
  }

  /** @throws Rejected BAD_REQUEST for a user who does not exist, is deactivated, or is hidden from the actor */
  async channelsOf(by: Actor, userId: UserId): Promise<ReadonlySet<ChannelId>> {
    const account = await this.users.account(by.realmId, userId);
    const inaccessible = await this.userAccess.inaccessibleAmong(by, [userId]);
    if (!account?.isActive || inaccessible.size > 0) throw reject.unknownPrincipal();
    return this.channels.subscribedBy(by.realmId, userId);
  }
}

@QueryHandler(ListSubscribers)
export class ListSubscribersHandler implements IQueryHandler<ListSubscribers> {
  constructor(
    private readonly kernel: Kernel,
    private readonly access: ChannelMetadataAccess,
    private readonly past: PastChannels,
  ) {}

  async execute({ by, channelId, asOf }: ListSubscribers): Promise<readonly UserId[]> {
    if (asOf) return this.past.subscribers(asOf, channelId);
    await this.access.ensureKnown(by, channelId);
    const subscribers = await subscribersOf(this.kernel.database.pool, by.realmId, [channelId]);
    return subscribers.get(channelId) ?? [];
  }
}

@QueryHandler(IsSubscribed)
export class IsSubscribedHandler implements IQueryHandler<IsSubscribed> {
  constructor(private readonly access: ChannelMetadataAccess) {}

  async execute({ by, userId, channelId }: IsSubscribed): Promise<boolean> {
    await this.access.ensureKnown(by, channelId);
    return (await this.access.channelsOf(by, userId)).has(channelId);
  }
}

@QueryHandler(ListSubscribedChannels)
export class ListSubscribedChannelsHandler implements IQueryHandler<ListSubscribedChannels> {
  constructor(
    private readonly access: ChannelMetadataAccess,
    private readonly past: PastChannels,
  ) {}

  async execute({ by, userId, asOf }: ListSubscribedChannels): Promise<readonly ChannelId[]> {
    if (asOf) return this.past.subscribedBy(asOf, userId);
    const known = await this.access.known(by, [...(await this.access.channelsOf(by, userId))]);
    return ascending(known.filter(({ isArchived }) => !isArchived).map(({ id }) => id));
  }
}
