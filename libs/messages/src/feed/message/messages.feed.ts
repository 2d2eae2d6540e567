import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type {
  Audience,
  ChannelId,
  ClientEvent,
  Instant,
  MessageId,
  Position,
  Recorded,
  TopicId,
  UserId,
} from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import type { Place } from '../../domain/events';
import { ContentEdited, MessageSent, MessagesMoved, TopicMoved } from '../../domain/events';
import { readMovedMessages } from '../../read/history/moved-messages';
import { membersOf } from '../audiences';
import { readProtectedHistory } from '../move/read-protected-history';
import type { MoveEvent } from '../../domain/move/move-event';
import { isMove } from '../../domain/move/move-event';
import type { ChangeFacts, ChangedPayload } from '../move/moves';
import { movedEvents } from '../move/moves';
import { audienceOf, readActivityFacts } from '../move/message-activity';

/** Payload of `message` events before delivery. */
export interface SentPayload {
  readonly messageId: MessageId;
  /** Of a message that was restored. */
  readonly restored?: RestoredPayload;
}

/** A restored message, as it was right after its restoration. */
export interface RestoredPayload {
  /** Position of the event with its text. */
  readonly contentPosition: Position;
  /** In ms; null for an unedited message. */
  readonly editedAt: Instant | null;
  /** Null for a direct message. */
  readonly channelId: ChannelId | null;
  readonly topicId: TopicId | null;
  /** Where history is protected: the position at which it arrived in the channel. */
  readonly arrived: Position | null;
}

type Change = Recorded<ContentEdited> | MoveEvent;

/** New messages (contract/messages.md section 3.2). They are the most frequent events and need no facts. */
export const sentMessagesFeed = defineFeed({
  name: 'sent-messages',
  translations: [
    translate(MessageSent, ({ data, position }): ClientEvent[] => {
      const payload: SentPayload = { messageId: messageIdAt(position) };
      const of = [...receiversOf(data.place, [data.senderId, ...data.mentions.userIds]), ...listenersTo(data.place)];
      return [{ type: 'message', audience: { kind: 'any', of }, payload: { ...payload } }];
    }),
  ],
});

/** Edits and moves of messages (contract/messages.md section 5.6). */
export const messagesFeed = defineFeed({
  name: 'messages',
  facts: async (reader: FeedReader, events): Promise<ChangeFacts> => {
    const edits = events.filter(isEdit);
    const moves = events.filter(isMove);
    const moved = await readMovedMessages(reader, moves);
    const activity = await readActivityFacts(reader, edits);
    return { ...activity, moved, kept: await readProtectedHistory(reader, edits, moves, moved, activity.places) };
  },
  translations: [
    translate(ContentEdited, translateChange),
    translate(TopicMoved, translateChange),
    translate(MessagesMoved, translateChange),
  ],
});

/** All changes of one request are one client event, at the position of the first. */
function translateChange({ position }: Change, facts: ChangeFacts, append: readonly Recorded[]): ClientEvent[] {
  const edit = append.find(isEdit);
  const moves = append.filter(isMove);
  const first = Math.min(...[...moves, ...(edit ? [edit] : [])].map((one) => one.position));
  if (position !== first) return [];
  return moves.length > 0 ? movedEvents(moves, edit ?? null, facts) : editedEvents(edit, facts);
}

function editedEvents(edit: Recorded<ContentEdited> | undefined, facts: ChangeFacts): ClientEvent[] {
  // Users whom the new text mentions are not added: an edit gives the message to nobody.
  const audience = edit && audienceOf(edit, facts);
  if (!audience) return [];
  const { messageId } = edit.data;
  const keepsHistory = (facts.kept.get(edit.position)?.after ?? null) !== null;
  const payload: ChangedPayload = { messageId, edited: edit.position, moved: null, keepsHistory };
  return [{ type: 'update_message', audience, payload: { ...payload } }];
}

const isEdit = (event: Recorded): event is Recorded<ContentEdited> => event.type === ContentEdited.type;

/** The recipients of a new message: subscribers, its sender and mentioned users, or the users of its conversation. */
function receiversOf(place: Place, people: readonly UserId[]): Audience[] {
  if ('userIds' in place) return [{ kind: 'users', users: place.userIds }];
  return [membersOf(place.channelId), { kind: 'users', users: people }];
}

/** New messages are also for queues that receive all public channels. */
const listenersTo = (place: Place): Audience[] =>
  'channelId' in place ? [{ kind: 'all-public', channel: place.channelId }] : [];
