import type { ConsumerEvent } from '../../read/reading/cloud-event';

/**
 * Splits events into runs in which no two have the same key. A run may be sent at once: whatever part of it arrives, no event
 * arrives before an earlier one of its key, if the next run is sent only after all of it has arrived.
 */
export function runsOfDistinctKeys<T extends Pick<ConsumerEvent, 'key'>>(events: readonly T[]): T[][] {
  const runs: T[][] = [];
  let keys = new Set<string>();
  for (const event of events) {
    const last = runs.at(-1);
    if (last && !keys.has(event.key)) {
      last.push(event);
    } else {
      keys = new Set();
      runs.push([event]);
    }
    keys.add(event.key);
  }
  return runs;
}

/** Splits a list into parts of a limited size. One that is larger has a part of its own. */
export function partsOfSize<T>(list: readonly T[], most: number, sizeOf: (one: T) => number): T[][] {
  const parts: T[][] = [];
  let size = 0;
  for (const one of list) {
    const its = sizeOf(one);
    const last = parts.at(-1);
    if (last && size + its <= most) {
      last.push(one);
    } else {
      size = 0;
      parts.push([one]);
    }
    size += its;
  }
  return parts;
}
