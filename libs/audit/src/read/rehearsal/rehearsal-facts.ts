import type { Kernel } from '@annals/kernel';
import { Past, systemActor } from '@annals/kernel';
import type { Channel } from '@annals/channels';
import { channelAggregate } from '@annals/channels';
import { PastActorReader } from '@annals/groups';
import type { Actor, ChannelId, Instant, MessageId, Position, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { ForwardFold, messageIdAt } from '@annals/kernel/domain';
import type { MessageSent } from '@annals/messages';
import type { Realm } from '@annals/realm';
import { realmAggregate } from '@annals/realm';

/** Contexts whose events change who somebody is, or which groups they are in. */
const ABOUT_ACTORS =
  /^(users\.(RoleChanged|Deactivated|Reactivated|BotOwnerChanged)|groups\.|realm\.(Created|SettingsChanged))/;

/** A message as it was sent. */
export interface SentFacts {
  readonly senderId: UserId;
  readonly sentAt: Instant;
}

/** The facts on which decisions of the past depended, read from the log. They are asked for in the order of the log. */
export class RehearsalFacts {
  private readonly actors = new Map<UserId, Actor | null>();
  private readonly reader: PastActorReader;
  private readonly channels = new Map<ChannelId, ForwardFold<Channel | null>>();
  private readonly sent = new Map<MessageId, SentFacts>();
  private realm: ForwardFold<Realm> | null = null;

  constructor(
    private readonly kernel: Kernel,
    private readonly realmId: RealmId,
  ) {
    this.reader = new PastActorReader(new Past(kernel));
  }

  /** Takes note that an event passed: actors of later events may differ. */
  passed({ type }: Recorded): void {
    if (ABOUT_ACTORS.test(type)) this.actors.clear();
  }

  /** Reads messages and channels that a page of decisions is about, in one query each. */
  async prepare(messages: readonly MessageId[], channels: readonly ChannelId[]): Promise<void> {
    this.sent.clear();
    for (const event of await this.kernel.events.at(this.realmId, [...new Set(messages)])) {
      const { data, at, position } = event as Recorded<MessageSent>;
      this.sent.set(messageIdAt(position), { senderId: data.senderId, sentAt: at });
    }
    const missing = [...new Set(channels)].filter((id) => !this.channels.has(id));
    const streams = await this.kernel.events.streams(
      this.realmId,
      missing.map((id) => channelAggregate.stream(id)),
    );
    for (const id of missing) {
      const history = streams.get(channelAggregate.stream(id)) ?? [];
      this.channels.set(id, new ForwardFold(channelAggregate, history));
    }
  }

  /** The account that acted, as it was right before the event. Null if it was not active. */
  async actorBefore({ actorId, position, at }: Recorded): Promise<Actor | null> {
    if (actorId === null) return null;
    const known = this.actors.get(actorId);
    if (known !== undefined) return known;
    const { origin } = systemActor(this.realmId);
    const before = (position - 1) as Position;
    const actor = await this.reader.actorAt({ realmId: this.realmId, userId: actorId, position: before, at, origin });
    this.actors.set(actorId, actor);
    return actor;
  }

  /** The organization right before a position. */
  async realmBefore(position: Position): Promise<NonNullable<Realm> | null> {
    this.realm ??= new ForwardFold(
      realmAggregate,
      await this.kernel.events.stream(this.realmId, realmAggregate.stream('realm')),
    );
    return this.realm.before(position);
  }

  /** A channel right before a position. Null if it did not exist. */
  channelBefore(id: ChannelId, position: Position): Channel | null {
    return this.channels.get(id)?.before(position) ?? null;
  }

  /** A message as it was sent. Undefined for one that `prepare` was not asked for. */
  message(id: MessageId): SentFacts | undefined {
    return this.sent.get(id);
  }
}
