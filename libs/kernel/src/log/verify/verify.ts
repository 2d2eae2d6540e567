import type { ClientBase, Pool } from 'pg';
import type { Position, RealmId } from '../../domain/index';
import type { EventLog } from '../event-log';
import type { KnownBeside } from './known-positions';
import type { StoredEvent } from '../encoding/registry';
import { LogTree } from '../../proof/log-tree';
import type { ExpectedRoot } from '../../proof/tree-check';
import { TreeCheck } from '../../proof/tree-check';
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
  /** Events that were checked and are intact. */
  readonly events: number;
  /** Those whose sealed part was erased. Only its existence is still proved. */
  readonly erased: number;
  /** Signed roots that the tree of the log was compared with. */
  readonly roots: number;
  /** Null when every check held. */
  readonly failure: VerificationFailure | null;
}

export interface VerifyOptions {
  /** The state of contexts beside the log, see `ContextDefinition.known`. */
  readonly beside?: readonly KnownBeside[];
  /** The first position to check. The tree before it is taken as it is stored. */
  readonly from?: number;
  /** Roots that were signed, read before. */
  readonly roots?: readonly ExpectedRoot[];
  /** Runs after each page with the events checked so far and their number. */
  readonly onProgress?: (done: number, total: number) => void;
}

const PAGE = 5_000;

/**
 * Checks a realm's log up to its head: no position is missing, time never decreases, every leaf hash and every
 * commitment is true, the versions of streams have no gap, and the tree over the leaf hashes is the stored one and has
 * all signed roots. Erased parts are no failure but are counted. Their commitments remain and are covered by the leaf
 * hash. An erasure deletes the salt too, and the log permits neither without the other. So a salt without its sealed
 * part shows that the part was deleted in another way, which is a failure.
 */
export async function verifyLog(
  log: EventLog,
  pool: Pool | ClientBase,
  realmId: RealmId,
  { beside = [], from = 1, roots = [], onProgress = () => undefined }: VerifyOptions = {},
): Promise<Verification> {
  const head = (await log.heads([realmId])).get(realmId) ?? (0 as Position);
  const before = Math.min(from - 1, head);
  const [last] = before > 0 ? await log.storedPage(realmId, before - 1, 1) : [];
  const tree = await TreeCheck.after(new LogTree(pool), realmId, before, roots);
  const pages = new CheckedPages(tree, before, last);
  while (pages.position < head && !pages.failure) {
    await pages.add(await log.storedPage(realmId, pages.position, Math.min(PAGE, head - pages.position)));
    onProgress(pages.position - before, head - before);
  }
  const failure =
    pages.failure ??
    (await brokenStream(pool, realmId, before, head)) ??
    tree.end() ??
    (await missingEnd(log, pool, realmId, beside));
  const { position, erased } = pages;
  return {
    realmId,
    events: position - before,
    erased,
    roots: tree.rootsCompared,
    failure: failure && { realmId, ...failure },
  };
}

type Failure = Omit<VerificationFailure, 'realmId'>;

/** The events up to a position that were checked, page by page. */
class CheckedPages {
  failure: Failure | null = null;
  erased = 0;

  /**
   * @param position everything up to it is intact
   * @param last the event at this position
   */
  constructor(
    private readonly tree: TreeCheck,
    public position: number,
    private last: StoredEvent | undefined,
  ) {}

  async add(page: readonly StoredEvent[]): Promise<void> {
    const before = this.position;
    const leaves: Buffer[] = [];
    let found: string | undefined = page.length === 0 ? 'the event is missing' : undefined;
    for (const event of page) {
      found = failureOf(event, this.last, before + leaves.length + 1);
      if (found !== undefined) break;
      leaves.push(event.leafHash);
      this.last = event;
      if (isErased(event)) this.erased++;
    }
    const differs = await this.tree.add(leaves);
    this.position = differs ? differs.position - 1 : before + leaves.length;
    if (differs) this.failure = differs;
    else if (found !== undefined) this.failure = { position: (this.position + 1) as Position, what: found };
  }
}

function failureOf(event: StoredEvent, last: StoredEvent | undefined, expected: number): string | undefined {
  if (event.position !== expected) return 'the event is missing';
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
  before: number,
  head: Position,
): Promise<Failure | null> {
  const { rows } = await pool.query<{ position: Position; stream: string }>(
    before === 0 ? WHOLE_STREAMS_SQL : LATER_STREAMS_SQL,
    [realmId, before, head],
  );
  const [first] = rows;
  return first ? { position: first.position, what: `its version in stream ${first.stream} is out of order` } : null;
}

const WHOLE_STREAMS_SQL = `SELECT position, stream FROM (
    SELECT position, stream, version, row_number() OVER (PARTITION BY stream ORDER BY position) AS expected
    FROM events WHERE realm_id = $1 AND position > $2 AND position <= $3) AS e
  WHERE version <> expected ORDER BY position LIMIT 1`;

/** Each event after a position follows the one with the version before it. */
const LATER_STREAMS_SQL = `SELECT e.position, e.stream FROM events AS e
  WHERE e.realm_id = $1 AND e.position > $2 AND e.position <= $3 AND e.version <> 1
    AND NOT EXISTS (SELECT FROM events AS p WHERE p.realm_id = $1 AND p.stream = e.stream
      AND p.version = e.version - 1 AND p.position < e.position)
  ORDER BY e.position LIMIT 1`;

/** The head is before a position that something beside the log knows. */
async function missingEnd(
  log: EventLog,
  pool: Pool | ClientBase,
  realmId: RealmId,
  beside: readonly KnownBeside[],
): Promise<Failure | null> {
  const newest = await newestKnown(pool, realmId, beside);
  // Read after the positions of others: the log may have grown meanwhile, and they with it.
  const head = (await log.heads([realmId])).get(realmId) ?? (0 as Position);
  if (!newest || newest.position <= head) return null;
  const what = `the log ends at ${head}, but ${newest.who} knows ${newest.position}`;
  return { position: (head + 1) as Position, what };
}
