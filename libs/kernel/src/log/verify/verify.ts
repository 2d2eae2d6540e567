import type { ClientBase, Pool } from 'pg';
import type { Position, RealmId } from '../../domain/index';
import type { EventLog } from '../event-log';
import type { KnownBeside } from './known-positions';
import type { StoredEvent } from '../encoding/registry';
import { commitmentOf, leafHash } from '../encoding/canonical';
import { newestKnown } from './known-positions';

/** The first position at which the log of a realm is not what was written. */
export interface VerificationFailure {
  readonly realmId: RealmId;
  readonly position: Position;
  readonly what: string;
}

export interface Verification {
  readonly realmId: RealmId;
  /** Events that were checked. */
  readonly events: number;
  /** Those of them whose sealed part was erased: only that there was one is still proved. */
  readonly erased: number;
  /** Null when every check held. */
  readonly failure: VerificationFailure | null;
}

export interface VerifyOptions {
  /** What contexts keep beside the log, see `ContextDefinition.known`. */
  readonly beside?: readonly KnownBeside[];
  /** Called after each page with the events checked so far and the realm's head. */
  readonly onProgress?: (done: number, total: number) => void;
}

const PAGE = 5_000;

/**
 * Checks a realm's log from its first event to its head: no position missing, time never going back, every leaf hash
 * and every commitment still true, versions of streams without a gap. Erased parts are no failure but are counted; their
 * commitments stay and are covered by the leaf hash. An erasure takes the salt too, and the log lets nothing take the one
 * without the other: a salt that is left tells of words that went in another way, so that is a failure.
 *
 * @param onProgress called after each page with the events checked so far and the realm's head
 */
export async function verifyLog(
  log: EventLog,
  pool: Pool | ClientBase,
  realmId: RealmId,
  { beside = [], onProgress = () => undefined }: VerifyOptions = {},
): Promise<Verification> {
  const head = (await log.heads([realmId])).get(realmId) ?? (0 as Position);
  const failureAt = (position: number, what: string): VerificationFailure => ({
    realmId,
    position: position as Position,
    what,
  });
  let last: StoredEvent | undefined;
  let done = 0;
  let erased = 0;
  while (done < head) {
    const page = await log.storedPage(realmId, done, Math.min(PAGE, head - done));
    for (const event of page) {
      const what = failureOf(event, last);
      if (what) return { realmId, events: done, erased, failure: failureAt((last?.position ?? 0) + 1, what) };
      last = event;
      done++;
      if (isErased(event)) erased++;
    }
    if (page.length === 0)
      return { realmId, events: done, erased, failure: failureAt(done + 1, 'the event is missing') };
    onProgress(done, head);
  }
  const failure = (await brokenStream(pool, realmId, head)) ?? (await missingEnd(log, pool, realmId, beside));
  return { realmId, events: done, erased, failure };
}

function failureOf(event: StoredEvent, last: StoredEvent | undefined): string | undefined {
  if (event.position !== (last?.position ?? 0) + 1) return 'the event is missing';
  if (last && event.at < last.at) return 'its time is before that of the event before it';
  if (!leafHash(event, event).equals(event.leafHash)) return 'its content does not match its hash';
  if (event.sealedText === null) return event.salt ? 'its sealed part is gone, but its salt is not' : undefined;
  if (!event.salt || !event.commitment) return 'its sealed part has no commitment';
  const kept = commitmentOf(event.salt, event.sealedText).equals(event.commitment);
  return kept ? undefined : 'its sealed part does not match its commitment';
}

const isErased = ({ sealedText, commitment }: StoredEvent): boolean => sealedText === null && commitment !== null;

/** Versions of a stream must be 1, 2, 3 … in the order of positions. */
async function brokenStream(
  pool: Pool | ClientBase,
  realmId: RealmId,
  head: Position,
): Promise<VerificationFailure | null> {
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

/** Until there are signed checkpoints: the head is behind somebody who has followed the log. */
async function missingEnd(
  log: EventLog,
  pool: Pool | ClientBase,
  realmId: RealmId,
  beside: readonly KnownBeside[],
): Promise<VerificationFailure | null> {
  const newest = await newestKnown(pool, realmId, beside);
  // Read after what others know: the log may have grown meanwhile, and they with it.
  const head = (await log.heads([realmId])).get(realmId) ?? (0 as Position);
  if (!newest || newest.position <= head) return null;
  const what = `the log ends at ${head}, but ${newest.who} knows ${newest.position}`;
  return { realmId, position: (head + 1) as Position, what };
}
