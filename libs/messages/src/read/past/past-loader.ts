import { readFileImages } from '@annals/files';
import type { ChannelId, MessageId, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { LINKIFIERS, linkifierSetAt } from '@annals/realm';
import { readUserAccessHistory } from '../history/user-access-history';
import type { PlaceHistory } from '../history/place-history';
import { readPlaceHistory } from '../history/place-history';
import { readVisibleHistory } from '../history/visible-history';
import type { MessageChange } from '../content/changes';
import { sendersOf } from '../content/inaccessible-users';
import type { LoadedMessages, MessageRow } from '../content/message-row';
import { readChanges, textsOf } from '../content/read-changes';
import { Renderings } from '../content/rendering';
import { filesOf } from '../content/shown-images';
import { readReactionsAt } from '../reactions/reactions';
import { readSubmessages } from '../widgets/submessages';
import { flagsOfAll } from '../unread/message-flags-query';
import type { PastMessage } from './past-messages';
import { readPastRealm } from './past-realm';
import type { PastReading } from './past-reading';
import type { PastText } from './past-texts';
import { readPastTexts } from './past-texts';

/** Messages as an account saw them at a moment. */
export interface SeenInPast {
  readonly ids: readonly MessageId[];
  /** Without people, who are read apart (`PastQuestions.withPeople`). */
  readonly loaded: LoadedMessages;
  /** Senders whom the account could not see. */
  readonly hidden: ReadonlySet<UserId>;
  readonly flags: ReadonlyMap<MessageId, readonly string[]>;
  /** Messages whose text was erased since. */
  readonly erased: ReadonlySet<MessageId>;
}

/**
 * Loads messages as they were: text, place, names, reactions, widgets and changes up to the moment. Flags are those that follow from the
 * message: what the account marked as read or starred is not kept with its time.
 *
 * @param messages ascending
 */
export async function loadPast(reading: PastReading, messages: readonly PastMessage[]): Promise<SeenInPast> {
  const { reader, position } = reading;
  const { client, realmId } = reader;
  const ids = messages.map(({ id }) => id);
  const texts = await readPastTexts(reader, ids, position);
  await reading.knowTopics(messages.flatMap(({ topicId }) => topicId ?? []));
  const history = await readPlacesUpTo(reading, messages);
  const rows = messages.flatMap((message) => {
    const text = texts.get(message.id);
    return text ? rowOf(reading, message, text, history) : [];
  });
  const { policy, imagePreviews, subdomain } = await readPastRealm(reading);
  const changed = await readChanges(client, realmId, rows, history, policy, position);
  const images = await readFileImages(client, realmId, filesOf(textsOf(rows, changed.changes)));
  const all: LoadedMessages = {
    realmId,
    subdomain,
    rendered: new Renderings(realmId, imagePreviews, images),
    linkifiers: linkifierSetAt(await reader.stream(LINKIFIERS), position),
    rows: new Map(rows.map((row) => [row.id, row])),
    users: new Map(),
    ...changed,
    reactions: await readReactionsAt(client, realmId, ids, position),
    submessages: await readSubmessages(client, realmId, rows, position),
  };
  const loaded = await withoutUnseenChanges(reading, all);
  const hidden = await inaccessibleThen(reading, sendersOf(all));
  return { ids, loaded, hidden, flags: await flagsIn(reading, messages, loaded), erased: erasedAmong(texts) };
}

const erasedAmong = (texts: ReadonlyMap<MessageId, PastText>): ReadonlySet<MessageId> =>
  new Set([...texts].flatMap(([id, { text }]) => (text.content === null ? id : [])));

/** Reads the places of messages up to the moment. */
export async function readPlacesUpTo(
  { reader: { client, realmId }, position }: PastReading,
  messages: readonly Pick<PastMessage, 'id' | 'lastTopicId'>[],
): Promise<PlaceHistory> {
  const inChannels = messages.flatMap(({ id, lastTopicId: topicId }) => (topicId === null ? [] : { id, topicId }));
  const history = await readPlaceHistory(client, realmId, inChannels);
  return {
    at: (message, at) => history.at(message, at),
    moves: (message) => history.moves(message).filter((move) => move.position <= position),
  };
}

/** An erased text is empty. */
function rowOf(reading: PastReading, message: PastMessage, written: PastText, history: PlaceHistory): MessageRow {
  const { sent, channelId, topicId } = message;
  const { text, facts, at } = written;
  const channel = channelId === null ? undefined : reading.channel(channelId).then;
  return {
    ...message,
    channelName: channel?.name ?? null,
    topic: topicId === null ? null : (reading.topic(topicId)?.topic ?? null),
    mentionedWhenSent: sent.mentions.userIds,
    text: text.content === null ? { ...text, content: '', names: null } : text,
    mentions: facts.mentions,
    isMe: facts.isMe,
    widget: text.content === null ? null : (sent.widget ?? null),
    echo: undefined,
    readBy: null,
    unreadFor: null,
    editedAt: text.position === (message.id as number) ? null : at,
    wasMoved: history.moves(message.id).length > 0,
    topicArrived: 0,
    mutedBy: new Set(),
    isHistoryProtected: channel?.historyPublicToSubscribers === false,
  };
}

/** Senders whom a restricted guest could not see then. */
async function inaccessibleThen(
  { reader, position, then: { userId, role } }: PastReading,
  senders: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (role !== Role.guest) return new Set();
  const asked = { viewers: [userId], people: senders, from: position, to: position };
  const access = await readUserAccessHistory(reader, asked);
  return new Set(senders.filter((sender) => !access.canAccess(userId, sender, position)));
}

/** The messages without the changes that the account could not see when they happened, or may not see today (decision 39). */
async function withoutUnseenChanges(reading: PastReading, loaded: LoadedMessages): Promise<LoadedMessages> {
  const rows = [...loaded.changes.keys()].flatMap((id) => loaded.rows.get(id) ?? []);
  if (rows.length === 0) return loaded;
  const { reader, position, then } = reading;
  const past = await readVisibleHistory(reader, then, rows, position);
  const today = reading.today && (await readVisibleHistory(reader, reading.today, rows.map(maybeMoved)));
  const changes = new Map<MessageId, readonly MessageChange[]>();
  for (const [id, all] of loaded.changes) {
    const seen = all.filter((change) => past.shows(id, change) && (today?.shows(id, change) ?? true));
    if (seen.length > 0) changes.set(id, seen);
  }
  return { ...loaded, changes };
}

/** A message of which nothing is known today: it may have moved, or its channel may have protected history. */
export const maybeMoved = <Row extends Pick<MessageRow, 'id'>>(row: Row) => ({
  ...row,
  wasMoved: true,
  isHistoryProtected: true,
});

/** Flags that follow from the message and its text. */
function flagsIn(
  reading: PastReading,
  messages: readonly PastMessage[],
  { rows }: LoadedMessages,
): Promise<ReadonlyMap<MessageId, readonly string[]>> {
  const elsewhere = (channelId: ChannelId | null) =>
    channelId === null || reading.isProtected(channelId) ? ('granted' as const) : ('shared-history' as const);
  const states = messages.map(({ id, isReceived, channelId }) => {
    const basis = isReceived ? ('received' as const) : elsewhere(channelId);
    return { id, basis, isRead: false, isStarred: false, isCollapsed: false };
  });
  const { client, realmId } = reading.reader;
  return flagsOfAll(client, { ...reading.then, realmId }, rows, states);
}
