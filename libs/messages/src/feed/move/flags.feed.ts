import { Unsubscribed, readChannelsAt } from '@annals/channels';
import type { FeedReader, PlacedClientEvent } from '@annals/kernel';
import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ChannelId, ClientEvent } from '@annals/kernel/domain';
import { MessagesMoved, TopicMoved } from '../../domain/events';
import { readUnreadAtUnsubscribe } from '../../read/history/unread-at-unsubscribe';
import type { UnreadLists } from '../../read/history/unread-before';
import { readUnreadBeforeMoves } from '../../read/history/unread-before-move';
import { intersection, membersOf } from '../audiences';
import type { MoveEvent } from './moves';
import { isMove, wayOf } from './moves';

/**
 * Payload of `update_message_flags` events: the channel that users left, or that the event at this position moved messages. The
 * messages are read when the event is delivered.
 */
type ReadPayload = { readonly leftChannel: ChannelId } | { readonly moved: true };

/** Whether the channel to which messages were moved has protected history. */
type KeepsHistory = (move: MoveEvent) => boolean;

/** Messages become read when users leave their channel, or when they are moved to a channel without the user (contract/subscriptions.md section 3). */
export const flagsFeed = defineFeed({
  name: 'message-flags',
  facts: async (reader: FeedReader, events): Promise<KeepsHistory> => {
    const moves = events.filter(isMove).filter(changesChannel);
    const [first] = moves;
    if (!first) return () => false;
    const targets = [...new Set(moves.map((move) => wayOf(move).to.channelId))];
    const { at } = await readChannelsAt(reader, targets, first.position);
    return (move) => at(wayOf(move).to.channelId, move.position)?.historyPublicToSubscribers === false;
  },
  translations: [
    translate(Unsubscribed, ({ data: { channelId, userIds } }) => [
      flagsEvent({ leftChannel: channelId }, { kind: 'users', users: userIds }),
    ]),
    translate(TopicMoved, translateMove),
    translate(MessagesMoved, translateMove),
  ],
});

const changesChannel = (move: MoveEvent): boolean => wayOf(move).from.channelId !== wayOf(move).to.channelId;

/**
 * Only subscribers can have messages of a channel as unread. Users who cannot read the messages in the new place lose them, which
 * another event reports.
 */
function translateMove(move: MoveEvent, keepsHistory: KeepsHistory): ClientEvent[] {
  if (!changesChannel(move) || keepsHistory(move)) return [];
  const { from, to } = wayOf(move);
  const behind = { kind: 'but', these: membersOf(from.channelId), not: membersOf(to.channelId) } as const;
  return [flagsEvent({ moved: true }, intersection(behind, { kind: 'content', channel: to.channelId }))];
}

const flagsEvent = (payload: ReadPayload, audience: ClientEvent['audience']): ClientEvent => ({
  type: 'update_message_flags',
  audience,
  payload: { ...payload },
});

/** contract/messages.md section 9 and realtime.md section 6.1, `update_message_flags` */
export const flagsPresenter = definePresenter<ReadonlyMap<PlacedClientEvent, UnreadLists>>({
  type: 'update_message_flags',
  load: async (reader, events, listeners) => {
    const moved = await readUnreadBeforeMoves(reader, await readMoves(reader, events), listeners);
    const lists = new Map<PlacedClientEvent, UnreadLists>();
    for (const event of events) lists.set(event, moved.get(event.position) ?? (await readLeft(reader, event)));
    return lists;
  },
  present: (event, lists, { userId }) => {
    const messages = lists.get(event)?.of(userId) ?? [];
    if (messages.length === 0) return [];
    return [{ type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages, all: false }];
  },
  variant: (event, lists, { userId }) => lists.get(event)?.variantKey(userId) ?? '',
});

const payloadOf = ({ payload }: PlacedClientEvent) => payload as unknown as ReadPayload;

async function readMoves(reader: FeedReader, events: readonly PlacedClientEvent[]): Promise<readonly MoveEvent[]> {
  const moved = events.filter((event) => 'moved' in payloadOf(event));
  return moved.length === 0 ? [] : (await reader.at(moved.map(({ position }) => position))).filter(isMove);
}

async function readLeft({ client, realmId }: FeedReader, event: PlacedClientEvent): Promise<UnreadLists> {
  const payload = payloadOf(event);
  if (!('leftChannel' in payload)) throw new Error(`nothing was moved at position ${event.position}`);
  const users = event.audience.kind === 'users' ? event.audience.users : [];
  const leaving = { channelId: payload.leftChannel, users, position: event.position };
  return readUnreadAtUnsubscribe(client, realmId, leaving);
}
