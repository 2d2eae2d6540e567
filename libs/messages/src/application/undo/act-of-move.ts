import type { FeedReader, Work } from '@annals/kernel';
import { Kernel, cannotBeUndone, eventsOfAppend, feedReader } from '@annals/kernel';
import type { MessageId, Position, Recorded, TopicId } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { MessageSent, TopicMoved } from '../../domain/events';
import type { NamedPlace } from '../../domain/move/move';
import type { MoveEvent } from '../../domain/move/move-event';
import { isMove } from '../../domain/move/move-event';
import type { MovedByEvent, RemainsOfMove } from '../../domain/move/move-undo';
import { remainsOfMove } from '../../domain/move/move-undo';
import type { Topic } from '../../domain/topic';
import { topicKey } from '../../domain/topic';
import { readMovedIds } from '../../read/history/moved-messages';
import { readTopicHistory } from '../../read/history/topic-history';
import { readTopicsOf } from '../../read/placement/topics-of';
import { TopicsNow } from './topics-now';

/** A move that was carried out, with what is left of it. */
export interface ActOfMove {
  /** Where the messages were. */
  readonly origin: NamedPlace;
  /** The earlier names of topics that moved as a whole: several topics with one name may differ in letter case. */
  readonly names: ReadonlyMap<TopicId, string>;
  /** Where the move brought them. */
  readonly target: NamedPlace;
  readonly remains: RemainsOfMove;
  /** Ids of the notices that it posted. */
  readonly notices: readonly MessageId[];
}

/** Finds out what a move did and what became of it. */
@Injectable()
export class ActsOfMoves {
  constructor(private readonly kernel: Kernel) {}

  /**
   * All events of the same request that moved messages from one place to another. The append depends on the topics.
   *
   * @throws Rejected CANNOT_BE_UNDONE when the name of a place was erased
   */
  async of(work: Work, event: MoveEvent): Promise<ActOfMove> {
    const append = await eventsOfAppend(this.kernel.events, event);
    // Topics are read before their messages, so that what changes meanwhile refuses the append.
    const ids = append.filter(isMove).flatMap((move) => [topicAfter(move), topicLeft(move) ?? []].flat());
    const topics = await TopicsNow.read(work, this.kernel.database.pool, ids);
    return this.kernel.database.snapshot(async (client) => {
      const reader = feedReader(this.kernel.events, work.realmId, client);
      const placesOf = await this.placesOf(reader, append.filter(isMove));
      const { origin, target, isOriginErased } = placesOf(event);
      const moves = append.filter(isMove).filter((move) => {
        const places = placesOf(move);
        return isSameTopic(places.origin, origin) && isSame(places.target, target);
      });
      const movedIds = await readMovedIds(reader, moves);
      const moved = moves.map((move): MovedByEvent => {
        const there = topics.of(topicAfter(move)).filter((topic) => isThere(topic, target));
        return { messageIds: movedIds.get(move.position) ?? [], topicIds: new Set(there.map(({ id }) => id)) };
      });
      const all = moved.flatMap(({ messageIds }) => messageIds);
      const remains = remainsOfMove(moved, await readTopicsOf(client, work.realmId, all));
      const left = topicLeft(event);
      const place = left === null ? origin : present(origin, topics.of(left)[0]);
      if (isOriginErased && place === origin) throw cannotBeUndone('erased');
      return { origin: place, names: namesBefore(moves, topics), target, remains, notices: noticesIn(append) };
    });
  }

  /** The places before and after each move. Those of single messages have the names that their topics had. */
  private async placesOf(reader: FeedReader, moves: readonly MoveEvent[]) {
    const topics = moves.flatMap((move) => (isOfTopic(move) ? [] : [move.data.from.topicId, move.data.to.topicId]));
    const history = await readTopicHistory(reader.client, reader.realmId, topics);
    const named = (topicId: TopicId, position: number): NamedPlace & { readonly isErased: boolean } => {
      const place = history(topicId, position as Position);
      if (!place) throw new Error(`topic ${topicId} has no beginning`);
      return { channelId: place.channelId, name: place.topic, isErased: place.isErased };
    };
    return (move: MoveEvent): MovePlaces => {
      if (!isOfTopic(move)) {
        const { isErased, ...origin } = named(move.data.from.topicId, move.position);
        const { isErased: isTargetErased, ...target } = named(move.data.to.topicId, move.position);
        if (isTargetErased) throw cannotBeUndone('erased');
        return { origin, target, isOriginErased: isErased };
      }
      const { data, sealed } = move;
      if (sealed === 'erased') throw cannotBeUndone('erased');
      return {
        origin: { channelId: data.from, name: sealed.previousName },
        target: { channelId: data.to, name: sealed.name },
        isOriginErased: false,
      };
    };
  }
}

/** Where a move took messages from, and where it brought them. */
interface MovePlaces {
  readonly origin: NamedPlace;
  readonly target: NamedPlace;
  /** The topic ended and its name was erased, so `origin` has another name in place of it. */
  readonly isOriginErased: boolean;
}

const isOfTopic = (event: MoveEvent): event is Recorded<TopicMoved> => event.type === TopicMoved.type;

const topicAfter = (move: MoveEvent): TopicId => (isOfTopic(move) ? move.data.topicId : move.data.to.topicId);
/** The topic in which messages may have stayed; null if all of the topic moved. */
const topicLeft = (move: MoveEvent): TopicId | null =>
  isOfTopic(move) ? (move.data.left?.topicId ?? null) : move.data.from.topicId;

const isSame = (a: NamedPlace, b: NamedPlace): boolean => a.channelId === b.channelId && a.name === b.name;
const isSameTopic = (a: NamedPlace, b: NamedPlace): boolean =>
  a.channelId === b.channelId && topicKey(a.name) === topicKey(b.name);

const namesBefore = (moves: readonly MoveEvent[], topics: TopicsNow): ReadonlyMap<TopicId, string> =>
  new Map(
    moves
      .filter(isOfTopic)
      .flatMap(({ data, sealed }) =>
        data.left || sealed === 'erased'
          ? []
          : topics.of(data.topicId).map(({ id }) => [id, sealed.previousName] as const),
      ),
  );

const isThere = (topic: Topic, place: NamedPlace): boolean =>
  topic.channelId === place.channelId && topic.name === place.name;

/** Single messages go back to their topic, also if it has another name now. */
const present = (origin: NamedPlace, topic: Topic | undefined): NamedPlace =>
  topic?.channelId === origin.channelId && topic.name !== null ? { ...origin, name: topic.name } : origin;

const noticesIn = (append: readonly Recorded[]): MessageId[] =>
  append
    .filter((event): event is Recorded<MessageSent> => event.type === MessageSent.type)
    .filter(({ data }) => data.notice !== undefined)
    .map(({ position }) => messageIdAt(position));
