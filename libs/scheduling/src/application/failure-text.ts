import type { Instant } from '@annals/kernel/domain';
import type { NoticeText } from '@annals/messages';
import { notice, plain, quote } from '@annals/messages';

/** The notice to the author of a scheduled message that failed (contract/scheduling.md section 6). */
export const failureText = (dueAt: Instant, reason: string): NoticeText =>
  notice`The message that you scheduled for <time:${plain(new Date(dueAt).toISOString())}> was not sent:\n\n${plain(quote(reason))}\n\nIt is kept among your [scheduled messages](#scheduled): give it another time, or delete it.`;
