import { LRUCache } from 'lru-cache';

/**
 * Keeps the values used last, by text keys, and grows with its content. (With `max` as a number of entries, the package
 * allocates all of them at once: 2.8 MB for 100,000, in each of the many caches of a process.)
 *
 * @param max most entries
 */
export function lastUsed<Value extends object | string | number>(max: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
}
