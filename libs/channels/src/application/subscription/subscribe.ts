import { UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, ChannelId, UserId } from '@annals/kernel/domain';
import { ensure, grouped } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { seesContent } from '../../domain/channel/access';
import type { Channel } from '../../domain/channel/channel';
import type { ChannelProperties } from '../../domain/channel/channel-input';
import { channelAggregate, channelNameKey } from '../../domain/channel/channel';
import { ensureFew } from '../../domain/subscription/membership';
import { maySubscribeOthers } from '../../domain/policies';
import { reject } from '../../domain/rejections';
import { ChannelFacts } from '../../read/channel/channel-facts';
import { ChannelCreation } from '../channel/channel-creation';
import type { NewSubscriber } from '../channel/channel-notices';
import { ChannelNotices } from '../channel/channel-notices';
import { memberKey, stillMember } from '../guards';
import type { SubscriptionOutcome, SubscriptionInput } from './subscription-effects';
import { SubscriptionEffects } from './subscription-effects';
import { organization } from '@annals/realm';
import type { SubscriberArg } from './subscriber-args';
import { SubscriberArgs } from './subscriber-args';

/** A channel by the name in the request. It is created if it does not exist. */
export interface WantedChannel {
  readonly name: string;
  readonly description: string;
  readonly color: string | null;
}

/** The result. Names are those of the channels. */
export interface SubscribeResult {
  readonly subscribed: ReadonlyMap<UserId, readonly string[]>;
  readonly already: ReadonlyMap<UserId, readonly string[]>;
  /** Channels that the actor cannot read. Only if that is no error. */
  readonly unauthorized: readonly string[];
  /** Whether new subscribers received a direct message. Null if the request asked for none. */
  readonly messagesSent: boolean | null;
}

/** The notices that the notification bot sends. */
export interface RequestedNotices {
  /** Announce the created channels. */
  readonly announce: boolean;
  /** Write to users about channels that existed before. */
  readonly toSubscribers: boolean;
}

/** The users and channels of the request. */
export interface SubscribeInput {
  readonly wanted: readonly WantedChannel[];
  /** Empty for the actor alone. */
  readonly principals: SubscriberArg;
  /** How channels are created that do not exist. It must be valid even if all of them exist. */
  readonly input: ChannelProperties;
  readonly authorizationErrorsFatal: boolean;
  readonly notices: RequestedNotices;
}

/** Subscribes users to channels by name, and creates those that do not exist (contract/subscriptions.md section 2). */
export class Subscribe extends Command<SubscribeResult> implements SubscribeInput {
  constructor(
    readonly by: Actor,
    readonly wanted: readonly WantedChannel[],
    readonly principals: SubscriberArg,
    readonly input: ChannelProperties,
    readonly authorizationErrorsFatal: boolean,
    readonly notices: RequestedNotices,
  ) {
    super();
  }
}

interface Found {
  readonly want: WantedChannel;
  readonly channel: Channel | null;
}

type NamedSubscriptionInput = SubscriptionInput & { readonly name: string };

/** Subscribes by name within a unit of work. */
@Injectable()
export class Subscribing {
  constructor(
    private readonly channels: ChannelFacts,
    private readonly creation: ChannelCreation,
    private readonly subscriptions: SubscriptionEffects,
    private readonly subscriberArgs: SubscriberArgs,
    private readonly notices: ChannelNotices,
  ) {}

  /** @throws Rejected when the actor may not, or a named user does not exist */
  async subscribe(work: Work, requested: SubscribeInput): Promise<SubscribeResult> {
    const named = requested.principals.length === 0 ? [work.actor.userId] : requested.principals;
    const people = await this.subscriberArgs.active(work, named);
    ensureFew(new Set(requested.wanted.map(({ name }) => channelNameKey(name))).size, people.length);
    const found = await this.find(work, requested.wanted);
    if (found.some(({ channel }) => channel !== null)) await this.creation.ensurePossible(work, requested.input);
    const denied = await this.denied(work, found, people);
    if (denied.length > 0 && requested.authorizationErrorsFatal) throw reject.channelsNotAccessible({ names: denied });
    const wanted = found.filter(({ channel }) => channel === null || !denied.includes(channel.name));
    const inputs = await this.inputsFor(work, wanted, people, requested.input);
    const names = new Map(inputs.map(({ channelId, name }) => [channelId, name]));
    const outcomes = await this.subscriptions.subscribe(work, inputs);
    const messagesSent = await this.giveNotice(work, inputs, outcomes, requested.notices);
    return { ...byPerson(outcomes, names), unauthorized: denied, messagesSent };
  }

  private async giveNotice(
    work: Work,
    inputs: readonly NamedSubscriptionInput[],
    outcomes: readonly SubscriptionOutcome[],
    { announce, toSubscribers }: RequestedNotices,
  ): Promise<boolean | null> {
    const created = inputs.filter(({ isNew }) => isNew).map(({ channelId }) => channelId);
    await this.notices.created(work, created, { announce });
    return toSubscribers ? this.notices.subscribed(work, newSubscribers(inputs, outcomes)) : null;
  }

  private async find(work: Work, wanted: readonly WantedChannel[]): Promise<Found[]> {
    const distinct = new Map<string, WantedChannel>();
    for (const want of wanted) {
      const key = channelNameKey(want.name);
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

  private async inputsFor(
    work: Work,
    wanted: readonly Found[],
    people: readonly UserId[],
    input: ChannelProperties,
  ): Promise<NamedSubscriptionInput[]> {
    const inputs: NamedSubscriptionInput[] = [];
    for (const { want, channel } of wanted) {
      const { name, description, color } = want;
      const channelId = channel?.id ?? (await this.creation.create(work, { ...input, name, description }));
      inputs.push({ channelId, people, color, isNew: channel === null, name: channel?.name ?? name });
    }
    return inputs;
  }
}

/** All users who were subscribed, with those of the channels that existed before. */
function newSubscribers(
  inputs: readonly NamedSubscriptionInput[],
  outcomes: readonly SubscriptionOutcome[],
): NewSubscriber[] {
  const known = new Map(inputs.filter(({ isNew }) => !isNew).map(({ channelId: id, name }) => [id, { id, name }]));
  const channelsOf = new Map<UserId, { id: ChannelId; name: string }[]>();
  for (const { channelId, subscribed } of outcomes) {
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

function byPerson(outcomes: readonly SubscriptionOutcome[], names: ReadonlyMap<ChannelId, string>) {
  const collect = (of: (one: SubscriptionOutcome) => readonly UserId[]) => {
    const pairs = outcomes.flatMap((one) => of(one).map((user) => ({ user, name: names.get(one.channelId) ?? '' })));
    return grouped(
      pairs,
      ({ user }) => user,
      ({ name }) => name,
    );
  };
  return { subscribed: collect((one) => one.subscribed), already: collect((one) => one.already) };
}
