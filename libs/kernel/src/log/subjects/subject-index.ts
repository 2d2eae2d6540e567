import type { EventDefinition, Recorded } from '../../domain/index';
import type { Erased } from '../../erasure/events';
import { setBits } from '../../projections/definition/bits';
import type { Projection } from '../../projections/definition/define';
import type { RowChanges } from '../../projections/definition/define';
import { defineProjection, on } from '../../projections/definition/define';
import { REQUEST_BITS, metadataKeys, requestBits, requestBlockOf } from './block-keys';

/** Positions that share a row of the index: a thing has a row for each block in which an event is about it. */
export const SUBJECT_BLOCK = 1_024;

/** The block of a position. Block 0 has the positions from 1 to `SUBJECT_BLOCK`. */
export const blockOf = (position: number): number => Math.floor((position - 1) / SUBJECT_BLOCK);

/** Name and version of the index, by which readers find out how far it has followed the log. */
export const SUBJECT_INDEX = { name: 'subjects', version: 8 } as const;

/**
 * Where in the log events are about a thing (a message, a user, a channel), and where the events of an actor, a type, a
 * client and a request are. `eventsAbout` and `EventTrail` read the blocks and find the events in them. It is a
 * background read model, so no append pays for it. An event type declares what its events are about. The table
 * `erasure_orders` beside it lists the erasures that are not done.
 */
export function subjectIndex(events: readonly EventDefinition[]): Projection {
  return defineProjection({
    ...SUBJECT_INDEX,
    lifecycle: 'background',
    tables: {
      subject_blocks: {
        columns: { kind: 'text', subject_id: 'int8', block: 'int4' },
        key: ['kind', 'subject_id', 'block'],
      },
      /** A Bloom filter of the request ids of `REQUEST_BLOCK` positions. */
      request_blocks: {
        columns: { block: 'int8', requests: `bit(${REQUEST_BITS})` },
        key: ['block'],
        changesOften: true,
      },
      erasure_orders: {
        /** Position of the event that orders the erasure, and the name of a stream or the id of a subject. */
        columns: { position: 'int8', kind: 'text', name: 'text', ordered_at: 'int8' },
        key: ['position', 'kind', 'name'],
      },
    },
    handlers: events.map((definition) =>
      on<EventDefinition<string, unknown, unknown>>(definition, (event: Indexed, rows) => {
        index(definition, event, rows);
        if (isErased(event)) rows.delete('erasure_orders', { position: event.data.order });
      }),
    ),
  });
}

/** The kind of the rows of `request_blocks` among those that are there. */
const REQUESTS = '@requests';

/** Rows that many events of a page would insert again, such as those of its channel and of its client program. */
class CommonRows {
  private readonly blocks = new Map<string, number>();

  /** Whether the newest row of this kind and id is one of another block. */
  isNew(block: number, kind: string, id: number): boolean {
    const key = kind + String(id);
    if (this.blocks.get(key) === block) return false;
    this.blocks.set(key, block);
    return true;
  }
}

/** Those of each realm, for as long as the changes of one page are collected. */
const common = new WeakMap<RowChanges, Map<number, CommonRows>>();

function rowsOf(realmId: number, rows: RowChanges): CommonRows {
  let realms = common.get(rows);
  if (!realms) common.set(rows, (realms = new Map<number, CommonRows>()));
  let its = realms.get(realmId);
  if (!its) realms.set(realmId, (its = new CommonRows()));
  return its;
}

type Indexed = Pick<Recorded, 'realmId' | 'type' | 'position' | 'at' | 'actorId' | 'client' | 'correlation'> & {
  readonly data: unknown;
};

const isErased = (event: Indexed): event is Indexed & { readonly data: Erased['data'] } =>
  event.type === 'kernel.Erased';

function index(definition: EventDefinition, event: Indexed, rows: RowChanges): void {
  const { data, position, at } = event;
  const block = blockOf(position);
  const subjects = definition.subjects(data, position);
  const there = rowsOf(event.realmId, rows);
  for (const [kind, id] of subjects) {
    // A thing that begins with its event has the event's position as its id, so the id itself says where to look.
    if (id !== position && there.isNew(block, kind, id)) rows.insert('subject_blocks', { kind, subject_id: id, block });
  }
  for (const [kind, id] of metadataKeys(event, subjects)) {
    if (there.isNew(block, kind, id)) rows.insert('subject_blocks', { kind, subject_id: id, block });
  }
  const requests = { block: requestBlockOf(position) };
  if (there.isNew(requests.block, REQUESTS, 0)) rows.insert('request_blocks', { ...requests, requests: null });
  rows.update('request_blocks', requests, { requests: setBits(REQUEST_BITS, requestBits(event.correlation)) });
  for (const [kind, name] of definition.erases(data)) {
    rows.insert('erasure_orders', { position, kind, name: String(name), ordered_at: at });
  }
  for (const { order, erasable } of definition.withdraws(data)) {
    const [kind, name] = erasable;
    rows.delete('erasure_orders', { position: order, kind, name: String(name) });
  }
}
