import type { GroupId, UserId } from '@annals/kernel/domain';
import type { ContentFacts } from '../../domain/events';

/**
 * Why a user can see a message: they received it when it was sent; it was moved to a channel with protected history while
 * they were subscribed; or the channel shares its history.
 */
export type AccessBasis = 'received' | 'granted' | 'shared-history';

/** The user whose flags are computed. */
export interface FlagsViewer {
  readonly userId: UserId;
  readonly basis: AccessBasis;
  /** Whether the message is read because the user left its channel, or was not subscribed when it arrived there. */
  readonly isImplicitlyRead: boolean;
  /** Whether the user was in a mentioned group when the text was written. */
  isIn(group: GroupId): boolean;
}

/** What the flags of a message depend on. */
export interface FlaggedMessage {
  /** The user who had read it when it was sent. */
  readonly readBy: UserId | null;
  readonly mentions: ContentFacts['mentions'];
}

/** Flags of history from before a subscription (contract/messages.md section 4.1). */
const HISTORICAL = ['read', 'historical'];

/** Messages that are moved to a user are read (contract/messages.md section 5.3). */
const GRANTED = ['read'];

/** Flags of a message for one account (contract/messages.md section 8). */
export function flagsOf(message: FlaggedMessage, by: FlagsViewer): string[] {
  if (by.basis !== 'received') return by.basis === 'granted' ? GRANTED : HISTORICAL;
  const { userIds, groupIds, channelWildcard, participantIds } = message.mentions;
  const topic = participantIds?.includes(by.userId) ?? false;
  const flags: [string, boolean][] = [
    ['read', by.isImplicitlyRead || message.readBy === by.userId],
    ['mentioned', userIds.includes(by.userId) || groupIds.some((group) => by.isIn(group))],
    ['stream_wildcard_mentioned', channelWildcard],
    ['topic_wildcard_mentioned', topic],
    ['wildcard_mentioned', channelWildcard || topic],
  ];
  return flags.filter(([, isSet]) => isSet).map(([flag]) => flag);
}
