import { lastUsed } from '@annals/kernel';
import type { BlockMemory } from '@annals/kernel';

/** Most values that blocks remember, of all organizations together. */
const MAX = 64;

/** A cache that keeps the values used last. */
export class RecentlyUsed implements BlockMemory {
  private readonly cached = lastUsed<object>(MAX);

  of<Value extends object>(key: string, create: () => Value): Value {
    const known = this.cached.get(key) as Value | undefined;
    if (known) return known;
    const created = create();
    this.cached.set(key, created);
    return created;
  }
}
