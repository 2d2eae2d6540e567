import { Unsubscribed, readChannelsAt } from '@annals/channels';
import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { ChannelId, ClientEvent } from '@annals/kernel/domain';
import { MessagesMoved, TopicMoved } from '../../domain/events';
import { AllMarkedRead, FlagsChanged } from '../../domain/flags/flag-events';
import { intersection, membersOf } from '../audiences';
import type { MoveEvent } from '../../domain/move/move-event';
import { isMove } from '../../domain/move/move-event';
import { wayOf } from '../move/moves';

/**
 * Payload of `update_message_flags` events: the channel that users left, or what the event at this position did: it moved
 * messages, it changed the flags of some for one user, or it marked all as read. The messages are read when the event is
 * delivered.
 */
export type FlagsPayload =
  { readonly leftChannel: ChannelId } | { readonly moved: true } | { readonly changed: true } | { readonly all: true };

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

/** Users change flags of messages (contract/messages.md section 8). */
export const ownFlagsFeed = defineFeed({
  name: 'own-flags',
  translations: [
    translate(FlagsChanged, ({ data: { userId } }) => [
      flagsEvent({ changed: true }, { kind: 'users', users: [userId] }),
    ]),
    translate(AllMarkedRead, ({ data: { userId } }) => [flagsEvent({ all: true }, { kind: 'users', users: [userId] })]),
  ],
});

const flagsEvent = (payload: FlagsPayload, audience: ClientEvent['audience']): ClientEvent => ({
  type: 'update_message_flags',
  audience,
  payload: { ...payload },
});
