import type { MessageId } from '@annals/kernel/domain';
import type { LoadedMessages } from './message-row';

/** Longest that the texts of one answer may be together, in code units: one of these may become forty of HTML. */
export const MAX_TEXT = 2_500_000;

const lengthOf = (id: MessageId, { rows }: Pick<LoadedMessages, 'rows'>): number =>
  rows.get(id)?.text.content?.length ?? 0;

/** Whether the texts of these messages fit into one answer. */
export const fit = (ids: readonly MessageId[], loaded: Pick<LoadedMessages, 'rows'>): boolean =>
  ids.reduce((sum, id) => sum + lengthOf(id, loaded), 0) <= MAX_TEXT;

/** Those around an anchor whose texts fit into one answer, at least one where there is any; without a gap. */
export function fittingAround(
  ids: readonly MessageId[],
  anchor: number,
  loaded: Pick<LoadedMessages, 'rows'>,
): readonly MessageId[] {
  const beyond = ids.findIndex((id) => id >= anchor);
  let [start, end] = Array.from({ length: 2 }, () => (beyond < 0 ? ids.length : beyond)) as [number, number];
  for (let [turn, room] = [0, MAX_TEXT]; start > 0 || end < ids.length; turn++) {
    const takesLater = start === 0 || (end < ids.length && turn % 2 === 0);
    room -= lengthOf(ids[takesLater ? end : start - 1] as MessageId, loaded);
    if (room < 0 && start < end) break;
    if (takesLater) end += 1;
    else start -= 1;
  }
  return ids.slice(start, end);
}
