import type { ChannelId, MessageId, UserId } from '@annals/kernel/domain';
import { ascending, fact } from '@annals/kernel/domain';
import { reject } from '../rejections';
import { encodeIds } from './encoded-ids';
import type { EditableFlag, FlagOperation } from './flag-events';
import { FlagsChanged } from './flag-events';

/** A change of flags that a user requests for some messages. */
export interface FlagRequest {
  readonly flag: EditableFlag;
  readonly op: FlagOperation;
}

/** A message that the user can see, with the facts for its flags. */
export interface FlaggedNow {
  readonly id: MessageId;
  /** Null for a direct message. */
  readonly channelId: ChannelId | null;
  /** Whether the user is subscribed to the channel. */
  readonly isSubscribed: boolean;
  readonly isRead: boolean;
  readonly isStarred: boolean;
  readonly isCollapsed: boolean;
}

/** The flags that a request changes. */
export interface FlagChange {
  /** Messages whose flag changes, ascending. */
  readonly changed: readonly MessageId[];
  /** Channels whose messages remain read because the user is not subscribed. Ascending. */
  readonly ignoredChannels: readonly ChannelId[];
}

/** Whether the request gives the user copies of messages that they did not receive. Such a message must be visible. */
export const givesCopies = ({ flag, op }: FlagRequest): boolean => (op === 'add') === (flag !== 'read');

/**
 * Decides which flags a request changes (contract/messages.md section 8). Messages that have the flag already, or do not
 * have it, are left out. Messages of channels to which the user is not subscribed cannot become unread.
 *
 * @param visible those of the messages that the user can see
 * @throws Rejected BAD_REQUEST when the user cannot see a message of which the flag gives them a copy
 */
export function changedFlags(
  request: FlagRequest,
  asked: readonly number[],
  visible: readonly FlaggedNow[],
): FlagChange {
  if (givesCopies(request) && new Set(asked).size > visible.length) throw reject.unknownMessage();
  const becomesUnread = request.flag === 'read' && request.op === 'remove';
  const isIgnored = ({ channelId, isSubscribed }: FlaggedNow) => becomesUnread && channelId !== null && !isSubscribed;
  const changed = visible.filter((one) => hasFlag(one, request.flag) !== (request.op === 'add') && !isIgnored(one));
  return {
    changed: ascending(changed.map(({ id }) => id)),
    ignoredChannels: ascending(new Set(visible.filter(isIgnored).flatMap(({ channelId }) => channelId ?? []))),
  };
}

function hasFlag(message: FlaggedNow, flag: EditableFlag): boolean {
  switch (flag) {
    case 'read':
      return message.isRead;
    case 'starred':
      return message.isStarred;
    case 'collapsed':
      return message.isCollapsed;
  }
}

/** Most messages in one event. Its text is 40 KB at most. */
export const CHANGED_AT_ONCE = 10_000;

/** The events of a change; none when nothing changes. @param ids ascending */
export function flagsChanged(userId: UserId, request: FlagRequest, ids: readonly MessageId[]): FlagsChanged[] {
  const events: FlagsChanged[] = [];
  for (let from = 0; from < ids.length; from += CHANGED_AT_ONCE) {
    const named = ids.slice(from, from + CHANGED_AT_ONCE);
    events.push(fact(FlagsChanged, { userId, ...request, ids: encodeIds(named) }));
  }
  return events;
}
