import { readChannels } from '@annals/channels';
import type { FeedReader, PositionedClientEvent, QueueProfile } from '@annals/kernel';
import type { MessageId, Position, UserId } from '@annals/kernel/domain';
import type { GroupMembership } from '@annals/groups';
import { readMembership } from '@annals/groups';
import type { LoadedMessages, MessageRow } from '../../read/content/message-row';
import { loadMessages } from '../../read/content/load-messages';
import { readTextAt } from '../../read/content/texts';
import type { ProtectedHistoryAccess } from '../../read/history/protected-history-access';
import { readProtectedHistoryAccess } from '../../read/history/protected-history-access';
import { readTopicHistory } from '../../read/history/topic-history';
import type { FlagFacts } from './flags-at-event';
import { flagsAfter, readFlagFacts } from './flags-at-event';
import type { RestoredPayload, SentPayload } from './messages.feed';

/** Restored messages, by the position of the restoration: as they were right after it. */
export interface RestoredMessages {
  readonly messages: LoadedMessages;
  readonly rows: ReadonlyMap<Position, MessageRow>;
  readonly flagFacts: FlagFacts;
  readonly hadAccess: ProtectedHistoryAccess;
  readonly isIn: GroupMembership;
}

/** Undefined for a message that was sent. */
export const restoredPayload = ({ payload }: PositionedClientEvent): RestoredPayload | undefined =>
  (payload as unknown as SentPayload).restored;

const idOf = ({ payload }: PositionedClientEvent): MessageId => (payload as unknown as SentPayload).messageId;

/** @param events of restored messages, at least one */
export async function readRestoredMessages(
  reader: FeedReader,
  events: readonly PositionedClientEvent[],
  listeners: readonly UserId[],
): Promise<RestoredMessages> {
  const { client, realmId } = reader;
  const ids = [...new Set(events.map(idOf))];
  const messages = await loadMessages(client, realmId, ids, 'now');
  const senders = [...messages.rows.values()].map(({ senderId }) => senderId);
  const rows = await rowsAfter(reader, events, messages);
  const groups = [...rows.values()].flatMap(({ mentions }) => mentions.groupIds);
  const positioned = events.flatMap((event) => {
    const { channelId, arrived } = restoredPayload(event) ?? {};
    return channelId && arrived ? [{ messageIds: [idOf(event)], channelId, arrived: [arrived] }] : [];
  });
  return {
    // Later changes have events of their own.
    messages: { ...messages, changes: new Map(), movedAt: new Map() },
    rows,
    flagFacts: await readFlagFacts(reader, ids, senders, listeners),
    hadAccess: await readProtectedHistoryAccess(reader, positioned, listeners),
    isIn: await readMembership(reader, groups, null),
  };
}

/** The messages with their place and text right after each restoration. Those that were deleted again are left out. */
async function rowsAfter(
  { client, realmId }: FeedReader,
  events: readonly PositionedClientEvent[],
  messages: LoadedMessages,
): Promise<ReadonlyMap<Position, MessageRow>> {
  const payloads = events.flatMap((event) => restoredPayload(event) ?? []);
  const topicAt = await readTopicHistory(
    client,
    realmId,
    payloads.flatMap(({ topicId }) => topicId ?? []),
  );
  const channels = await readChannels(
    client,
    realmId,
    payloads.flatMap(({ channelId }) => channelId ?? []),
  );
  const rows = new Map<Position, MessageRow>();
  for (const event of events) {
    const [row, restored] = [messages.rows.get(idOf(event)), restoredPayload(event)];
    if (!row || !restored) continue;
    const { contentPosition, editedAt, channelId, topicId } = restored;
    const isEdited = row.text.position !== contentPosition;
    const text = isEdited ? await readTextAt(client, realmId, row.id, contentPosition) : row.text;
    rows.set(event.position, {
      ...row,
      text: text ?? row.text,
      // The draft is long gone.
      echo: undefined,
      editedAt,
      channelId,
      topicId,
      topic: topicId === null ? null : (topicAt(topicId, event.position)?.topic ?? row.topic),
      channelName: channelId === null ? null : (channels.get(channelId)?.name ?? row.channelName),
    });
  }
  return rows;
}

/** A restored message alone, with the changes of its widget up to the event. Later ones have events of their own. */
export function restoredAlone(
  { position }: PositionedClientEvent,
  row: MessageRow,
  loaded: LoadedMessages,
): LoadedMessages {
  const then = loaded.submessages.get(row.id)?.filter(({ id }) => id <= position);
  return { ...loaded, rows: new Map([[row.id, row]]), submessages: new Map(then ? [[row.id, then]] : []) };
}

/** Whether the owner of a queue can read the message. Queues that receive all public channels can. */
export function canReadRestored(event: PositionedClientEvent, { hadAccess }: RestoredMessages, user: UserId): boolean {
  const { channelId, arrived } = restoredPayload(event) ?? {};
  return !channelId || !arrived || hadAccess(user, { id: idOf(event), channelId, arrived });
}

/** Flags of a restored message: those that it had when it was deleted. */
export function flagsOfRestored(
  event: PositionedClientEvent,
  row: MessageRow,
  { flagFacts, isIn }: RestoredMessages,
  { userId, isThroughAllPublic }: QueueProfile,
): string[] {
  if (isThroughAllPublic) return [];
  return flagsAfter(row, flagFacts, userId, {
    position: event.position,
    upTo: event.position,
    text: { mentions: row.mentions, position: row.text.position, at: row.editedAt ?? row.sentAt },
    keepsHistory: restoredPayload(event)?.arrived !== null,
    isIn,
  }).flags;
}
