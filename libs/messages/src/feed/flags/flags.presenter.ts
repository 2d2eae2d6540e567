import type { FeedReader, PositionedClientEvent } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { Position, Recorded, UserId } from '@annals/kernel/domain';
import { decodeIds } from '../../domain/flags/encoded-ids';
import { FlagsChanged } from '../../domain/flags/flag-events';
import { shownTopic } from '../../read/content/present-message';
import { readUnreadAtUnsubscribe } from '../../read/history/unread-at-unsubscribe';
import type { UnreadLists } from '../../read/history/unread-before';
import { readUnreadBeforeMoves } from '../../read/history/unread-before-move';
import type { UnreadDetails } from '../../read/unread/unread-details';
import { readUnreadDetails } from '../../read/unread/unread-details';
import type { MoveEvent } from '../../domain/move/move-event';
import { isMove } from '../../domain/move/move-event';
import type { FlagsPayload } from './flags.feed';

interface Loaded {
  /** Unread messages of users before a move or an unsubscription. */
  readonly lists: ReadonlyMap<PositionedClientEvent, UnreadLists>;
  /** By position, the changes that users made themselves. */
  readonly changes: ReadonlyMap<Position, OwnChange>;
}

/** A change of flags by a user. */
interface OwnChange {
  readonly event: Recorded<FlagsChanged>;
  readonly messages: readonly number[];
  /** Of messages that became unread. */
  readonly details: readonly UnreadDetails[];
}

/** contract/messages.md section 8 and realtime.md section 6.1, `update_message_flags` */
export const flagsPresenter = definePresenter<Loaded>({
  type: 'update_message_flags',
  load: async (reader, events, listeners) => {
    const moved = await readUnreadBeforeMoves(reader, await readMoves(reader, events), listeners);
    const lists = new Map<PositionedClientEvent, UnreadLists>();
    for (const event of events) {
      const payload = payloadOf(event);
      const list = 'leftChannel' in payload ? await readLeft(reader, event, payload) : moved.get(event.position);
      if (list) lists.set(event, list);
    }
    return { lists, changes: await readChanges(reader, events) };
  },
  present: (event, { lists, changes }, { userId, capabilities }) => {
    if ('all' in payloadOf(event)) return [added('read', [], true)];
    const change = changes.get(event.position);
    if (change && 'changed' in payloadOf(event)) return presentChange(change, userId, capabilities.empty_topic_name);
    const messages = lists.get(event)?.of(userId) ?? [];
    return messages.length === 0 ? [] : [added('read', messages)];
  },
  variant: (event, { lists }, { userId, capabilities }) =>
    lists.get(event)?.variantKey(userId) ?? String(capabilities.empty_topic_name),
});

const payloadOf = ({ payload }: PositionedClientEvent) => payload as unknown as FlagsPayload;

const added = (flag: string, messages: readonly number[], all = false) => ({
  ...{ type: 'update_message_flags', op: 'add', operation: 'add', flag, messages, all },
});

function presentChange({ event, messages, details }: OwnChange, userId: UserId, allowEmpty: boolean) {
  const { flag, op } = event.data;
  if (op === 'add') return [added(flag, messages)];
  const removed = { type: 'update_message_flags', op, operation: op, flag, all: false };
  if (flag !== 'read') return [{ ...removed, messages }];
  if (details.length === 0) return [];
  const entries = details.map((one) => [one.id, presentDetails(one, userId, allowEmpty)] as const);
  return [{ ...removed, messages: details.map(({ id }) => id), message_details: Object.fromEntries(entries) }];
}

function presentDetails(
  { channelId, topic, userIds, isMuted, isMentioned }: UnreadDetails,
  userId: UserId,
  allowEmpty: boolean,
) {
  const mentioned = isMentioned && { mentioned: true };
  if (channelId === null) return { type: 'private', ...mentioned, user_ids: userIds.filter((id) => id !== userId) };
  const place = { stream_id: channelId, topic: shownTopic(topic ?? '', allowEmpty) };
  return { type: 'stream', ...mentioned, ...place, unmuted_stream_msg: !isMuted };
}

/** Reads the changes of flags from the log, and the details of messages that became unread as they are now. */
async function readChanges(
  reader: FeedReader,
  events: readonly PositionedClientEvent[],
): Promise<ReadonlyMap<Position, OwnChange>> {
  const positions = events.flatMap((event) => ('changed' in payloadOf(event) ? [event.position] : []));
  if (positions.length === 0) return new Map();
  const changed = (await reader.at(positions)).filter(isFlagChange).map((event) => {
    return { event, messages: decodeIds(event.data.ids) };
  });
  const unread = changed.filter(({ event: { data } }) => data.flag === 'read' && data.op === 'remove');
  const details = await readUnreadDetails(
    reader,
    unread.map(({ event, messages }) => ({ userId: event.data.userId, ids: messages })),
  );
  return new Map(
    changed.map(({ event, messages }) => {
      const own = details.get(event.data.userId);
      return [event.position, { event, messages, details: messages.flatMap((id) => own?.get(id) ?? []) }];
    }),
  );
}

const isFlagChange = (event: Recorded): event is Recorded<FlagsChanged> => event.type === FlagsChanged.type;

async function readMoves(reader: FeedReader, events: readonly PositionedClientEvent[]): Promise<readonly MoveEvent[]> {
  const moved = events.filter((event) => 'moved' in payloadOf(event));
  return moved.length === 0 ? [] : (await reader.at(moved.map(({ position }) => position))).filter(isMove);
}

function readLeft(
  { client, realmId }: FeedReader,
  { audience, position }: PositionedClientEvent,
  { leftChannel: channelId }: Extract<FlagsPayload, { leftChannel: unknown }>,
): Promise<UnreadLists> {
  const users = audience.kind === 'users' ? audience.users : [];
  return readUnreadAtUnsubscribe(client, realmId, { channelId, users, position });
}
