import type { Kernel, KnownChanges, RegisterBlock, RegisterOptions, RegisterSnapshot } from '@annals/kernel';
import { longWork } from '@annals/kernel';
import type { Actor, Position, RealmId } from '@annals/kernel/domain';
import { ReadyJson } from '@annals/kernel/domain';
import { LRUCache } from 'lru-cache';
import { tracked } from './tracked-snapshot';

/** The fields of a block by their names on the wire. */
export type BlockFields = Readonly<Record<string, unknown>>;

/** A block that a client wants, with what its answer depends on beside the read models. */
export interface WantedBlock {
  readonly block: RegisterBlock;
  readonly options: RegisterOptions;
  readonly key: string;
}

interface CachedBlock {
  readonly fields: BlockFields;
  /** The read models that it was read from. */
  readonly models: ReadonlySet<string>;
  readonly position: Position;
  readonly changes: KnownChanges;
  readonly size: number;
}

/** Characters of all cached blocks, and of one. */
const MAX_SIZE = 64_000_000;
const MAX_BLOCK = 1_000_000;
/** Elements of a list that are written as JSON in one piece. */
const AT_ONCE = 50;

/**
 * Blocks of answers to `POST /register` as JSON texts, each for one account and one way to ask. A block is used for as long as no
 * event has changed a read model that it was read from.
 */
export class CachedBlocks {
  private readonly cached = new LRUCache<string, CachedBlock>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_BLOCK,
    sizeCalculation: ({ size }) => size,
  });

  constructor(private readonly kernel: Pick<Kernel, 'changes' | 'tail'>) {
    // After an erasure no block can be used any more, and its words must not stay in memory (decision 35).
    kernel.tail.listen((_, events) => {
      if (!events) this.cached.clear();
    });
  }

  /** The position up to which this process has received events. */
  received(realmId: RealmId): Position {
    return this.kernel.tail.known([realmId]).get(realmId) ?? (0 as Position);
  }

  /** The fields of a block right after the event at a position; undefined if they have to be read. */
  at(realmId: RealmId, position: Position, { key }: WantedBlock): BlockFields | undefined {
    const cached = this.cached.get(key);
    if (!cached || cached.changes !== this.kernel.changes.of(realmId)) return undefined;
    if (this.received(realmId) < Math.max(position, cached.position)) return undefined;
    return cached.changes.areSame(cached.models, cached.position, position) ? cached.fields : undefined;
  }

  /** Reads a block and caches it. @param changes those that were known before the snapshot was there */
  async read(wanted: WantedBlock, snapshot: RegisterSnapshot, by: Actor, changes: KnownChanges): Promise<BlockFields> {
    const { block, options, key } = wanted;
    const reading = tracked(snapshot, this.kernel.changes);
    const read = await block.read(reading.snapshot, by, options);
    const models = reading.models();
    if (models === null) return read;
    const { fields, size } = await written(read, `${by.realmId}:${by.userId}`);
    this.cached.set(key, { fields, models, position: snapshot.position, changes, size });
    return fields;
  }
}

/** The same fields with texts in place of lists and objects. */
async function written(
  read: BlockFields,
  asker: string,
): Promise<{ readonly fields: BlockFields; readonly size: number }> {
  const fields: Record<string, unknown> = {};
  let size = 0;
  for (const [name, value] of Object.entries(read)) {
    const field = typeof value === 'object' && value !== null ? await ready(value, asker) : value;
    size += name.length + (field instanceof ReadyJson ? field.text.length : String(field).length);
    fields[name] = field;
  }
  return { fields, size };
}

async function ready(value: object, asker: string): Promise<ReadyJson> {
  if (value instanceof ReadyJson) return value;
  if (!Array.isArray(value)) return new ReadyJson(JSON.stringify(value));
  const texts = await longWork.map(asker, value, AT_ONCE, (one: unknown) => JSON.stringify(one));
  return new ReadyJson(`[${texts.join()}]`);
}
