import type { GroupId, UserId } from '@annals/kernel/domain';
import type { ContentFacts } from '../../domain/events';

/**
 * How somebody has a message: it reached them when it came; it was brought to where they were, in a channel that shows
 * people only what came to them; or it is history to them.
 */
export type Having = 'received' | 'gained' | 'history';

/** Who looks at a message. */
export interface Onlooker {
  readonly userId: UserId;
  readonly having: Having;
  /** Whether they left the channel after it came, or were not in it when it did, which makes it read. */
  readonly hasParted: boolean;
  /** Whether they were in a group when the text was written that calls it. */
  isIn(group: GroupId): boolean;
}

/** What the flags of a message depend on. */
export interface FlaggedMessage {
  /** Who had read it when it was sent. */
  readonly readBy: UserId | null;
  readonly mentions: ContentFacts['mentions'];
}

/** What history from before one's subscription is marked with (contract/messages.md section 4.1). */
const HISTORICAL = ['read', 'historical'];

/** What is brought to people is read (contract/messages.md section 5.3). */
const GAINED = ['read'];

/** Flags of a message for one account (contract/messages.md section 8). */
export function flagsOf(message: FlaggedMessage, by: Onlooker): string[] {
  if (by.having !== 'received') return by.having === 'gained' ? GAINED : HISTORICAL;
  const { userIds, groupIds, channelWildcard, participantIds } = message.mentions;
  const topic = participantIds?.includes(by.userId) ?? false;
  const flags: [string, boolean][] = [
    ['read', by.hasParted || message.readBy === by.userId],
    ['mentioned', userIds.includes(by.userId) || groupIds.some((group) => by.isIn(group))],
    ['stream_wildcard_mentioned', channelWildcard],
    ['topic_wildcard_mentioned', topic],
    ['wildcard_mentioned', channelWildcard || topic],
  ];
  return flags.filter(([, isSet]) => isSet).map(([flag]) => flag);
}
