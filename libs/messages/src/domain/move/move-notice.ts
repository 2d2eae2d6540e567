import { isResolved } from '../resolving';
import type { NoticeText } from '../message/notice-text';
import { notice } from '../message/notice-text';

/** What the server may say of a move: how much went, and where it came from and went to, as links. */
export interface ReportedMove {
  readonly by: NoticeText;
  readonly from: NoticeText;
  readonly to: NoticeText;
  readonly messages: number;
  readonly isWhole: boolean;
  /** Whether they went to others that were there already: then it is not the topic that came. */
  readonly joinsOthers: boolean;
}

/** Said where messages went. */
export function movedHereNotice({ by, from, messages, isWhole, joinsOthers }: ReportedMove): NoticeText {
  if (isWhole && !joinsOthers) return notice`${by} moved this topic here from ${from}.`;
  return messages === 1
    ? notice`${by} moved a message here from ${from}.`
    : notice`${by} moved ${String(messages)} messages here from ${from}.`;
}

/** Said where messages were. */
export function movedAwayNotice({ by, to, messages, isWhole }: ReportedMove): NoticeText {
  if (isWhole) return notice`${by} moved this topic to ${to}.`;
  return messages === 1
    ? notice`${by} moved a message from here to ${to}.`
    : notice`${by} moved ${String(messages)} messages from here to ${to}.`;
}

export const resolutionNotice = (by: NoticeText, topic: string): NoticeText =>
  isResolved(topic) ? notice`${by} marked this topic as resolved.` : notice`${by} marked this topic as unresolved.`;

/** Seconds within which a second thought takes the first notice back instead of adding another. */
export const RESOLUTION_GRACE_SECONDS = 60;
