import type { LRUCache } from 'lru-cache';
import { lastUsed } from '../last-used';
import type { RealmId, Recorded } from '../domain/index';
import type { Tail } from './tail';

export interface FactDeclaration<Value> {
  /** Reads the values of some keys in one query; a key without a value is left out. */
  load(realmId: RealmId, keys: readonly string[]): Promise<ReadonlyMap<string, Value>>;
  /** The keys whose value an event changes; `'all'` for every key of the realm. Pure. */
  touched(event: Recorded): readonly (string | number)[] | 'all';
  /** Most values kept in this process. */
  readonly max: number;
}

interface Load<Value> {
  readonly value: Promise<Value | undefined>;
}

/**
 * Longest place of a value that is kept, in UTF-16 units. Some keys are texts that callers choose, of any length, and
 * what has a value is shorter.
 */
const MAX_PLACE = 512;

/** What is remembered of a key that has no value, so that asking again costs nothing either. */
const NONE = Symbol('none');

/**
 * Facts that many requests need, kept in the process and dropped by the events that change them. Exact for whoever has
 * passed the fence: everything up to the head has been heard.
 */
export class FactCache<Value> {
  /** Made for the first value, because it takes the room of all of them at once. */
  private values: LRUCache<string, { value: Value | typeof NONE }> | null = null;
  private readonly loading = new Map<string, Load<Value>>();

  constructor(
    tail: Tail,
    private readonly declaration: FactDeclaration<Value>,
  ) {
    tail.listen((realmId, events) => this.hear(realmId, events));
  }

  async get(realmId: RealmId, key: string | number): Promise<Value | undefined> {
    const place = `${realmId} ${key}`;
    const kept = this.values?.get(place);
    if (kept) return kept.value === NONE ? undefined : kept.value;
    const load = this.loading.get(place) ?? this.start(realmId, [String(key)]).get(String(key));
    return load?.value;
  }

  async getMany<Key extends string | number>(realmId: RealmId, keys: readonly Key[]): Promise<Map<Key, Value>> {
    const found = new Map<Key, Value>();
    const waiting: [Key, Load<Value>][] = [];
    const missing: Key[] = [];
    for (const key of new Set(keys)) {
      const place = `${realmId} ${key}`;
      const kept = this.values?.get(place);
      const load = this.loading.get(place);
      if (kept) {
        if (kept.value !== NONE) found.set(key, kept.value);
      } else if (load) waiting.push([key, load]);
      else missing.push(key);
    }
    if (missing.length > 0) {
      const started = this.start(realmId, missing.map(String));
      for (const key of missing) {
        const load = started.get(String(key));
        if (load) waiting.push([key, load]);
      }
    }
    for (const [key, load] of waiting) {
      const value = await load.value;
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }

  private start(realmId: RealmId, keys: readonly string[]): Map<string, Load<Value>> {
    const all = this.declaration.load(realmId, keys);
    const loads = new Map<string, Load<Value>>();
    for (const key of keys) {
      const place = `${realmId} ${key}`;
      const load: Load<Value> = {
        value: all.then(
          (values) => this.keep(place, load, values.get(key)),
          (error: unknown) => {
            if (this.loading.get(place) === load) this.loading.delete(place);
            throw error;
          },
        ),
      };
      // A load nobody waits for any more must not end the process; those who wait get the error themselves.
      load.value.catch(() => undefined);
      this.loading.set(place, load);
      loads.set(key, load);
    }
    return loads;
  }

  /** A value that was touched while it was read may be the old one: its askers get it, nobody later does. */
  private keep(place: string, load: Load<Value>, value: Value | undefined): Value | undefined {
    if (this.loading.get(place) === load) {
      this.loading.delete(place);
      if (place.length > MAX_PLACE) return value;
      this.values ??= lastUsed(this.declaration.max);
      this.values.set(place, { value: value === undefined ? NONE : value });
    }
    return value;
  }

  private hear(realmId: RealmId, events: readonly Recorded[] | null): void {
    if (!events) {
      this.forgetRealm(realmId);
      return;
    }
    for (const event of events) {
      const touched = this.declaration.touched(event);
      if (touched === 'all') {
        this.forgetRealm(realmId);
        continue;
      }
      for (const key of touched) {
        this.values?.delete(`${realmId} ${key}`);
        this.loading.delete(`${realmId} ${key}`);
      }
    }
  }

  private forgetRealm(realmId: RealmId): void {
    const prefix = `${realmId} `;
    for (const place of this.values?.keys() ?? []) if (place.startsWith(prefix)) this.values?.delete(place);
    for (const place of this.loading.keys()) if (place.startsWith(prefix)) this.loading.delete(place);
  }
}
