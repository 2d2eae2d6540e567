import { historyScope } from '@annals/channels';
import type { ChannelId, MessageId, Position, TopicId } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';
import { topicKey } from '../../domain/topic';
import type { ListedTopic } from '../query/list-topics';
import { readPastMessages } from './past-messages';
import { readTopicsThen } from './narrow/past-names';
import { maybeArrived } from './narrow/past-tests';
import { isShownByPolicy } from './past-policy';
import { PastQuestions } from './past-questions';
import type { PastReading } from './past-reading';
import type { NewestOf } from './narrow/newest-candidates';
import { readNewestCandidates } from './narrow/newest-candidates';

/** The topics of a channel at a moment. */
export interface PastTopics {
  readonly asOfPosition: Position;
  /** Newest first. */
  readonly topics: readonly ListedTopic[];
}

/** The topics of a channel as they were, with the newest message that the account could read then and may read today. */
export class ListPastTopics extends Query<PastTopics> {
  constructor(
    readonly asOf: AsOf,
    readonly channelId: ChannelId,
  ) {
    super();
  }
}

@QueryHandler(ListPastTopics)
export class ListPastTopicsHandler implements IQueryHandler<ListPastTopics> {
  constructor(private readonly questions: PastQuestions) {}

  /** @throws Rejected BAD_REQUEST for a channel that the account could not read, as for one that did not exist */
  async execute({ asOf, channelId }: ListPastTopics): Promise<PastTopics> {
    const answer = await this.questions.answer(asOf, (reading) => readTopics(reading, channelId));
    if (!answer) throw reject.unknownChannel();
    return { asOfPosition: asOf.position, topics: answer };
  }
}

async function readTopics(reading: PastReading, channelId: ChannelId): Promise<readonly ListedTopic[]> {
  await reading.know([channelId]);
  const { then, now } = reading.channel(channelId);
  const scope = then ? historyScope(then, reading.then, reading.isSubscribedThen(channelId)) : 'none';
  const { today } = reading;
  const scopeToday = !today || (now && historyScope(now, today, reading.isSubscribedToday(channelId)));
  if (scope === 'none' || scopeToday === undefined || scopeToday === 'none') throw reject.unknownChannel();
  const named = await readTopicsThen(reading, channelId);
  const maybe = scope === 'received' ? [maybeArrived(reading.userId)] : [];
  const newest = await readNewest(reading, [...named.keys()], maybe);
  const listed = new Map<string, ListedTopic>();
  for (const [topic, id] of [...newest].sort(([, a], [, b]) => b - a)) {
    const name = named.get(topic) ?? '';
    if (!listed.has(topicKey(name))) listed.set(topicKey(name), { name, newest: id });
  }
  return [...listed.values()];
}

/** Topics whose newest messages are looked for together. */
const TOPICS_AT_ONCE = 1_000;
/** Candidates of each topic in the first look; each further look takes so many times as many, up to a maximum in all. */
const [FIRST_LOOK, GROWTH, MAX_CANDIDATES] = [1, 8, 4_000];

/** The newest message of each topic that the account could read in it; topics without one are left out. */
async function readNewest(
  reading: PastReading,
  topics: readonly TopicId[],
  maybe: NewestOf['maybe'],
): Promise<ReadonlyMap<TopicId, MessageId>> {
  const newest = new Map<TopicId, MessageId>();
  let pending = topics.map((id) => ({ id, before: reading.position + 1 }));
  for (let each = FIRST_LOOK; pending.length > 0; each = Math.min(each * GROWTH, MAX_CANDIDATES)) {
    const next: typeof pending = [];
    const atOnce = Math.max(1, Math.min(TOPICS_AT_ONCE, Math.floor(MAX_CANDIDATES / each)));
    for (let n = 0; n < pending.length; n += atOnce) {
      const candidates = await readNewestCandidates(reading, { topics: pending.slice(n, n + atOnce), each, maybe });
      const readable = await readReadable(reading, [...candidates.values()].flat());
      for (const [topic, ids] of candidates) {
        const found = ids.find((id) => readable.get(id) === topic);
        const last = ids.at(-1);
        if (found !== undefined) newest.set(topic, found);
        else if (last !== undefined && ids.length === each) next.push({ id: topic, before: last });
      }
    }
    pending = next;
  }
  return newest;
}

/** The topics of those of some messages that the account could read. */
async function readReadable(
  reading: PastReading,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, TopicId | null>> {
  const messages = (await readPastMessages(reading, ids)).filter(({ isReadable }) => isReadable);
  const isShown = await isShownByPolicy(reading, messages);
  return new Map(messages.filter(isShown).map(({ id, topicId }) => [id, topicId]));
}
