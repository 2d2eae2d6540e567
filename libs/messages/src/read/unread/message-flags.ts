import type { GroupId, UserId } from '@annals/kernel/domain';
import type { MessageContentFacts } from '../../domain/events';

/**
 * Why a user can see a message: they received it when it was sent; it was moved to a channel with protected history while
 * they were subscribed; or the channel shares its history.
 */
export type AccessBasis = 'received' | 'granted' | 'shared-history';

/** The user whose flags are computed. */
export interface FlagsViewer {
  readonly userId: UserId;
  readonly basis: AccessBasis;
  readonly isRead: boolean;
  readonly isStarred: boolean;
  readonly isCollapsed: boolean;
  /** Whether the user was in a mentioned group when the text was written. */
  isIn(group: GroupId): boolean;
}

/** The facts for the flags of a message. */
export interface FlaggedMessage {
  readonly mentions: MessageContentFacts['mentions'];
}

/**
 * Flags of a message for one account (contract/messages.md section 8). A message from before a subscription is historical
 * (section 4.1). Only messages that a user received mention them.
 */
export function flagsOf(message: FlaggedMessage, by: FlagsViewer): string[] {
  const isReceived = by.basis === 'received';
  const { userIds, groupIds, channelWildcard, participantIds, alertedIds } = message.mentions;
  const topic = participantIds?.includes(by.userId) ?? false;
  const flags: string[] = [];
  const add = (flag: string, isSet: boolean) => void (isSet && flags.push(flag));
  add('read', by.isRead);
  add('starred', by.isStarred);
  add('collapsed', by.isCollapsed);
  if (isReceived) {
    add('mentioned', userIds.includes(by.userId) || groupIds.some((group) => by.isIn(group)));
    add('stream_wildcard_mentioned', channelWildcard);
    add('topic_wildcard_mentioned', topic);
    add('wildcard_mentioned', channelWildcard || topic);
    add('has_alert_word', alertedIds?.includes(by.userId) ?? false);
  }
  add('historical', by.basis === 'shared-history');
  return flags;
}
