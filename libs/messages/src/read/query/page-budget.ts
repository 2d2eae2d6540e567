import type { MessageId } from '@annals/kernel/domain';
import type { MessageChange } from '../content/changes';
import type { LoadedMessages } from '../content/message-row';
import type { RenderingRequest } from '../content/message-json';
import { sourceOf } from '../content/present-message';

/** Maximum of bytes of all texts in one answer, as HTML or Markdown. */
export const MAX_ANSWER_BYTES = 8_000_000;
/** Maximum of bytes of all Markdown sources that are read from the log for one answer. */
export const MAX_SOURCE_BYTES = 2_500_000;

/** Consecutive messages, and the bytes that are left of the budget. */
export interface TrimmedPage {
  readonly ids: readonly MessageId[];
  readonly budget: number;
}

/**
 * Trims a page to a budget: the messages nearest to the anchor, without a gap, at least one if there is any.
 *
 * @param budget in bytes
 * @param sizeOf bytes of one message; null if the page must end before it
 */
export async function trimAroundAnchor(
  ids: readonly MessageId[],
  anchor: number,
  budget: number,
  sizeOf: (id: MessageId) => Promise<number | null> | number | null,
): Promise<TrimmedPage> {
  const firstLater = ids.findIndex((id) => id >= anchor);
  let [start, end] = Array.from({ length: 2 }, () => (firstLater < 0 ? ids.length : firstLater)) as [number, number];
  let left = budget;
  for (let turn = 0; start > 0 || end < ids.length; turn++) {
    const takesLater = start === 0 || (end < ids.length && turn % 2 === 0);
    const asked = sizeOf(ids[takesLater ? end : start - 1] as MessageId);
    const size = asked instanceof Promise ? await asked : asked;
    if (start < end && (size === null || size > left)) break;
    left -= size ?? 0;
    if (takesLater) end += 1;
    else start -= 1;
  }
  return { ids: ids.slice(start, end), budget: left };
}

/**
 * Adds as many changes as the budget allows: those of the newest messages first, and of each message the latest. Renders their
 * texts.
 */
export async function withChangesWithinBudget(
  loaded: LoadedMessages,
  { ids, budget }: TrimmedPage,
  { asker }: RenderingRequest,
): Promise<LoadedMessages> {
  const changes = new Map<MessageId, readonly MessageChange[]>();
  let left = budget;
  for (const id of [...ids].sort((a, b) => b - a)) {
    const reported: MessageChange[] = [];
    for (const change of loaded.changes.get(id) ?? []) {
      left -= loaded.rendered.isSpent ? Infinity : await oldBytes(change, loaded, asker);
      if (left < 0) break;
      reported.push(change);
    }
    if (reported.length > 0) changes.set(id, reported);
  }
  return { ...loaded, changes };
}

async function oldBytes({ edit }: MessageChange, { rendered }: LoadedMessages, asker: string): Promise<number> {
  if (!edit) return 0;
  return Buffer.byteLength(sourceOf(edit.previous)) + Buffer.byteLength(await rendered.ahead(edit.previous, asker));
}
