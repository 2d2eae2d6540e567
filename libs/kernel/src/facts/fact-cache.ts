import type { RealmId, Recorded } from '../domain/index';
import type { Memory, Section } from './memory';
import type { Tail } from './tail';
import { grouped } from '../domain/index';
import { inTurns } from '../work/in-turns';
import { memoryOf } from './memory';

export interface FactDeclaration<Value> {
  /** Reads the values of some keys in one query. A key without a value is left out. */
  load(realmId: RealmId, keys: readonly string[]): Promise<ReadonlyMap<string, Value>>;
  /** The keys whose value an event changes. `'all'` means every key of the realm. Pure. */
  touched(event: Recorded): readonly (string | number)[] | 'all';
  /** The approximate bytes of a value in memory. Left out: the content is counted when it is loaded. */
  bytesOf?(value: Value): number;
}

/** One read of values, and the keys it is for. */
interface Load<Value> {
  readonly keys: Set<string>;
  readonly values: Promise<ReadonlyMap<string, Value>>;
}

/**
 * Longest key whose value is cached, in UTF-16 units. Some keys are texts that callers choose, of any length. What has
 * a value is shorter.
 */
const MAX_KEY = 500;

/** Most values that are cached in one turn of the event loop. */
const KEPT_AT_ONCE = 1_000;

/** Cached for a key that has no value, so that asking again needs no query either. */
const NONE = Symbol('none');

/**
 * Facts that many requests need, cached in the process and dropped by the events that change them. After the fence they
 * are exact: every event up to the head was received.
 */
export class FactCache<Value> {
  private readonly values: Section<Value | typeof NONE>;
  private readonly loading = new Map<RealmId, Map<string, Load<Value>>>();
  /** Loads that have not begun. Keys that are requested before they begin are read with them. */
  private readonly next = new Map<RealmId, Load<Value>>();

  /** @param memory shared by all facts of the process */
  constructor(
    tail: Tail,
    memory: Memory,
    private readonly declaration: FactDeclaration<Value>,
  ) {
    this.values = memory.section();
    tail.listen((realmId, events) => this.receive(realmId, events));
  }

  async get(realmId: RealmId, key: string | number): Promise<Value | undefined> {
    const text = String(key);
    const kept = this.values.get(realmId, text);
    if (kept !== undefined) return kept === NONE ? undefined : kept;
    const load = this.loading.get(realmId)?.get(text) ?? this.load(realmId, [text]);
    return (await load.values).get(text);
  }

  async getMany<Key extends string | number>(realmId: RealmId, keys: readonly Key[]): Promise<Map<Key, Value>> {
    const found = new Map<Key, Value>();
    const waiting: [Load<Value>, Key][] = [];
    const missing: Key[] = [];
    for (const key of new Set(keys)) {
      const kept = this.values.get(realmId, String(key));
      const load = kept === undefined ? this.loading.get(realmId)?.get(String(key)) : undefined;
      if (kept !== undefined) {
        if (kept !== NONE) found.set(key, kept);
      } else if (load) waiting.push([load, key]);
      else missing.push(key);
    }
    if (missing.length > 0) {
      const load = this.load(realmId, missing.map(String));
      for (const key of missing) waiting.push([load, key]);
    }
    for (const [load, each] of grouped(waiting, ([load]) => load)) {
      const values = await load.values;
      for (const [, key] of each) {
        const value = values.get(String(key));
        if (value !== undefined) found.set(key, value);
      }
    }
    return found;
  }

  /** Adds the keys to the next load. It begins after all requests of this turn of the event loop. */
  private load(realmId: RealmId, keys: readonly string[]): Load<Value> {
    const load = this.next.get(realmId) ?? this.open(realmId);
    const loading = this.loading.get(realmId) ?? new Map<string, Load<Value>>();
    this.loading.set(realmId, loading);
    for (const key of keys) {
      load.keys.add(key);
      loading.set(key, load);
    }
    return load;
  }

  private open(realmId: RealmId): Load<Value> {
    const keys = new Set<string>();
    const begun = new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
      this.next.delete(realmId);
      return this.declaration.load(realmId, [...keys]);
    });
    const load: Load<Value> = {
      keys,
      values: begun.then(
        (values) => this.keepAll(realmId, load, values),
        (error: unknown) => {
          for (const key of keys) this.ends(realmId, key, load);
          throw error;
        },
      ),
    };
    // A load for which nobody waits must not end the process. Callers that wait receive the error themselves.
    load.values.catch(() => undefined);
    this.next.set(realmId, load);
    return load;
  }

  private async keepAll(realmId: RealmId, load: Load<Value>, values: ReadonlyMap<string, Value>) {
    for await (const keys of inTurns([...load.keys], KEPT_AT_ONCE)) {
      for (const key of keys) this.keep(realmId, key, load, values.get(key));
    }
    return values;
  }

  /**
   * A value that was touched while it was read may be the old one. The current callers get it, and it is not cached.
   */
  private keep(realmId: RealmId, key: string, load: Load<Value>, value: Value | undefined): void {
    if (!this.ends(realmId, key, load) || key.length > MAX_KEY) return;
    if (value === undefined) this.values.set(realmId, key, NONE, 0);
    else this.values.set(realmId, key, value, this.declaration.bytesOf?.(value) ?? memoryOf(value));
  }

  /** @returns whether the key was not touched meanwhile */
  private ends(realmId: RealmId, key: string, load: Load<Value>): boolean {
    const loading = this.loading.get(realmId);
    if (loading?.get(key) !== load) return false;
    loading.delete(key);
    if (loading.size === 0) this.loading.delete(realmId);
    return true;
  }

  private receive(realmId: RealmId, events: readonly Recorded[] | null): void {
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
