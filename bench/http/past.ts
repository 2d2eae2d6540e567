import type { Kernel } from '@annals/kernel';
import type { ChannelId, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { MessageSent } from '@annals/messages';
import { openMessage } from '../../libs/messages/src/application/send/open-message';
import { TEXTS } from '../chat/chat';

const REALM = 1 as RealmId;
/** Messages of one append, and appends that are under way at a time. */
const AT_ONCE = 500;
const APPENDS = 4;
/** One message in so many is in the topic that is moved, and in the one that is deleted. */
const MOVED_EVERY = 20;
const DELETED_EVERY = 100;
/** One message in so many has a unique word. */
const SELDOM_EVERY = 100;
/** Other topics of each channel. */
const TOPICS = 200;

const origin = { client: 'ZulipMobile', correlation: '00000000-0000-4000-8000-000000000003', address: null };
const SYSTEM = { realmId: REALM, userId: null, origin };

/** A topic and its messages, ascending. */
export interface PastTopic {
  readonly id: TopicId;
  readonly channelId: ChannelId;
  readonly name: string;
  readonly messageIds: number[];
}

/** Messages, moves and deletions of the past of an organization, scattered over the whole log. */
export interface FilledPast {
  readonly moved: PastTopic;
  readonly deleted: PastTopic;
  /** How many messages there are: those that were asked for, and the first one of each topic. */
  readonly messages: number;
}

export interface PastOptions {
  /** Where messages go; the topics that will be moved and deleted are in the first one. */
  readonly channels: readonly ChannelId[];
  readonly senders: readonly UserId[];
  /** Number of messages, without the first one of each topic. */
  readonly count: number;
  /** Receives the number of stored messages from time to time. */
  readonly progress: (done: number) => void;
}

/** Sends messages through the lane, inline read models and all, in large appends and without asking for any rule. */
export async function sendPast(
  kernel: Kernel,
  { channels, senders, count, progress }: PastOptions,
): Promise<FilledPast> {
  const ids = await kernel.ids.take(REALM, 'topic', TOPICS * channels.length + 2);
  const topics = ids.map((id, n) => topicIn(channels, n, id));
  const [moved, deleted, ...others] = topics;
  if (!moved || !deleted) throw new Error('there is no channel to send to');
  const topicOf = (n: number): PastTopic => {
    if (n % MOVED_EVERY === MOVED_EVERY - 1) return moved;
    return n % DELETED_EVERY === DELETED_EVERY - 2 ? deleted : (others[n % others.length] ?? moved);
  };
  await append(kernel, topics, senders, true);
  let next = 0;
  const sending = async () => {
    while (next < count) {
      const from = next;
      next = Math.min(count, from + AT_ONCE);
      const into = Array.from({ length: next - from }, (_, n) => topicOf(from + n));
      await append(kernel, into, senders, false);
      progress(next);
    }
  };
  await Promise.all(Array.from({ length: APPENDS }, sending));
  for (const { messageIds } of [moved, deleted]) messageIds.sort((a, b) => a - b);
  return { moved, deleted, messages: topics.length + count };
}

/** The first two are in the first channel, the others in all of them in turn. */
const topicIn = (channels: readonly ChannelId[], n: number, id: TopicId): PastTopic => ({
  id,
  channelId: channels[n < 2 ? 0 : n % channels.length] ?? (0 as ChannelId),
  name: `topic ${id}`,
  messageIds: [],
});

/** One message to each of these topics, which begin with it or are there already. */
async function append(
  kernel: Kernel,
  topics: readonly PastTopic[],
  senders: readonly UserId[],
  begin: boolean,
): Promise<void> {
  const sent = await kernel.work.run(SYSTEM, async (work) =>
    topics.map((topic, n) => {
      const { id: topicId, channelId, name } = topic;
      const sent = message(topic, senders[n % senders.length] ?? (0 as UserId), n);
      const target = begin
        ? { kind: 'new topic' as const, topic: { topicId, channelId, name } }
        : { kind: 'existing' as const, place: { channelId, topicId } };
      return openMessage(work, target, () => sent);
    }),
  );
  sent.forEach(({ id }, n) => topics[n]?.messageIds.push(id));
}

function message({ channelId, id: topicId }: PastTopic, senderId: UserId, n: number) {
  const mentions = { userIds: [], groupIds: [], channelWildcard: false, topicWildcard: false };
  const facts = { mentions, hasLink: false, hasImage: false, hasAttachment: false, isMe: false };
  const content = (TEXTS[n % TEXTS.length] ?? '') + (n % SELDOM_EVERY === 0 ? ' seldom' : '');
  return fact(MessageSent, { place: { channelId, topicId }, senderId, ...facts, readBySender: true }, { content });
}
