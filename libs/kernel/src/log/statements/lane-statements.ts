import type { Client } from 'pg';
import type { Instant, Metadata, Position, RealmId } from '../../domain/index';
import { ascending } from '../../domain/index';
import type { Append, PreparedEvent } from '../append/append';
import type { Head, Locked, BatchPlan, StreamDependency } from '../append/batch';
import type { Projection } from '../../projections/definition/define';
import type { SideBySideModel } from '../../projections/inline/live-models';
import type { Assumption } from '../append/known-realms';
import type { PipelinedStatement } from './pipelined-batch';
import type { LaneOptions } from '../lanes/lane-options';
import type { Element, ElementType } from '../../projections/rows/binary-arrays';
import { binaryArray } from '../../projections/rows/binary-arrays';
import { checkpointStatements } from '../../projections/inline/keep-up';
import { statementPieces } from '../../projections/rows/row-sql';
import { streamDependencies } from '../append/batch';
import { sendStatements } from './pipelined-batch';
import type { Busy } from './head-locks';
import { LOCK_FREE_HEADS, OPEN_REALMS, lockHeads, waitFor } from './head-locks';
import type { GuardQuery } from './guard-queries';
import { failingKeys, guardQueries } from './guard-queries';

const BEGIN: PipelinedStatement = { name: 'lane-begin', text: 'BEGIN', values: [] };
export const COMMIT: PipelinedStatement = { name: 'lane-commit', text: 'COMMIT', values: [] };

/**
 * Precedes everything that a batch writes when it was planned without a read: locks the heads in id order, and fails
 * unless they are where the plan has them. Then another statement, which sees what is true under the lock, fails unless
 * the other assumptions hold.
 */
export function ensureHeads(
  { locked, supposed }: Assumption,
  installation: string,
  edition: number,
): PipelinedStatement[] {
  const heads = [...locked.heads].sort(([a], [b]) => a - b);
  const held = {
    name: 'lane-lock-at',
    text: `SELECT ${failUnless('array_agg(position) = $2::int8[] AND array_agg(at) = $3::int8[]')} FROM (${LOCK_FREE_HEADS}) AS held`,
    values: headArrays(heads),
  };
  const values = [installation, edition];
  if (supposed.length === 0) return [BEGIN, held, { name: 'lane-same', text: `SELECT ${failUnless(SAME)}`, values }];
  const versions = {
    name: 'lane-same-and-versions',
    text: `SELECT ${failUnless(`${SAME} AND (SELECT count(*) = 0 FROM (${currentVersions(3)}) AS s
      JOIN unnest($5::int4[]) WITH ORDINALITY AS claimed(version, ord) USING (ord)
      WHERE s.version <> claimed.version)`)}`,
    values: [
      ...values,
      ...streamArrays(supposed),
      binaryArray(
        'int4',
        supposed.map(({ version }) => version),
      ),
    ],
  };
  return [BEGIN, held, versions];
}

/** A division by zero makes a statement fail by itself, and with it everything that was sent after it. */
const failUnless = (condition: string) => `1 / coalesce((${condition})::int4, 0)`;
const ASSUMED_WRONGLY = '22012';
export const assumedWrongly = (error: unknown): boolean => (error as { code?: string }).code === ASSUMED_WRONGLY;
const SAME = '(SELECT id = $1::uuid AND read_models = $2::int4 FROM installation)';

/**
 * Round trip 1 of a batch that has to read first: opens the transaction, locks the heads in id order, then reads under
 * the lock. The reads are separate statements on purpose: each has a snapshot from after the lock was granted.
 *
 * @param busy how to treat heads that another session holds. With `pass over` they are missing in the answer. With a
 *   realm, that one is waited for shortly, before anything is locked, and the others are passed over
 * @throws Overloaded when the live read models are not those that this code writes, or the history is not the one that
 *   this process began with
 */
export async function lockAndRead(
  client: Client,
  appends: readonly Append[],
  { tables, history, models, keepUp }: Pick<LaneOptions, 'tables' | 'history' | 'models' | 'keepUp'>,
  busy: Busy,
): Promise<{ locked: Locked; sideBySide: readonly SideBySideModel[] }> {
  const realms = ascending(new Set(appends.map((append) => append.realmId)));
  const opened = appends.filter((append) => append.opensRealm).map((append) => append.realmId);
  const streams = streamDependencies(appends);
  const guards = guardQueries(appends);
  const checks = guards.map(({ guard, realmIds, keys }) => ({
    name: `guard-${guard.name}`,
    text: tables.resolve(guard.failing),
    values: [binaryArray('int4', realmIds), binaryArray('text', keys)],
  }));
  const locks = locksOf(guards);
  const opening =
    opened.length === 0 ? [] : [{ name: 'lane-open-realms', text: OPEN_REALMS, values: [binaryArray('int4', opened)] }];
  const before = [...(typeof busy === 'number' ? waitFor(busy) : []), ...opening];
  const current = { name: 'lane-versions', text: currentVersions(1), values: streamArrays([...streams.values()]) };
  const reads = [BEGIN, ...before, lockHeads(realms, busy), current, LIVE, ...locks, ...checks];
  const answers = await sendStatements(client, reads);
  const [held = [], versions = [], live = [], ...rest] = answers.slice(1 + before.length).map(({ rows }) => rows);
  const first = rest.slice(locks.length);
  const [installation, edition] = live[0] ?? [];
  history.ensureSame(installation ?? '');
  models.note(Number(edition));
  const { sideBySide } = await models.now(client, Number(edition));
  const heads = headsOf(held);
  // Guards read view tables that the processes of another version do not write. They were brought up to the head
  // before.
  if (sideBySide.length > 0) await keepUp.reachIn(client, heads, sideBySide);
  const failing = sideBySide.length > 0 ? (await sendStatements(client, checks)).map(({ rows }) => rows) : first;
  const keys = [...streams.keys()];
  const versionOf = new Map(versions.map(([ord, version]) => [keys[Number(ord) - 1] ?? '', Number(version)]));
  return { locked: { heads, versions: versionOf, failing: failingKeys(guards, failing) }, sideBySide };
}

const locksOf = (guards: readonly GuardQuery[]) =>
  guards.some(({ guard }) => guard.isOfServer) ? [LOCK_RULES_OF_SERVER] : [];

/** A statement of its own, so that the guards see what the last holder has committed. Heads are locked before. */
const LOCK_RULES_OF_SERVER: PipelinedStatement = {
  name: 'lane-rules-of-server',
  text: 'SELECT pg_advisory_xact_lock(7218503)',
  values: [],
};

const headsOf = (rows: readonly (readonly (string | null)[])[]): Map<RealmId, Head> =>
  new Map(
    rows.map(([realmId, position, at]) => [
      Number(realmId) as RealmId,
      { position: Number(position) as Position, at: Number(at) as Instant },
    ]),
  );

const LIVE: PipelinedStatement = {
  name: 'lane-live',
  text: 'SELECT id, read_models FROM installation',
  values: [],
};

/** Everything a batch writes, except the COMMIT. */
export const commitStatements = (plan: BatchPlan, inline: readonly Projection[]): PipelinedStatement[] =>
  [...commitPieces(plan, inline)].flat();

/** The same in pieces, each made when it is needed: the pieces of an append of many rows take long together. */
export function* commitPieces(
  plan: BatchPlan,
  inline: readonly Projection[],
  sideBySide: readonly SideBySideModel[] = [],
): Generator<PipelinedStatement[], void> {
  const events = plan.accepted.flatMap((append) => append.events);
  const recorded = events.map((event) => event.recorded);
  yield [insertEvents(events), updateHeads(plan), ...secretStatements(plan)];
  for (const projection of inline) yield* statementPieces(projection, recorded);
  yield checkpointStatements(plan.heads, sideBySide);
}

/**
 * The version of each stream, 0 without events, as (ord, version).
 *
 * @param first number of the parameter with the realm ids. The names of the streams are the next one
 */
const currentVersions = (first: number) => `SELECT s.ord::int4 AS ord, coalesce(e.version, 0) AS version
  FROM unnest($${first}::int4[], $${first + 1}::text[]) WITH ORDINALITY AS s(realm_id, stream, ord)
  LEFT JOIN LATERAL (SELECT version FROM events WHERE realm_id = s.realm_id AND stream = s.stream
    ORDER BY version DESC LIMIT 1) AS e ON true`;

const streamArrays = (streams: readonly Pick<StreamDependency, 'realmId' | 'stream'>[]) => [
  binaryArray(
    'int4',
    streams.map(({ realmId }) => realmId),
  ),
  binaryArray(
    'text',
    streams.map(({ stream }) => stream),
  ),
];

/** The parts of an event that its row in the log has. */
export interface LogRow {
  readonly recorded: Metadata & { readonly type: string };
  readonly prepared: Pick<PreparedEvent, 'v' | 'dataText' | 'sealedText' | 'salt' | 'commitment'>;
  readonly leafHash: Buffer;
}

/** The columns of an event, with their types and values. */
const EVENT_COLUMNS: readonly (readonly [column: string, type: ElementType, value: (event: LogRow) => Element])[] = [
  ['realm_id', 'int4', ({ recorded }) => recorded.realmId],
  ['position', 'int8', ({ recorded }) => recorded.position],
  ['stream', 'text', ({ recorded }) => recorded.stream],
  ['version', 'int4', ({ recorded }) => recorded.version],
  ['type', 'text', ({ recorded }) => recorded.type],
  ['v', 'int2', ({ prepared }) => prepared.v],
  ['actor_id', 'int8', ({ recorded }) => recorded.actorId],
  ['command_id', 'uuid', ({ recorded }) => recorded.commandId],
  ['correlation', 'uuid', ({ recorded }) => recorded.correlation],
  ['causation', 'text', ({ recorded }) => recorded.causation],
  ['client', 'text', ({ recorded }) => recorded.client],
  ['at', 'int8', ({ recorded }) => recorded.at],
  ['data', 'json', ({ prepared }) => prepared.dataText],
  ['sealed', 'json', ({ prepared }) => prepared.sealedText],
  ['salt', 'bytea', ({ prepared }) => prepared.salt],
  ['commitment', 'bytea', ({ prepared }) => prepared.commitment],
  ['leaf_hash', 'bytea', ({ leafHash }) => leafHash],
];

const INSERT_EVENTS_SQL = `INSERT INTO events (${EVENT_COLUMNS.map(([column]) => column).join(', ')})
  SELECT * FROM unnest(${EVENT_COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})`;

/** Writes rows of the log. The sender of the statement holds the locks of their heads. */
export const insertEvents = (events: readonly LogRow[]): PipelinedStatement => ({
  name: 'lane-insert',
  text: INSERT_EVENTS_SQL,
  values: EVENT_COLUMNS.map(([, type, value]) => binaryArray(type, events.map(value))),
});

function updateHeads(plan: BatchPlan): PipelinedStatement {
  const touched = new Set(plan.accepted.map(({ append }) => append.realmId));
  return moveHeads([...plan.heads].filter(([realmId]) => touched.has(realmId)));
}

/** Sets the heads of realms. The sender of the statement holds their locks. */
export const moveHeads = (heads: readonly (readonly [RealmId, Head])[]): PipelinedStatement => ({
  name: 'lane-heads',
  text: `UPDATE realm_heads AS h SET position = n.position, at = n.at
    FROM unnest($1::int4[], $2::int8[], $3::int8[]) AS n(realm_id, position, at) WHERE h.realm_id = n.realm_id`,
  values: headArrays(heads),
});

/** Realms, positions and times. */
const headArrays = (heads: readonly (readonly [RealmId, Head])[]) => [
  binaryArray(
    'int4',
    heads.map(([realmId]) => realmId),
  ),
  binaryArray(
    'int8',
    heads.map(([, head]) => head.position),
  ),
  binaryArray(
    'int8',
    heads.map(([, head]) => head.at),
  ),
];

function secretStatements(plan: BatchPlan): PipelinedStatement[] {
  const statements: PipelinedStatement[] = [];
  for (const { append } of plan.accepted) {
    for (const change of append.secrets) {
      statements.push(
        'put' in change
          ? {
              name: 'lane-secret-put',
              text: `INSERT INTO secrets (realm_id, id, kind, value, used_at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (realm_id, id) DO UPDATE SET value = excluded.value, used_at = excluded.used_at`,
              values: [append.realmId, change.put, change.kind, change.value, change.isUnused ? null : append.at],
            }
          : {
              name: 'lane-secret-drop',
              text: 'DELETE FROM secrets WHERE realm_id = $1 AND id = $2',
              values: [append.realmId, change.drop],
            },
      );
    }
  }
  return statements;
}
