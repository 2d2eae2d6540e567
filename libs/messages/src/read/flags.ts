import type { GroupId, UserId } from '@annals/kernel/domain';
import type { MessageRow } from './message-row';

/** Who looks at a message. */
export interface Onlooker {
  readonly userId: UserId;
  /** Whether the message reached them when it came. */
  readonly isReceived: boolean;
  /** Whether they left the channel after it came, which makes it read. */
  readonly hasLeftSince: boolean;
  isIn(group: GroupId): boolean;
  /** Whether they had written in the topic by then; asked for topic wildcards only. */
  readonly isParticipant: boolean;
}

/** What history from before one's subscription is marked with (contract/messages.md section 4.1). */
const HISTORICAL = ['read', 'historical'];

/** Flags of a message for one account (contract/messages.md section 8). */
export function flagsOf(message: Pick<MessageRow, 'readBy' | 'mentions'>, by: Onlooker): string[] {
  if (!by.isReceived) return HISTORICAL;
  const { userIds, groupIds, channelWildcard, topicWildcard } = message.mentions;
  const topic = topicWildcard && by.isParticipant;
  const flags: [string, boolean][] = [
    ['read', by.hasLeftSince || message.readBy === by.userId],
    ['mentioned', userIds.includes(by.userId) || groupIds.some((group) => by.isIn(group))],
    ['stream_wildcard_mentioned', channelWildcard],
    ['topic_wildcard_mentioned', topic],
    ['wildcard_mentioned', channelWildcard || topic],
  ];
  return flags.filter(([, isSet]) => isSet).map(([flag]) => flag);
}
