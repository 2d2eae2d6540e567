import { LRUCache } from 'lru-cache';

/**
 * Keeps what was used last, by text keys, and grows with what it holds. (Given `max` as a number of entries, the
 * package makes room for all of them at once: 2.8 MB for 100,000, of each of the many caches of a process.)
 *
 * @param max most entries
 */
export function lastUsed<Value extends object | string | number>(max: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
}
