import type { MessageId } from '@annals/kernel/domain';

const BASE = 36;

/**
 * Ids of messages as one short text: each as the difference to the one before it in base 36, and consecutive ids as the first
 * difference and the number of ids that follow it. `[100, 101, 102, 140]` is `2s-2,12`.
 *
 * @param ids ascending, each once
 */
export function encodeIds(ids: readonly MessageId[]): string {
  const parts: string[] = [];
  let previous = 0;
  for (let n = 0; n < ids.length;) {
    const first = ids[n] ?? 0;
    let last = n;
    while ((ids[last + 1] ?? 0) === (ids[last] ?? 0) + 1) last += 1;
    const following = last === n ? '' : `-${(last - n).toString(BASE)}`;
    parts.push(`${(first - previous).toString(BASE)}${following}`);
    previous = ids[last] ?? 0;
    n = last + 1;
  }
  return parts.join();
}

/** The ids that `encodeIds` wrote, ascending. */
export function decodeIds(text: string): MessageId[] {
  const ids: MessageId[] = [];
  let previous = 0;
  for (const part of text.split(',')) {
    const [difference = '', following = '0'] = part.split('-');
    previous += parseInt(difference, BASE);
    ids.push(previous as MessageId);
    for (let n = parseInt(following, BASE); n > 0; n -= 1) ids.push((previous += 1) as MessageId);
  }
  return ids;
}
