import { randomUUID } from 'node:crypto';
import { Database, Kernel } from '@annals/kernel';
import type { Actor, ChannelId, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import { Role, accountStream, fact } from '@annals/kernel/domain';
import { pino } from 'pino';
import type { Bench } from '../harness';
import { MessageSent, TopicStarted, accountOpened, chatContext, topic } from './context';

/** One in so many messages begins a topic. */
const TOPIC_EVERY = 25;
/** Topics of a realm that people talk in from the beginning. */
export const TOPICS = 20;
export const CHANNELS = 10;
const TOPICS_OF_A_PROCESS = 1_000_000;
const CLIENT = 'ZulipMobile';
const ADDRESS = '198.51.100.7';
export const SENDER = 7 as UserId;
/** Its account's stream has one event. */
const ACCOUNT_VERSION = 1;

const WORDS = 'the log keeps every word that people say and what they change in the order in which it happened'.split(
  ' ',
);
/** Messages of 20 to about 300 characters, as people write them. */
export const TEXTS: readonly string[] = Array.from({ length: 64 }, (_, n) =>
  Array.from({ length: 4 + ((n * n) % 57) }, (_, word) => WORDS[(n + word) % WORDS.length]).join(' '),
);

const channelOf = (topicId: number): ChannelId => ((topicId % CHANNELS) + 1) as ChannelId;

/** Users who send messages in some realms, on a kernel and a database of their own. */
export class Chat {
  private sent = 0;

  /** @param lastTopic after which this process numbers the topics that it begins */
  private constructor(
    readonly kernel: Kernel,
    private lastTopic = TOPICS,
  ) {}

  /** Opens a kernel on an empty database, with as many realms, each with an account and topics to talk in. */
  static async open(bench: Bench, { realms = 1, lanes = 1 } = {}): Promise<Chat> {
    const databaseUrl = await bench.createDatabase();
    await migrate(databaseUrl);
    const kernel = await openChatKernel(databaseUrl, bench.redisUrl, lanes);
    bench.after(() => kernel.close());
    await kernel.store.ensureLive(kernel.projections);
    const chat = new Chat(kernel);
    for (let id = 1; id <= realms; id++) await chat.begin(id as RealmId);
    return chat;
  }

  /** Adds a process to the database of another one. @param number of this process among them, from 0 */
  static async join(databaseUrl: string, realms: number, number: number): Promise<Chat> {
    const kernel = await openChatKernel(databaseUrl, undefined, 1);
    const chat = new Chat(kernel, TOPICS + (number + 1) * TOPICS_OF_A_PROCESS);
    for (let id = 1; id <= realms; id++) await chat.know(id as RealmId);
    return chat;
  }

  /**
   * Sends a message, sometimes the first one of a new topic.
   *
   * @param outdated the sender's account has changed since the request arrived, so the command is decided again
   */
  async send(realmId: RealmId = 1 as RealmId, { outdated = false } = {}): Promise<void> {
    const number = this.sent++;
    const begins = number % TOPIC_EVERY === 0;
    const topicId = begins ? this.newTopic() : (((number % TOPICS) + 1) as TopicId);
    const content = TEXTS[number % TEXTS.length] ?? '';
    await this.kernel.work.run(actorIn(realmId, outdated ? ACCOUNT_VERSION - 1 : ACCOUNT_VERSION), async (work) => {
      if (begins) await work.decide(topic, topicId, () => [started(topicId, `topic ${topicId}`)]);
      else await work.read(topic, topicId);
      work.open('message', message(topicId, work.actor.userId, content));
    });
  }

  /** Starts a topic under a name that is taken: PostgreSQL refuses the row and with it the transaction. */
  async poison(realmId: RealmId = 1 as RealmId): Promise<void> {
    const topicId = this.newTopic();
    await this.kernel.work.run(actorIn(realmId, ACCOUNT_VERSION), async (work) => {
      await work.decide(topic, topicId, () => [started(topicId, 'topic 1', channelOf(1))]);
    });
  }

  private newTopic(): TopicId {
    return ++this.lastTopic as TopicId;
  }

  private async begin(realmId: RealmId): Promise<void> {
    await this.kernel.database.pool.query('INSERT INTO realm_heads VALUES ($1, 0, 0)', [realmId]);
    const origin = { client: CLIENT, correlation: randomUUID(), address: null };
    const system = { realmId, userId: null, origin };
    const topics = Array.from({ length: TOPICS }, (_, n) => (n + 1) as TopicId);
    await this.kernel.work.run(system, async (work) => {
      work.append(accountStream(SENDER), [accountOpened(SENDER)]);
      for (const id of topics) work.append(topic.stream(id), [started(id, `topic ${id}`)]);
    });
    await this.know(realmId);
  }

  /** A process that has served for a while knows the topics of its users. */
  private async know(realmId: RealmId): Promise<void> {
    const origin = { client: CLIENT, correlation: randomUUID(), address: null };
    const topics = Array.from({ length: TOPICS }, (_, n) => (n + 1) as TopicId);
    await this.kernel.work.run(
      { realmId, userId: null, origin },
      async (work) => void (await Promise.all(topics.map((id) => work.read(topic, id)))),
    );
    this.kernel.useActors({ refresh: async (actor) => ({ ...actor, version: ACCOUNT_VERSION }) });
  }
}

const openChatKernel = (databaseUrl: string, redisUrl: string | undefined, lanes: number) =>
  Kernel.open({ databaseUrl, redisUrl, contexts: [chatContext], log: pino({ level: 'error' }), lanes });

const started = (topicId: TopicId, name: string, channelId = channelOf(topicId)) =>
  fact(TopicStarted, { topicId, channelId }, { name });

const message = (topicId: TopicId, senderId: UserId, content: string) =>
  fact(
    MessageSent,
    {
      channelId: channelOf(topicId),
      topicId,
      senderId,
      mentionedUserIds: [],
      hasLink: false,
      hasImage: false,
      hasAttachment: false,
      isMe: false,
    },
    { content },
  );

/** A member, as the guard gives one to each request. */
const actorIn = (realmId: RealmId, version: number): Actor => ({
  realmId,
  userId: SENDER,
  role: Role.member,
  botType: null,
  botOwnerId: null,
  groups: new Set(),
  version,
  canCreateUsers: false,
  canChangeUserEmails: false,
  origin: { client: CLIENT, correlation: randomUUID(), address: ADDRESS },
});

async function migrate(url: string): Promise<void> {
  const database = await Database.connect(url);
  try {
    await database.migrate();
  } finally {
    await database.close();
  }
}
