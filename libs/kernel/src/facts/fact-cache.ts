import type { RealmId, Recorded } from '../domain/index';
import type { Memory, Section } from './memory';
import type { Tail } from './tail';
import { bytesOf } from './memory';

export interface FactDeclaration<Value> {
  /** Reads the values of some keys in one query; a key without a value is left out. */
  load(realmId: RealmId, keys: readonly string[]): Promise<ReadonlyMap<string, Value>>;
  /** The keys whose value an event changes; `'all'` for every key of the realm. Pure. */
  touched(event: Recorded): readonly (string | number)[] | 'all';
  /** About what a value takes in memory, in bytes; left out: what it holds is counted when it is loaded. */
  bytesOf?(value: Value): number;
}

interface Load<Value> {
  readonly value: Promise<Value | undefined>;
}

/**
 * Longest key whose value is kept, in UTF-16 units. Some keys are texts that callers choose, of any length, and what has
 * a value is shorter.
 */
const MAX_KEY = 500;

/** What is remembered of a key that has no value, so that asking again costs nothing either. */
const NONE = Symbol('none');

/**
 * Facts that many requests need, kept in the process and dropped by the events that change them. Exact for whoever has
 * passed the fence: everything up to the head has been heard.
 */
export class FactCache<Value> {
  private readonly values: Section<Value | typeof NONE>;
  private readonly loading = new Map<RealmId, Map<string, Load<Value>>>();

  /** @param memory what all facts of the process have together */
  constructor(
    tail: Tail,
    memory: Memory,
    private readonly declaration: FactDeclaration<Value>,
  ) {
    this.values = memory.section();
    tail.listen((realmId, events) => this.hear(realmId, events));
  }

  async get(realmId: RealmId, key: string | number): Promise<Value | undefined> {
    const text = String(key);
    const kept = this.values.get(realmId, text);
    if (kept !== undefined) return kept === NONE ? undefined : kept;
    const load = this.loading.get(realmId)?.get(text) ?? this.start(realmId, [text]).get(text);
    return load?.value;
  }

  async getMany<Key extends string | number>(realmId: RealmId, keys: readonly Key[]): Promise<Map<Key, Value>> {
    const found = new Map<Key, Value>();
    const waiting: [Key, Load<Value>][] = [];
    const missing: Key[] = [];
    for (const key of new Set(keys)) {
      const kept = this.values.get(realmId, String(key));
      const load = kept === undefined ? this.loading.get(realmId)?.get(String(key)) : undefined;
      if (kept !== undefined) {
        if (kept !== NONE) found.set(key, kept);
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
    const loading = this.loading.get(realmId) ?? new Map<string, Load<Value>>();
    this.loading.set(realmId, loading);
    for (const key of keys) {
      const load: Load<Value> = {
        value: all.then(
          (values) => this.keep(realmId, key, load, values.get(key)),
          (error: unknown) => {
            this.ends(realmId, key, load);
            throw error;
          },
        ),
      };
      // A load nobody waits for any more must not end the process; those who wait get the error themselves.
      load.value.catch(() => undefined);
      loading.set(key, load);
      loads.set(key, load);
    }
    return loads;
  }

  /** A value that was touched while it was read may be the old one: its askers get it, nobody later does. */
  private keep(realmId: RealmId, key: string, load: Load<Value>, value: Value | undefined): Value | undefined {
    if (!this.ends(realmId, key, load) || key.length > MAX_KEY) return value;
    if (value === undefined) this.values.set(realmId, key, NONE, 0);
    else this.values.set(realmId, key, value, this.declaration.bytesOf?.(value) ?? bytesOf(value));
    return value;
  }

  /** @returns whether the key was not touched meanwhile */
  private ends(realmId: RealmId, key: string, load: Load<Value>): boolean {
    const loading = this.loading.get(realmId);
    if (loading?.get(key) !== load) return false;
    loading.delete(key);
    if (loading.size === 0) this.loading.delete(realmId);
    return true;
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
        this.values.delete(realmId, String(key));
        this.loading.get(realmId)?.delete(String(key));
      }
    }
  }

  private forgetRealm(realmId: RealmId): void {
    this.values.forget(realmId);
    this.loading.delete(realmId);
  }
}
