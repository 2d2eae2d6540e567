import type { Recorded, RealmId, Subject } from '../../domain/index';
import type { Kernel } from '../../kernel';
import { pages } from '../../work/pages';
import { SUBJECT_BLOCK } from './subject-index';

/** More blocks than any log has: the column is an int4. */
const MOST_BLOCKS = 2 ** 31 - 1;
/** Blocks that are read from the index at once. */
const PAGE = 64;
/** Events that are read at once, so that a reader of a few events does not read a whole block. */
const EVENTS = SUBJECT_BLOCK / 4;

/** An event, and which of the requested things it is about. */
export interface AboutEvent {
  readonly event: Recorded;
  readonly about: readonly Subject[];
}

/**
 * The events about any of some things, newest first, as far as the index of subjects has been brought. They are read on
 * demand, so a page of them costs the blocks in which they are found.
 *
 * @param before all returned events are before this position. Left out: from the newest on
 */
export async function* eventsAbout(
  { events, database }: Pick<Kernel, 'events' | 'database'>,
  realmId: RealmId,
  things: readonly Subject[],
  before: number = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<AboutEvent> {
  const wanted = new Set(things.map(subjectKey));
  const end = Math.ceil((before - 1) / SUBJECT_BLOCK);
  for await (const blocks of pages<number>(PAGE, (after) => blocksBefore(database, realmId, things, after ?? end))) {
    for (const after of blocks.flatMap(partsOf)) {
      if (after + 1 >= before) continue;
      const page = await events.page(realmId, after, EVENTS);
      for (const event of page.reverse()) {
        if (event.position >= before) continue;
        const subjects = events.registry.definition(event.type).subjects(event.data, event.position);
        const about = subjects.filter((subject) => wanted.has(subjectKey(subject)));
        if (about.length > 0) yield { event, about };
      }
    }
  }
}

/** Positions after which the parts of a block begin, newest first. */
const partsOf = (block: number): number[] =>
  Array.from({ length: SUBJECT_BLOCK / EVENTS }, (_, n) => (block + 1) * SUBJECT_BLOCK - (n + 1) * EVENTS);

/** A key for maps of things. */
export const subjectKey = ([kind, id]: Subject): string => `${kind} ${id}`;

/** Newest first. The block that has a thing's own id as a position is among them. */
async function blocksBefore(
  { pool }: Kernel['database'],
  realmId: RealmId,
  things: readonly Subject[],
  end: number,
): Promise<number[]> {
  const { rows } = await pool.query<{ block: number }>({
    name: 'subject-blocks',
    text: `SELECT DISTINCT b.block FROM unnest($2::text[], $3::int8[]) AS u(kind, id) CROSS JOIN LATERAL (
        (SELECT block::int8 FROM view.subject_blocks
          WHERE realm_id = $1 AND kind = u.kind AND subject_id = u.id AND block < $4 ORDER BY block DESC LIMIT $5)
        UNION ALL SELECT (greatest(u.id, 1) - 1) / ${SUBJECT_BLOCK}) AS b
      WHERE b.block < $4 ORDER BY b.block DESC LIMIT $5`,
    values: [realmId, things.map(([kind]) => kind), things.map(([, id]) => id), Math.min(end, MOST_BLOCKS), PAGE],
  });
  return rows.map(({ block }) => block);
}
