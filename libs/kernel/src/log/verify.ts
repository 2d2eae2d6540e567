import { timingSafeEqual } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { Position, RealmId } from '../domain/index';
import type { EventLog } from './event-log';
import type { StoredEvent } from './registry';
import { commitmentOf, leafHash } from './canonical';

/** The first place where a realm's log is not what was written. */
export interface Flaw {
  readonly realmId: RealmId;
  readonly position: Position;
  readonly what: string;
}

export interface Verification {
  readonly realmId: RealmId;
  /** Events that were checked. */
  readonly events: number;
  /** Null when every check held. */
  readonly flaw: Flaw | null;
}

const PAGE = 5_000;

/**
 * Checks a realm's log from its first event to its head: no position missing, time never going back, every leaf hash
 * and every commitment still true, versions of streams without a gap. Erased parts are no flaw; their commitments stay
 * and are covered by the leaf hash.
 *
 * @param onProgress called after each page with the events checked so far and the realm's head
 */
export async function verifyLog(
  log: EventLog,
  pool: Pool | ClientBase,
  realmId: RealmId,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Verification> {
  const head = (await log.heads([realmId])).get(realmId) ?? (0 as Position);
  const flawAt = (position: number, what: string): Flaw => ({ realmId, position: position as Position, what });
  let last: StoredEvent | undefined;
  let done = 0;
  while (done < head) {
    const page = await log.storedPage(realmId, done, Math.min(PAGE, head - done));
    for (const event of page) {
      const what = flawOf(event, last);
      if (what) return { realmId, events: done, flaw: flawAt((last?.position ?? 0) + 1, what) };
      last = event;
      done++;
    }
    if (page.length === 0) return { realmId, events: done, flaw: flawAt(done + 1, 'the event is missing') };
    onProgress(done, head);
  }
  const broken = await brokenStream(pool, realmId, head);
  return { realmId, events: done, flaw: broken };
}

function flawOf(event: StoredEvent, last: StoredEvent | undefined): string | undefined {
  if (event.position !== (last?.position ?? 0) + 1) return 'the event is missing';
  if (last && event.at < last.at) return 'its time is before that of the event before it';
  if (!timingSafeEqual(leafHash(event, event), event.leafHash)) return 'its content does not match its hash';
  if (event.sealedText === null) return undefined;
  if (!event.salt || !event.commitment) return 'its sealed part has no commitment';
  const kept = commitmentOf(event.salt, event.sealedText).equals(event.commitment);
  return kept ? undefined : 'its sealed part does not match its commitment';
}

/** Versions of a stream must be 1, 2, 3 … in the order of positions. */
async function brokenStream(pool: Pool | ClientBase, realmId: RealmId, head: Position): Promise<Flaw | null> {
  const { rows } = await pool.query<{ position: Position; stream: string }>(
    `SELECT position, stream FROM (
       SELECT position, stream, version, row_number() OVER (PARTITION BY stream ORDER BY position) AS expected
       FROM events WHERE realm_id = $1 AND position <= $2) AS e
     WHERE version <> expected ORDER BY position LIMIT 1`,
    [realmId, head],
  );
  const [first] = rows;
  return first
    ? { realmId, position: first.position, what: `its version in stream ${first.stream} is out of order` }
    : null;
}
