import pino from 'pino';
import type { Actor, Audience, ChannelId, Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { ManualClock, Role } from '@annals/kernel/domain';
import type { BackgroundRunner, ContextDefinition, SystemActor } from '@annals/kernel';
import { Database, Kernel } from '@annals/kernel';
import { createTestDatabase } from '../../../../test/support/server/database';
import type { ToyFact } from './toy-events';
import type { PollRequest } from '../delivery/dispatcher';
import type { QueueStream } from '../delivery/polls/queue-stream';
import type { WireEvent } from '../domain/flag-events';
import type { Registration } from '../register/register';
import { defineContext } from '@annals/kernel';
import { feedMigrations } from '../schema';
import { openFeed } from '../open-feed';
import { Translation } from '../translation/translation';
import { toyContext, ToyRules } from './toy-context';

export const realm = 1 as RealmId;
export const user = (id: number) => id as UserId;
export const channel = (id: number) => id as ChannelId;

const ORIGIN = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };

/** A user as authentication provides them. */
export const as = (userId: UserId, role: Role = Role.member, realmId: RealmId = realm): Actor => ({
  realmId,
  userId,
  role,
  botType: null,
  botOwnerId: null,
  groups: new Set(),
  version: 1,
  canCreateUsers: false,
  canChangeUserEmails: false,
  origin: ORIGIN,
});

const REGISTRATION: Registration = {
  eventTypes: null,
  fetchEventTypes: null,
  narrow: [],
  allPublicStreams: false,
  applyMarkdown: false,
  clientGravatar: true,
  includeSubscribers: false,
  slimPresence: false,
  presenceHistoryLimitDays: 14,
  idleQueueTimeout: 600,
  capabilities: {
    notification_settings_null: false,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: false,
    user_settings_object: false,
    linkifier_url_template: false,
    user_list_incomplete: false,
    include_deactivated_groups: false,
    archived_channels: false,
    empty_topic_name: false,
    simplified_presence_events: false,
    individual_emoji_changes: false,
  },
};

/** How long a spec waits for what happens soon, in ms of this machine. */
const PATIENCE_MS = 5_000;

export interface OpenedQueue {
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly [field: string]: unknown;
}

/** One process with the toy context: it writes, it answers polls, and it translates on request. */
export class ToyProcess {
  private runner: BackgroundRunner | undefined;

  private constructor(
    readonly kernel: Kernel,
    readonly clock: ManualClock,
    readonly feed: ReturnType<typeof openFeed>,
    readonly translation: Translation,
  ) {}

  static async open(
    url: string,
    redisUrl: string | undefined,
    clock: ManualClock,
    added: readonly ContextDefinition[],
  ): Promise<ToyProcess> {
    const kernel = await Kernel.open({
      databaseUrl: url,
      redisUrl,
      contexts: [...CONTEXTS, ...added],
      log: pino({ level: 'silent' }),
      clock,
      poolSize: 6,
    });
    const feed = openFeed(kernel, {
      rules: new ToyRules(),
      features: {
        webPublicChannels: false,
        maxUploadMib: 100,
        uploadQuotaMib: null,
        pushNotifications: false,
        signIn: { methodsOf: () => [] },
      },
      addressOf: async () => 'http://toy.example.com',
      version: { zulip_feature_level: 500 },
      emptyTopic: 'general chat',
      currentBlocks: [],
    });
    return new ToyProcess(kernel, clock, feed, new Translation(kernel));
  }

  /** Appends these facts in one command. @returns the position of the last one */
  async happens(...facts: ToyFact[]): Promise<Position> {
    return this.happensIn(realm, ...facts);
  }

  async happensIn(realmId: RealmId, ...facts: ToyFact[]): Promise<Position> {
    const by: SystemActor = { realmId, userId: null, origin: ORIGIN };
    await this.kernel.work.run(by, async (work) => work.append('toy-1', facts));
    return (await this.kernel.events.heads([realmId])).get(realmId) ?? (0 as Position);
  }

  /**
   * Signals to these people at the current position of the log, and resolves when this process has received it.
   *
   * @param by what the signal says
   */
  async nudge(by: string, audience: Audience, realmId = realm): Promise<void> {
    await this.kernel.fence.reach(realmId);
    this.kernel.signals.send(realmId, { type: 'nudge', audience, payload: { by } });
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** As a client receives it. Authentication passes the fence. */
  async register(by: Actor, options: Partial<Registration> = {}): Promise<OpenedQueue> {
    await this.kernel.fence.reach(by.realmId);
    const answer = await this.feed.register.open(by, { ...REGISTRATION, ...options });
    return JSON.parse(JSON.stringify(answer)) as OpenedQueue;
  }

  /** A waiting poll. Await it only when an event follows. */
  poll(
    by: Actor,
    queueId: string,
    lastEventId: number,
    more: Partial<PollRequest> = {},
  ): Promise<readonly WireEvent[]> {
    const { signal: disconnected } = new AbortController();
    const polled = this.feed.dispatcher.poll(by, { queueId, lastEventId, dontBlock: false, disconnected, ...more });
    polled.catch(() => undefined);
    return polled;
  }

  /** A stream of a queue. */
  stream(by: Actor, queueId: string, lastEventId: number, more: Partial<PollRequest> = {}): Promise<QueueStream> {
    const { signal: disconnected } = new AbortController();
    return this.feed.dispatcher.stream(by, { queueId, lastEventId, disconnected, ...more });
  }

  /**
   * Ticks, and lets pending work continue. A tick without a poll to serve waits for nothing, so in a loop it alone
   * would keep the poll that it waits for from ever beginning.
   */
  async tick(): Promise<void> {
    await this.feed.dispatcher.tick();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** The answer to a poll while this process ticks again and again. */
  async ticking(poll: Promise<readonly WireEvent[]>): Promise<readonly WireEvent[]> {
    let isAnswered = false;
    void poll.finally(() => (isAnswered = true)).catch(() => undefined);
    while (!isAnswered) await this.tick();
    return poll;
  }

  /** Everything that a queue can receive now, once it is translated. */
  async take(by: Actor, { queue_id: queueId, last_event_id: from }: OpenedQueue): Promise<readonly WireEvent[]> {
    await this.translation.catchUp();
    return this.poll(by, queueId, from, { dontBlock: true });
  }

  /** Resolves when so many polls wait here. */
  async hanging(count: number): Promise<void> {
    const { dispatcher } = this.feed;
    const giveUp = performance.now() + PATIENCE_MS;
    while (dispatcher.waiting !== count) {
      if (performance.now() > giveUp) throw new Error(`${dispatcher.waiting} polls hang, not ${count}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Translates like a worker, from now on. */
  async follow(): Promise<void> {
    this.runner = await this.kernel.follow([this.translation.reader]);
    await this.translation.wake(this.runner);
  }

  async close(): Promise<void> {
    await this.runner?.stop();
    await this.feed.stop();
    await this.kernel.close();
  }
}

const CONTEXTS: readonly ContextDefinition[] = [
  toyContext,
  defineContext({ name: 'feed', migrations: feedMigrations }),
];

export interface ToyFeed {
  readonly first: ToyProcess;
  readonly clock: ManualClock;
  /** Opens one more process on the same database. @param added contexts that its release has and the others have not */
  another(...added: ContextDefinition[]): Promise<ToyProcess>;
  close(): Promise<void>;
}

export interface ToyFeedOptions {
  readonly realms?: number;
  /** Null for none. Left out: that of the suite, if there is one. */
  readonly redisUrl?: string | null | undefined;
  /** A PostgreSQL of the spec's own. */
  readonly adminUrl?: string;
}

/** A database of its own with the toy context. */
export async function openToyFeed({
  realms = 1,
  redisUrl = process.env['ANNALS_TEST_REDIS_URL'],
  adminUrl,
}: ToyFeedOptions = {}): Promise<ToyFeed> {
  const database = await createTestDatabase(adminUrl === undefined ? {} : { adminUrl, template: 'template1' });
  const connection = await Database.connect(database.url, { migrations: feedMigrations });
  await connection.migrate();
  await connection.close();
  const clock = new ManualClock(Date.UTC(2026, 0, 1) as Instant);
  const processes: ToyProcess[] = [];
  const another = async (...added: ContextDefinition[]) => {
    const process = await ToyProcess.open(database.url, redisUrl ?? undefined, clock, added);
    processes.push(process);
    return process;
  };
  const first = await another();
  await first.kernel.store.ensureLive(first.kernel.projections);
  for (let id = 1; id <= realms; id++) {
    await first.kernel.database.pool.query('INSERT INTO realm_heads VALUES ($1, 0, 0)', [id]);
  }
  const close = async () => {
    for (const process of processes) await process.close();
    await database.drop();
  };
  return { first, another, clock, close };
}
