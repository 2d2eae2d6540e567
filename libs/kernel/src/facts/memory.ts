import type { RealmId } from '../domain/index';

/** The values of one section and one organization. */
interface Group {
  readonly values: Map<string, Entry>;
  bytes: number;
}

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
}

type Generation = Map<number, Group>;

/** Realm ids are below 2^31 and there are few sections, so both fit into one number. */
const MAX_SECTIONS = 1_024;

/**
 * The cached values of all organizations, bounded by bytes. Used values are in the young generation. When that has half
 * of the bytes, it becomes the old generation, and the former old one is dropped. So values that were not used for long
 * are dropped first, and neither this nor dropping an organization reads single values.
 */
export class Memory {
  private young: Generation = new Map();
  private old: Generation = new Map();
  private youngBytes = 0;
  private sections = 0;

  /** @param maxBytes of all values together, by their approximate sizes */
  constructor(private readonly maxBytes: number) {}

  /** The part of the memory for values of one kind. */
  section<Value>(): Section<Value> {
    if (this.sections === MAX_SECTIONS) throw new Error('too many kinds of values are kept');
    return new Section(this, this.sections++);
  }

  get(group: number, key: string): unknown {
    const kept = this.young.get(group)?.values.get(key);
    if (kept) return kept.value;
    const old = this.old.get(group);
    const used = old && take(old, key);
    if (!used) return undefined;
    this.add(group, key, used);
    return used.value;
  }

  set(group: number, key: string, kept: Entry): void {
    this.delete(group, key);
    this.add(group, key, kept);
  }

  delete(group: number, key: string): void {
    const young = this.young.get(group);
    if (young) this.youngBytes -= take(young, key)?.bytes ?? 0;
    const old = this.old.get(group);
    if (old) take(old, key);
  }

  forget(group: number): void {
    this.youngBytes -= this.young.get(group)?.bytes ?? 0;
    this.young.delete(group);
    this.old.delete(group);
  }

  private add(group: number, key: string, kept: Entry): void {
    const known = this.young.get(group) ?? { values: new Map<string, Entry>(), bytes: 0 };
    this.young.set(group, known);
    known.values.set(key, kept);
    known.bytes += kept.bytes;
    this.youngBytes += kept.bytes;
    if (this.youngBytes * 2 < this.maxBytes) return;
    this.old = this.young;
    this.young = new Map();
    this.youngBytes = 0;
  }
}

/** Values of one kind, by organization and key. */
export class Section<Value> {
  constructor(
    private readonly memory: Memory,
    private readonly index: number,
  ) {}

  get(realmId: RealmId, key: string): Value | undefined {
    return this.memory.get(this.group(realmId), key) as Value | undefined;
  }

  /** @param bytes approximate bytes of the value, without its key */
  set(realmId: RealmId, key: string, value: Value, bytes: number): void {
    this.memory.set(this.group(realmId), key, { value, bytes: bytes + ENTRY_BYTES + 2 * key.length });
  }

  delete(realmId: RealmId, key: string): void {
    this.memory.delete(this.group(realmId), key);
  }

  /** All values of the organization, at once. */
  forget(realmId: RealmId): void {
    this.memory.forget(this.group(realmId));
  }

  private group(realmId: RealmId): number {
    return realmId * MAX_SECTIONS + this.index;
  }
}

/** The approximate bytes of an entry in a map: its key and its count. */
const ENTRY_BYTES = 120;

function take(group: Group, key: string): Entry | undefined {
  const kept = group.values.get(key);
  if (kept) {
    group.values.delete(key);
    group.bytes -= kept.bytes;
  }
  return kept;
}

/**
 * The approximate bytes of a value in memory. What several values share counts for each of them, so no sum is too
 * small.
 */
export function memoryOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return scalarBytes(value);
  const seen = new Set<object>();
  const waiting: object[] = [value];
  let bytes = 0;
  const count = (held: unknown): void => {
    if (typeof held === 'object' && held !== null) waiting.push(held);
    else bytes += scalarBytes(held);
  };
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    bytes += OBJECT_BYTES;
    if (ArrayBuffer.isView(next)) bytes += next.byteLength;
    else if (next instanceof Map) for (const each of next) each.forEach(count);
    else if (next instanceof Set || Array.isArray(next)) for (const each of next) count(each);
    else Object.values(next).forEach(count);
  }
  return bytes;
}

const OBJECT_BYTES = 56;
const TEXT_BYTES = 24;
/** A number takes so many bytes in a list, and about twice as many in a map or set. */
const SCALAR_BYTES = 12;

const scalarBytes = (value: unknown): number =>
  typeof value === 'string' ? TEXT_BYTES + 2 * value.length : SCALAR_BYTES;
