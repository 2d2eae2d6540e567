import { lastUsed } from '@annals/kernel';
import type { BlockMemory } from '@annals/kernel';

/** Things blocks remember, of all organizations together. */
const MAX = 64;

/** What was used lately stays in memory. */
export class RecentlyUsed implements BlockMemory {
  private readonly kept = lastUsed<object>(MAX);

  of<Kept extends object>(key: string, create: () => Kept): Kept {
    const known = this.kept.get(key) as Kept | undefined;
    if (known) return known;
    const created = create();
    this.kept.set(key, created);
    return created;
  }
}
