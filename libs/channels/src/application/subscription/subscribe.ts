import { UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, ChannelId, UserId } from '@annals/kernel/domain';
import { ensure, grouped } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { seesContent } from '../../domain/channel/access';
import type { Channel } from '../../domain/channel/channel';
import type { WishedProperties } from '../../domain/channel/channel-input';
import { channelAggregate, nameKey } from '../../domain/channel/channel';
import { ensureFew } from '../../domain/subscription/membership';
import { maySubscribeOthers } from '../../domain/policies';
import { reject } from '../../domain/rejections';
import { ChannelFacts } from '../../read/channel/channel-facts';
import { ChannelCreation } from '../channel/channel-creation';
import type { NewSubscriber } from '../channel/channel-notices';
import { ChannelNotices } from '../channel/channel-notices';
import { memberKey, stillMember } from '../guards';
import type { Joined, Joining } from './subscription-effects';
import { Joinings } from './subscription-effects';
import { organization } from '@annals/realm';
import type { Named } from './subscriber-args';
import { Principals } from './subscriber-args';

/** A channel somebody asks for by name; it is created if there is none. */
export interface WantedChannel {
  readonly name: string;
  readonly description: string;
  readonly color: string | null;
}

/** What became of it; names as the channels bear them. */
export interface SubscribeResult {
  readonly subscribed: ReadonlyMap<UserId, readonly string[]>;
  readonly already: ReadonlyMap<UserId, readonly string[]>;
  /** Channels the caller cannot read; only where that is no error. */
  readonly unauthorized: readonly string[];
  /** Whether new subscribers were written to; null where that was not wished. */
  readonly messagesSent: boolean | null;
}

/** What the notification bot shall say about it. */
export interface WishedNotices {
  /** Announce the channels that are created. */
  readonly announce: boolean;
  /** Write to people about channels that were there before. */
  readonly toSubscribers: boolean;
}

/** Who shall be subscribed to what. */
export interface SubscribeWish {
  readonly wanted: readonly WantedChannel[];
  /** Empty for the caller alone. */
  readonly principals: Named;
  /** How channels are created that do not exist yet; must be possible even if all of them exist. */
  readonly wish: WishedProperties;
  readonly authorizationErrorsFatal: boolean;
  readonly notices: WishedNotices;
}

/** Subscribes people to channels by name, creating those that do not exist (contract/subscriptions.md section 2). */
export class Subscribe extends Command<SubscribeResult> implements SubscribeWish {
  constructor(
    readonly by: Actor,
    readonly wanted: readonly WantedChannel[],
    readonly principals: Named,
    readonly wish: WishedProperties,
    readonly authorizationErrorsFatal: boolean,
    readonly notices: WishedNotices,
  ) {
    super();
  }
}

interface Found {
  readonly want: WantedChannel;
  readonly channel: Channel | null;
}

type NamedJoining = Joining & { readonly name: string };

/** Subscribes by name within a unit of work. */
@Injectable()
export class Subscribing {
  constructor(
    private readonly channels: ChannelFacts,
    private readonly creation: ChannelCreation,
    private readonly joinings: Joinings,
    private readonly principals: Principals,
    private readonly notices: ChannelNotices,
  ) {}

  /** @throws Rejected when the actor may not, or somebody named is not there */
  async subscribe(work: Work, wished: SubscribeWish): Promise<SubscribeResult> {
    const named = wished.principals.length === 0 ? [work.actor.userId] : wished.principals;
    const people = await this.principals.active(work, named);
    ensureFew(new Set(wished.wanted.map(({ name }) => nameKey(name))).size, people.length);
    const found = await this.find(work, wished.wanted);
    if (found.some(({ channel }) => channel !== null)) await this.creation.ensurePossible(work, wished.wish);
    const denied = await this.denied(work, found, people);
    if (denied.length > 0 && wished.authorizationErrorsFatal) throw reject.channelsNotAccessible({ names: denied });
    const wanted = found.filter(({ channel }) => channel === null || !denied.includes(channel.name));
    const joinings = await this.joiningsOf(work, wanted, people, wished.wish);
    const names = new Map(joinings.map(({ channelId, name }) => [channelId, name]));
    const joined = await this.joinings.join(work, joinings);
    const messagesSent = await this.giveNotice(work, joinings, joined, wished.notices);
    return { ...byPerson(joined, names), unauthorized: denied, messagesSent };
  }

  private async giveNotice(
    work: Work,
    joinings: readonly NamedJoining[],
    joined: readonly Joined[],
    { announce, toSubscribers }: WishedNotices,
  ): Promise<boolean | null> {
    const created = joinings.filter(({ isNew }) => isNew).map(({ channelId }) => channelId);
    await this.notices.created(work, created, { announce });
    return toSubscribers ? this.notices.subscribed(work, newSubscribers(joinings, joined)) : null;
  }

  private async find(work: Work, wanted: readonly WantedChannel[]): Promise<Found[]> {
    const distinct = new Map<string, WantedChannel>();
    for (const want of wanted) {
      const key = nameKey(want.name);
      // Of several spellings of one name the first one counts.
      if (!distinct.has(key)) distinct.set(key, want);
    }
    const rows = await this.channels.byNames(work.realmId, [...distinct.keys()]);
    const found: Found[] = [];
    for (const [key, want] of distinct) {
      const row = rows.get(key);
      found.push({ want, channel: row ? await work.read(channelAggregate, row.id) : null });
    }
    return found;
  }

  /**
   * @returns names of channels that the actor cannot read
   * @throws Rejected when the actor may not add these people to a channel that they can read
   */
  private async denied(work: Work, found: readonly Found[], people: readonly UserId[]): Promise<string[]> {
    const { actor } = work;
    const { settings } = await organization(work);
    const own = await this.channels.subscribedBy(work.realmId, actor.userId);
    const addsOthers = people.some((user) => user !== actor.userId);
    const denied: string[] = [];
    for (const { channel } of found) {
      if (!channel) continue;
      const isSubscribed = own.has(channel.id);
      if (!seesContent(channel, actor, isSubscribed)) {
        denied.push(channel.name);
        continue;
      }
      if (!seesContent(channel, actor, false)) work.guard(stillMember, memberKey(channel.id, actor.userId));
      if (!addsOthers) continue;
      ensure(maySubscribeOthers(channel, actor, isSubscribed, settings.can_add_subscribers_group));
    }
    return denied;
  }

  private async joiningsOf(
    work: Work,
    wanted: readonly Found[],
    people: readonly UserId[],
    wish: WishedProperties,
  ): Promise<NamedJoining[]> {
    const joinings: NamedJoining[] = [];
    for (const { want, channel } of wanted) {
      const { name, description, color } = want;
      const channelId = channel?.id ?? (await this.creation.create(work, { ...wish, name, description }));
      joinings.push({ channelId, people, color, isNew: channel === null, name: channel?.name ?? name });
    }
    return joinings;
  }
}

/** Everybody who was subscribed to anything, with those of the channels that were there before. */
function newSubscribers(joinings: readonly NamedJoining[], joined: readonly Joined[]): NewSubscriber[] {
  const known = new Map(joinings.filter(({ isNew }) => !isNew).map(({ channelId: id, name }) => [id, { id, name }]));
  const channelsOf = new Map<UserId, { id: ChannelId; name: string }[]>();
  for (const { channelId, subscribed } of joined) {
    const channel = known.get(channelId);
    for (const user of subscribed) {
      const channels = channelsOf.get(user) ?? [];
      if (channel) channels.push(channel);
      channelsOf.set(user, channels);
    }
  }
  return [...channelsOf].map(([userId, channels]) => ({ userId, channels }));
}

@CommandHandler(Subscribe)
export class SubscribeHandler implements ICommandHandler<Subscribe> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly subscribing: Subscribing,
  ) {}

  execute(command: Subscribe): Promise<SubscribeResult> {
    return this.work.run(command.by, (work) => this.subscribing.subscribe(work, command));
  }
}

function byPerson(joined: readonly Joined[], names: ReadonlyMap<ChannelId, string>) {
  const collect = (of: (one: Joined) => readonly UserId[]) => {
    const pairs = joined.flatMap((one) => of(one).map((user) => ({ user, name: names.get(one.channelId) ?? '' })));
    return grouped(
      pairs,
      ({ user }) => user,
      ({ name }) => name,
    );
  };
  return { subscribed: collect((one) => one.subscribed), already: collect((one) => one.already) };
}
