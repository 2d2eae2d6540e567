import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { Audience, ClientEvent, MessageId, Recorded, UserId } from '@annals/kernel/domain';
import type { Place } from '../domain/events';
import { ContentEdited, MessageSent, MessagesMoved, TopicMoved, messageIdAt } from '../domain/events';
import { readMoved } from '../read/moved-messages';
import { readPlaces } from '../read/places';
import { reactingOutsiders } from '../read/reactions';
import { membersOf, stillReading } from './audiences';
import { readKeptHistory } from './kept-history';
import { keptOf } from './kept-payload';
import type { ChangeFacts, MoveEvent } from './moves';
import { movedEvents } from './moves';

/** What `message` events carry until they are delivered. */
export interface SentPayload {
  readonly messageId: MessageId;
}

type Change = Recorded<ContentEdited> | MoveEvent;

/** Messages as clients see them come and change (contract/messages.md sections 3.2 and 5.6). */
export const messagesFeed = defineFeed({
  name: 'messages',
  facts: async (reader: FeedReader, events): Promise<ChangeFacts> => {
    const { client, realmId } = reader;
    const edits = events.filter(isEdit);
    const moves = events.filter(isMove);
    const moved = await readMoved(reader, moves);
    const places = await readPlaces(
      client,
      realmId,
      edits.map(({ data }) => data.messageId),
    );
    const inChannels = edits.flatMap(({ data: { messageId }, position }) => {
      const place = places.at(messageId, position)?.place;
      return place && 'channelId' in place ? [{ position, messageId, channelId: place.channelId }] : [];
    });
    return {
      places,
      outsiders: await reactingOutsiders(client, realmId, inChannels),
      moved,
      kept: await readKeptHistory(reader, edits, moves, moved, places),
    };
  },
  translations: [
    translate(MessageSent, ({ data, position }): ClientEvent[] => {
      const payload: SentPayload = { messageId: messageIdAt(position) };
      const of = [...receiversOf(data.place, [data.senderId, ...data.mentions.userIds]), ...listenersTo(data.place)];
      return [{ type: 'message', audience: { kind: 'any', of }, payload: { ...payload } }];
    }),
    translate(ContentEdited, translateChange),
    translate(TopicMoved, translateChange),
    translate(MessagesMoved, translateChange),
  ],
});

/** What one request changed is told once, with the first of its facts. */
function translateChange({ position }: Change, facts: ChangeFacts, append: readonly Recorded[]): ClientEvent[] {
  const edit = append.find(isEdit);
  const moves = append.filter(isMove);
  const first = Math.min(...[...moves, ...(edit ? [edit] : [])].map((one) => one.position));
  if (position !== first) return [];
  return moves.length > 0 ? movedEvents(moves, edit ?? null, facts) : editedEvents(edit, facts);
}

function editedEvents(edit: Recorded<ContentEdited> | undefined, facts: ChangeFacts): ClientEvent[] {
  const { places, outsiders, kept } = facts;
  const at = edit && places.at(edit.data.messageId, edit.position);
  if (!at) return [];
  const people = [at.senderId, ...at.called, ...(outsiders.get(edit.position) ?? [])];
  const { messageId } = edit.data;
  const payload = { messageId, edited: edit.position, moved: null, ...keptOf(messageId, kept.get(edit.position)) };
  // Whom the new text calls is not among them: an edit does not bring a message to anybody.
  const of = receiversOf(at.place, people).map((those) => stillReading(those, at.place));
  return [{ type: 'update_message', audience: { kind: 'any', of }, payload }];
}

const isEdit = (event: Recorded): event is Recorded<ContentEdited> => event.type === ContentEdited.type;
const isMove = (event: Recorded): event is MoveEvent =>
  event.type === TopicMoved.type || event.type === MessagesMoved.type;

/** Whom a message concerns: subscribers, its sender and those it called, or the people in its conversation. */
export function receiversOf(place: Place, people: readonly UserId[]): Audience[] {
  if ('userIds' in place) return [{ kind: 'users', users: place.userIds }];
  return [membersOf(place.channelId), { kind: 'users', users: people }];
}

/** New messages are also for those who listen to all public channels. */
const listenersTo = (place: Place): Audience[] =>
  'channelId' in place ? [{ kind: 'all-public', channel: place.channelId }] : [];
