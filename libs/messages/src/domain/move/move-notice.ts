import { isResolved } from './resolving';
import type { NoticeText } from '../message/notice-text';
import { notice } from '../message/notice-text';

/** The facts of a move for its notices; places are links. */
export interface ReportedMove {
  readonly by: NoticeText;
  readonly from: NoticeText;
  readonly to: NoticeText;
  readonly messages: number;
  readonly isWhole: boolean;
  /** Whether the target topic had messages before: then it is not reported as a moved topic. */
  readonly joinsOthers: boolean;
}

/** The notice in the new place. */
export function movedHereNotice({ by, from, messages, isWhole, joinsOthers }: ReportedMove): NoticeText {
  if (isWhole && !joinsOthers) return notice`${by} moved this topic here from ${from}.`;
  return messages === 1
    ? notice`${by} moved a message here from ${from}.`
    : notice`${by} moved ${String(messages)} messages here from ${from}.`;
}

/** The notice in the old place. */
export function movedAwayNotice({ by, to, messages, isWhole }: ReportedMove): NoticeText {
  if (isWhole) return notice`${by} moved this topic to ${to}.`;
  return messages === 1
    ? notice`${by} moved a message from here to ${to}.`
    : notice`${by} moved ${String(messages)} messages from here to ${to}.`;
}

export const resolutionNotice = (by: NoticeText, topic: string): NoticeText =>
  isResolved(topic) ? notice`${by} marked this topic as resolved.` : notice`${by} marked this topic as unresolved.`;

/** Within so many seconds, undoing a change of resolution deletes its notice instead of adding another. */
export const RESOLUTION_GRACE_SECONDS = 60;
