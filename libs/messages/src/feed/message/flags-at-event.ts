import type { GroupMembership } from '@annals/groups';
import type { FeedReader } from '@annals/kernel';
import type { Instant, MessageId, Position, UserId } from '@annals/kernel/domain';
import type { HadMuted } from '@annals/users';
import { readHadMuted } from '@annals/users';
import type { MessageContentFacts } from '../../domain/events';
import type { MessageRow } from '../../read/content/message-row';
import type { ReadStates } from '../../read/flags/read-states';
import { readReadStates } from '../../read/flags/read-states';
import type { Places } from '../../read/history/places';
import { readPlaces } from '../../read/history/places';
import type { Timeline } from '../../read/history/timeline/timeline';
import { readTimeline } from '../../read/history/timeline/timeline';
import { wasReadOnArrival } from '../../read/placement/read-on-arrival';
import type { FirstReactions } from '../../read/reactions/first-reactions';
import { readFirstReactions } from '../../read/reactions/first-reactions';
import type { AccessBasis } from '../../read/unread/message-flags';
import { flagsOf } from '../../read/unread/message-flags';

/** The facts for flags of messages that exist, for the listeners of their events. */
export interface FlagFacts {
  readonly places: Places;
  readonly timeline: Timeline;
  readonly hadMuted: HadMuted;
  readonly readStates: ReadStates;
  readonly firstReactions: FirstReactions;
}

export async function readFlagFacts(
  { client, realmId }: FeedReader,
  ids: readonly MessageId[],
  senders: readonly UserId[],
  listeners: readonly UserId[],
): Promise<FlagFacts> {
  return {
    places: await readPlaces(client, realmId, ids),
    timeline: await readTimeline(client, realmId, ids, listeners),
    hadMuted: await readHadMuted(client, realmId, senders),
    readStates: await readReadStates(client, realmId, ids, listeners),
    firstReactions: await readFirstReactions(client, realmId, ids, listeners),
  };
}

/** The event after which flags are asked for. */
export interface FlagsMoment {
  readonly position: Position;
  /** Position of the last event of the same request. */
  readonly upTo: number;
  /** The text right after it. */
  readonly text: {
    readonly mentions: MessageContentFacts['mentions'];
    readonly position: Position;
    readonly at: Instant;
  };
  /** The channel has protected history. */
  readonly keepsHistory: boolean;
  readonly isIn: GroupMembership;
}

/**
 * Flags of a message right after an event, and whether the user has a copy of it. Marks count as they are now: each later
 * mark has an event of its own, which follows.
 */
export function flagsAfter(
  row: MessageRow,
  facts: FlagFacts,
  userId: UserId,
  { position, upTo, text, keepsHistory, isIn }: FlagsMoment,
): { readonly hasCopy: boolean; readonly flags: string[] } {
  const { id: messageId } = row;
  const basis = basisOf(row, facts, userId);
  const state = facts.readStates(userId);
  const acted = Math.min(facts.firstReactions(messageId, userId) ?? Infinity, state.since(messageId) ?? Infinity);
  const hasCopy = basis !== 'none' || acted <= position;
  const notReceived: AccessBasis = keepsHistory ? 'granted' : 'shared-history';
  const isReceivedUnread =
    basis === 'subscribed' && !wasReadOnArrival(row, userId) && !facts.hadMuted(userId, row.senderId, messageId);
  const unreadSince = state.markedUnreadAt(messageId) ?? (isReceivedUnread ? messageId : undefined);
  const readAt =
    unreadSince === undefined ? 0 : (facts.timeline.implicitlyReadAt(messageId, userId, unreadSince) ?? Infinity);
  const flags = flagsOf(
    { ...row, mentions: text.mentions },
    {
      userId,
      basis: basis === 'none' ? notReceived : 'received',
      isRead: state.isMarkedRead(messageId) || readAt <= upTo,
      isStarred: state.isStarred(messageId),
      isCollapsed: state.isCollapsed(messageId),
      isIn: (group) => isIn(group, userId, text),
    },
  );
  return { hasCopy, flags };
}

/**
 * Why a user received a message when it was sent: as a subscriber or a participant, or only because it mentioned them.
 */
function basisOf({ id, channelId }: MessageRow, { timeline, places }: FlagFacts, userId: UserId) {
  if (channelId === null || timeline.receivedBy(id, userId)) return 'subscribed';
  const sent = places.now(id);
  return sent?.senderId === userId || sent?.mentioned.includes(userId) ? 'named' : 'none';
}
