import type { ChannelId, MessageId, TopicId } from '@annals/kernel/domain';
import { ensure, fact, grouped } from '@annals/kernel/domain';
import type { PropagateMode, TopicEvent } from '../events';
import { MessagesMoved, TopicMoved } from '../events';
import { inLanguage } from '../language';
import { reject } from '../rejections';
import { togglesResolution } from './resolving';
import type { Topic } from '../topic';
import { isPrintableTopic, namedTopic, resolvesEmptyTopic, startTopic, storedTopic } from '../topic';

/** A topic as users name it. */
export interface NamedPlace {
  readonly channelId: ChannelId;
  readonly name: string;
}

/** The changes that a request asks for in one message. */
export interface MessagePatch {
  /** As it was written. */
  readonly content: string | undefined;
  /** As it was written; the topic that the message has already is no change (contract/messages.md section 5.1). */
  readonly topic: string | undefined;
  /** The channel that the message is in already is no change. */
  readonly channelId: ChannelId | undefined;
  /** Which messages of the topic move with this one. */
  readonly mode: PropagateMode;
}

/** A move as it was asked for: which message, its new place, and which messages move with it. */
export interface MoveRequest {
  readonly messageId: MessageId;
  readonly mode: PropagateMode;
  readonly from: NamedPlace;
  readonly to: NamedPlace;
  /** Whether the new name marks the topic as resolved or as unresolved. */
  readonly togglesResolved: boolean;
  /** New names in another letter case, by topic. */
  readonly names?: ReadonlyMap<TopicId, string>;
}

export const changesTopic = ({ from, to }: MoveRequest): boolean => from.name !== to.name;
export const changesChannel = ({ from, to }: MoveRequest): boolean => from.channelId !== to.channelId;

/** Whether a move only marks its topic as resolved or as unresolved. */
export const onlyResolves = (move: MoveRequest): boolean => move.togglesResolved && !changesChannel(move);

/**
 * The move that a request wants, or null (contract/messages.md section 5.1 steps 3 and 4).
 *
 * @param at where the message is; null for a direct message
 * @param emptyName the realm's display name of the empty topic
 * @throws Rejected BAD_REQUEST for changes that exclude each other, and for a topic name that no topic can have
 */
export function requestedMove(
  messageId: MessageId,
  patch: MessagePatch,
  at: NamedPlace | null,
  emptyName: string,
): MoveRequest | null {
  const { content, topic, channelId, mode } = patch;
  const move = at && moveFrom(at, messageId, patch, emptyName);
  if (content === undefined && !move && (at || (topic === undefined && channelId === undefined))) {
    throw reject.nothingToChange();
  }
  if (!at && (topic !== undefined || channelId !== undefined)) throw reject.directMessageStays();
  if (!move && mode !== 'change_one') throw reject.propagationWithoutMove();
  if (topic !== undefined && move && changesTopic(move)) {
    if (resolvesEmptyTopic(topic.trim(), emptyName)) throw reject.emptyTopicResolved();
    ensure(isPrintableTopic(topic.trim()));
  }
  if (content !== undefined && channelId !== undefined) throw reject.contentAndChannel();
  return move;
}

function moveFrom(from: NamedPlace, messageId: MessageId, patch: MessagePatch, emptyName: string): MoveRequest | null {
  const name = patch.topic === undefined ? from.name : storedTopic(patch.topic, emptyName);
  const to = { channelId: patch.channelId ?? from.channelId, name };
  const toggles = patch.topic !== undefined && togglesResolution(from.name, namedTopic(patch.topic, emptyName));
  const move = { messageId, mode: patch.mode, from, to, togglesResolved: toggles };
  return changesTopic(move) || changesChannel(move) ? move : null;
}

/** The range of ids in which messages move; `first` and `last` are in it. */
export function idRangeOf({ mode, messageId }: Pick<MoveRequest, 'mode' | 'messageId'>) {
  return {
    messageId,
    first: mode === 'change_all' ? 0 : messageId,
    last: mode === 'change_one' ? messageId : Number.MAX_SAFE_INTEGER,
  };
}

/** One of the topics with a name, and the name in the letter case of this topic. */
export interface KnownTopic {
  readonly topic: Topic;
  readonly name: string;
}

/** The part of one topic with the old name that moves. */
export interface TopicPortion extends KnownTopic {
  readonly total: number;
  readonly going: number;
  /** Ascending: those that move, or those that stay, as `listedPart` says. */
  readonly listed: readonly MessageId[];
}

/** Maximum of message ids in one event. */
const MAX_IDS_PER_EVENT = 50_000;

/** The messages of a topic that a move moves, or those that it leaves. */
export type TopicPart = 'going' | 'staying';

/** The part of a topic whose message ids a move lists. */
export type ListedPart = TopicPart | 'none';

/** The smaller part of a topic is listed, and none where the topic moves as a whole or not at all. */
export function listedPart({ total, going }: Pick<TopicPortion, 'total' | 'going'>): ListedPart {
  if (going === 0 || going === total) return 'none';
  return going <= total - going || total - going > MAX_IDS_PER_EVENT ? 'going' : 'staying';
}

/** The topics that receive messages: those that exist, and ids for those that a move starts. */
export interface TargetTopics {
  /** Existing topics to which messages can be added, by name. */
  readonly byName: ReadonlyMap<string, TopicId>;
  /** Unused ids, as many as `countNewTopics` says. */
  readonly newTopicIds: readonly TopicId[];
}

/** The name of a topic after the move; a topic that only changes its channel keeps its letter case. */
const nameAfterMove = (request: MoveRequest, { topic, name }: KnownTopic): string =>
  request.names?.get(topic.id) ?? (changesTopic(request) ? request.to.name : name);
const isInPlace = (portion: TopicPortion, request: MoveRequest): boolean =>
  portion.topic.channelId === request.to.channelId && portion.name === nameAfterMove(request, portion);
const partToWrite = (portion: TopicPortion) => (portion.going === 0 ? 'nothing' : listedPart(portion));

/** How many topics the move starts. */
export function countNewTopics(
  request: MoveRequest,
  portions: readonly TopicPortion[],
  existing: TargetTopics['byName'],
): number {
  const moving = portions.filter((portion) => !isInPlace(portion, request));
  const names = moving
    .filter((portion) => partToWrite(portion) === 'going')
    .map((portion) => nameAfterMove(request, portion));
  const unknown = [...new Set(names)].filter((name) => !existing.has(name));
  return unknown.length + moving.filter((portion) => partToWrite(portion) === 'staying').length;
}

/** How many messages move; a topic that has the new name already stays where it is. */
export const countMoved = (move: MoveRequest, portions: readonly TopicPortion[]): number =>
  portions.filter((portion) => !isInPlace(portion, move)).reduce((sum, { going }) => sum + going, 0);

/** An event with the topic in whose stream it is appended. */
export interface TopicFact {
  readonly topicId: TopicId;
  readonly event: TopicEvent;
}

/**
 * The events of a move that is allowed. Of each topic the smaller part is written: it moves as a whole, or some messages move,
 * or all but some move and those are put into a new topic with the old name.
 */
export function moveEvents(
  request: MoveRequest,
  portions: readonly TopicPortion[],
  targets: TargetTopics,
): TopicFact[] {
  const newTopicIds = [...targets.newTopicIds];
  const nextNewTopic = (): TopicId => {
    const id = newTopicIds.shift();
    if (id === undefined) throw new Error('a move was given too few ids for new topics');
    return id;
  };
  const moving = portions.filter((portion) => !isInPlace(portion, request));
  const leaving = grouped(
    moving.filter((portion) => partToWrite(portion) === 'going'),
    (portion) => nameAfterMove(request, portion),
  );
  return [
    ...[...leaving].flatMap(([name, those]) => taken(request, name, those, targets.byName.get(name), nextNewTopic)),
    ...moving.flatMap((portion) => wholeTopic(request, portion, nextNewTopic)),
  ];
}

/** The same events, where those that name a topic have the organization's language. */
export const namedIn = (language: string, facts: readonly TopicFact[]): TopicFact[] =>
  facts.map(({ topicId, event }) => {
    if (event.type !== 'messages.TopicStarted' && event.type !== 'messages.TopicMoved') return { topicId, event };
    return { topicId, event: { ...event, data: { ...event.data, ...inLanguage(language) } } as TopicEvent };
  });

/** Some messages move to a topic of the new name; without a known one, a topic is started with the oldest of them. */
function taken(
  request: MoveRequest,
  name: string,
  portions: readonly TopicPortion[],
  known: TopicId | undefined,
  nextNewTopic: () => TopicId,
): TopicFact[] {
  const target = known ?? nextNewTopic();
  const moved = portions.flatMap((portion) => messagesMoved(request, portion, target));
  if (known !== undefined) return moved;
  const first = Math.min(...portions.flatMap(({ listed }) => listed[0] ?? [])) as MessageId;
  const event = startTopic({ topicId: target, channelId: request.to.channelId, name }, first);
  return [{ topicId: target, event }, ...moved];
}

/** A topic moves as a whole; messages that stay are put into a new topic with the old name. */
function wholeTopic(request: MoveRequest, portion: TopicPortion, nextNewTopic: () => TopicId): TopicFact[] {
  const part = partToWrite(portion);
  if (part === 'none') return [topicMoved(request, portion, null)];
  if (part !== 'staying') return [];
  const [first] = portion.listed;
  if (first === undefined) throw new Error('a part that stays has no message');
  const left = nextNewTopic();
  const topic = { topicId: left, channelId: request.from.channelId, name: portion.name };
  return [{ topicId: left, event: startTopic(topic, first) }, topicMoved(request, portion, left)];
}

function topicMoved(request: MoveRequest, portion: TopicPortion, left: TopicId | null): TopicFact {
  const { messageId, mode, from, to } = request;
  const { topic, name: previousName, going, listed } = portion;
  const name = nameAfterMove(request, portion);
  const data = {
    topicId: topic.id,
    from: from.channelId,
    to: to.channelId,
    messageId,
    mode,
    messages: going,
    ...(name === '' && { unnamed: true as const }),
    ...(left !== null && { left: { topicId: left, messageIds: [...listed], since: topic.since } }),
  };
  return { topicId: topic.id, event: fact(TopicMoved, data, { name, previousName }) };
}

function messagesMoved(
  { messageId, mode, from, to }: MoveRequest,
  { topic, listed }: TopicPortion,
  target: TopicId,
): TopicFact[] {
  const facts: TopicFact[] = [];
  for (let n = 0; n < listed.length; n += MAX_IDS_PER_EVENT) {
    const data = {
      from: { channelId: from.channelId, topicId: topic.id },
      to: { channelId: to.channelId, topicId: target },
      messageId,
      mode,
      messageIds: listed.slice(n, n + MAX_IDS_PER_EVENT),
      since: topic.since,
    };
    facts.push({ topicId: topic.id, event: fact(MessagesMoved, data) });
  }
  return facts;
}
