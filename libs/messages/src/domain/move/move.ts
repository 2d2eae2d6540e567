import type { ChannelId, MessageId, TopicId } from '@annals/kernel/domain';
import { ensure, fact, grouped } from '@annals/kernel/domain';
import type { PropagateMode, TopicEvent } from '../events';
import { MessagesMoved, TopicMoved } from '../events';
import { reject } from '../rejections';
import { togglesResolution } from '../resolving';
import type { Topic } from '../topic';
import { isPrintable, namedTopic, resolvesEmptyTopic, startTopic, storedTopic } from '../topic';

/** A topic as people name it. */
export interface NamedPlace {
  readonly channelId: ChannelId;
  readonly name: string;
}

/** What somebody wants to change of a message. */
export interface EditWish {
  /** As it was written. */
  readonly content: string | undefined;
  /** As it was written; the one the message has counts as none (contract/messages.md section 5.1). */
  readonly topic: string | undefined;
  /** The one the message is in counts as none. */
  readonly channelId: ChannelId | undefined;
  /** What a move is to take along of the topic. */
  readonly mode: PropagateMode;
}

/** A move that somebody wants: which message, where to, and what goes with it. */
export interface Move {
  readonly messageId: MessageId;
  readonly mode: PropagateMode;
  readonly from: NamedPlace;
  readonly to: NamedPlace;
  /** Whether the new name marks the topic as resolved or takes that back. */
  readonly togglesResolved: boolean;
}

export const changesTopic = ({ from, to }: Move): boolean => from.name !== to.name;
export const changesChannel = ({ from, to }: Move): boolean => from.channelId !== to.channelId;

/** Whether a move only says that its topic is resolved, or no longer is. */
export const onlyResolves = (move: Move): boolean => move.togglesResolved && !changesChannel(move);

/**
 * What a wish wants to move, or null (contract/messages.md section 5.1 steps 3 and 4).
 *
 * @param at where the message is; null for a direct message
 * @param emptyName the realm's display name of the empty topic
 * @throws Rejected BAD_REQUEST for what does not go together
 */
export function wishedMove(
  messageId: MessageId,
  wish: EditWish,
  at: NamedPlace | null,
  emptyName: string,
): Move | null {
  const { content, topic, channelId, mode } = wish;
  const move = at && moveFrom(at, messageId, wish, emptyName);
  if (content === undefined && !move && (at || (topic === undefined && channelId === undefined))) {
    throw reject.nothingToChange();
  }
  if (!at && (topic !== undefined || channelId !== undefined)) throw reject.directMessageStays();
  if (!move && mode !== 'change_one') throw reject.propagationWithoutMove();
  if (topic !== undefined && move && changesTopic(move)) {
    if (resolvesEmptyTopic(topic.trim(), emptyName)) throw reject.emptyTopicResolved();
    ensure(isPrintable(topic.trim()));
  }
  if (content !== undefined && channelId !== undefined) throw reject.contentAndChannel();
  return move;
}

function moveFrom(from: NamedPlace, messageId: MessageId, wish: EditWish, emptyName: string): Move | null {
  const name = wish.topic === undefined ? from.name : storedTopic(wish.topic, emptyName);
  const to = { channelId: wish.channelId ?? from.channelId, name };
  const toggles = wish.topic !== undefined && togglesResolution(from.name, namedTopic(wish.topic, emptyName));
  const move = { messageId, mode: wish.mode, from, to, togglesResolved: toggles };
  return changesTopic(move) || changesChannel(move) ? move : null;
}

/** The ids that a move takes along where it may. */
export function reachOf({ mode, messageId }: Pick<Move, 'mode' | 'messageId'>) {
  return {
    messageId,
    first: mode === 'change_all' ? 0 : messageId,
    last: mode === 'change_one' ? messageId : Number.MAX_SAFE_INTEGER,
  };
}

/** One of the topics that bear a name, with the name as this one bears it. */
export interface KnownTopic {
  readonly topic: Topic;
  readonly name: string;
}

/** What a move takes of one of the topics that bear the old name. */
export interface Share extends KnownTopic {
  readonly total: number;
  readonly going: number;
  /** Ascending: those that go, or those that stay, whichever `isListed` asks for. */
  readonly listed: readonly MessageId[];
}

/** Most messages that one event names. */
const NAMED_AT_MOST = 50_000;

/** Whose ids a move needs to know: the smaller part of a topic, or none where it goes as a whole. */
export function isListed({ total, going }: Pick<Share, 'total' | 'going'>): 'going' | 'staying' | 'none' {
  if (going === 0 || going === total) return 'none';
  return going <= total - going || total - going > NAMED_AT_MOST ? 'going' : 'staying';
}

/** Topics that a move needs for what it takes out, or leaves behind. */
export interface Receiving {
  /** Topics that bear a new name already and to which messages can be added, by that name. */
  readonly targets: ReadonlyMap<string, TopicId>;
  /** Ids of topics to begin: as many as `topicsToBegin` says. */
  readonly fresh: readonly TopicId[];
}

/** What a topic is called where it goes: one that only changes its channel keeps its letter case. */
const nameThere = (wish: Move, { name }: KnownTopic): string => (changesTopic(wish) ? wish.to.name : name);
const isThere = (share: Share, wish: Move): boolean =>
  share.topic.channelId === wish.to.channelId && share.name === nameThere(wish, share);
const kindOf = (share: Share) => (share.going === 0 ? 'nothing' : isListed(share));

/** How many topics the move begins. */
export function topicsToBegin(wish: Move, shares: readonly Share[], targets: Receiving['targets']): number {
  const moving = shares.filter((share) => !isThere(share, wish));
  const names = moving.filter((share) => kindOf(share) === 'going').map((share) => nameThere(wish, share));
  const unknown = [...new Set(names)].filter((name) => !targets.has(name));
  return unknown.length + moving.filter((share) => kindOf(share) === 'staying').length;
}

/** How many messages go; what bears the new name already stays where it is. */
export const countMoved = (move: Move, shares: readonly Share[]): number =>
  shares.filter((share) => !isThere(share, move)).reduce((sum, { going }) => sum + going, 0);

/** An event with the topic in whose stream it belongs. */
export interface TopicFact {
  readonly topicId: TopicId;
  readonly event: TopicEvent;
}

/**
 * The move as facts; whether it may be was asked before. Of each topic the smaller part is written: it goes as a whole,
 * or some messages leave it, or all but some go and those are in a new topic of the old name.
 */
export function move(wish: Move, shares: readonly Share[], receiving: Receiving): TopicFact[] {
  const fresh = [...receiving.fresh];
  const begun = () => {
    const id = fresh.shift();
    if (id === undefined) throw new Error('a move was given too few topics to begin');
    return id;
  };
  const moving = shares.filter((share) => !isThere(share, wish));
  const leaving = grouped(
    moving.filter((share) => kindOf(share) === 'going'),
    (share) => nameThere(wish, share),
  );
  const facts: TopicFact[] = [];
  for (const [name, those] of leaving) {
    const known = receiving.targets.get(name);
    const target = known ?? begun();
    if (known === undefined) {
      const first = Math.min(...those.flatMap(({ listed }) => listed[0] ?? [])) as MessageId;
      facts.push({ topicId: target, event: startTopic(target, wish.to.channelId, name, first) });
    }
    for (const share of those) facts.push(...taken(wish, share, target));
  }
  for (const share of moving) {
    if (kindOf(share) === 'none') facts.push(whole(wish, share, null));
    if (kindOf(share) !== 'staying') continue;
    const left = begun();
    facts.push({ topicId: left, event: startTopic(left, wish.from.channelId, share.name, share.listed[0]) });
    facts.push(whole(wish, share, left));
  }
  return facts;
}

function whole(wish: Move, share: Share, left: TopicId | null): TopicFact {
  const { messageId, mode, from, to } = wish;
  const { topic, name: previousName, going, listed } = share;
  const name = nameThere(wish, share);
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

function taken({ messageId, mode, from, to }: Move, { topic, listed }: Share, target: TopicId): TopicFact[] {
  const facts: TopicFact[] = [];
  for (let n = 0; n < listed.length; n += NAMED_AT_MOST) {
    const data = {
      from: { channelId: from.channelId, topicId: topic.id },
      to: { channelId: to.channelId, topicId: target },
      messageId,
      mode,
      messageIds: listed.slice(n, n + NAMED_AT_MOST),
      since: topic.since,
    };
    facts.push({ topicId: topic.id, event: fact(MessagesMoved, data) });
  }
  return facts;
}
