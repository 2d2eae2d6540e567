import type { Client } from 'pg';
import type { Instant, Position, RealmId } from '../../domain/index';
import type { Append } from '../append/append';
import type { Head, Locked, Plan, PlacedEvent, RestedOn } from '../append/batch';
import type { Projection } from '../../projections/definition/define';
import type { KeptUp } from '../../projections/inline/live-models';
import type { Assumption } from '../append/known-realms';
import type { PipelinedStatement } from './pipelined-batch';
import type { LaneOptions } from '../lanes/lane-options';
import { binaryArray } from '../../projections/rows/binary-arrays';
import { checkpointStatements } from '../../projections/inline/keep-up';
import { statementPieces } from '../../projections/rows/row-sql';
import { restedOn } from '../append/batch';
import { send } from './pipelined-batch';
import type { Busy } from './head-locks';
import { LOCK_FREE_HEADS, OPEN_REALMS, lockHeads, waitFor } from './head-locks';
import { failingKeys, guardQueries } from './guard-queries';

const BEGIN: PipelinedStatement = { name: 'lane-begin', text: 'BEGIN', values: [] };
export const COMMIT: PipelinedStatement = { name: 'lane-commit', text: 'COMMIT', values: [] };

/**
 * Before everything that a batch writes when it was planned without a look: locks the heads in id order, and fails
 * unless they are where the plan has them; then, as a statement of its own that sees what is true under the lock, fails
 * unless the rest is as assumed.
 */
export function ensure({ locked, supposed }: Assumption, installation: string, edition: number): PipelinedStatement[] {
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

/** A division by zero is how a statement fails by itself, and with it all that was sent behind it. */
const failUnless = (condition: string) => `1 / coalesce((${condition})::int4, 0)`;
const ASSUMED_WRONGLY = '22012';
export const assumedWrongly = (error: unknown): boolean => (error as { code?: string }).code === ASSUMED_WRONGLY;
const SAME = '(SELECT id = $1::uuid AND read_models = $2::int4 FROM installation)';

/**
 * Round trip 1 of a batch that has to be told something: opens the transaction, locks the heads in id order, then reads
 * under the lock. The reads are statements of their own on purpose: each sees a snapshot from after the lock was
 * granted.
 *
 * @param busy what becomes of heads that somebody else holds: with `pass over` they are missing in the answer; when it
 *   is a realm, that one is waited for a moment, before anything is locked, and the others are passed over
 * @throws Overloaded when the live read models are not those this code writes, or the history is not the one this
 *   process began with
 */
export async function lockAndRead(
  client: Client,
  appends: readonly Append[],
  { tables, history, models, keepUp }: Pick<LaneOptions, 'tables' | 'history' | 'models' | 'keepUp'>,
  busy: Busy,
): Promise<{ locked: Locked; keptUp: readonly KeptUp[] }> {
  const realms = [...new Set(appends.map((append) => append.realmId))].sort((a, b) => a - b);
  const opened = appends.filter((append) => append.opensRealm).map((append) => append.realmId);
  const streams = restedOn(appends);
  const guards = guardQueries(appends);
  const asking = guards.map(({ guard, realmIds, keys }) => ({
    name: `guard-${guard.name}`,
    text: tables.resolve(guard.failing),
    values: [binaryArray('int4', realmIds), binaryArray('text', keys)],
  }));
  const opening =
    opened.length === 0 ? [] : [{ name: 'lane-open-realms', text: OPEN_REALMS, values: [binaryArray('int4', opened)] }];
  const before = [...(typeof busy === 'number' ? waitFor(busy) : []), ...opening];
  const answers = await send(client, [
    BEGIN,
    ...before,
    lockHeads(realms, busy),
    { name: 'lane-versions', text: currentVersions(1), values: streamArrays([...streams.values()]) },
    LIVE,
    ...asking,
  ]);
  const [held = [], versions = [], live = [], ...first] = answers.slice(1 + before.length).map(({ rows }) => rows);
  const [installation, edition] = live[0] ?? [];
  history.ensureSame(installation ?? '');
  models.note(Number(edition));
  const { keptUp } = await models.now(client, Number(edition));
  const heads = new Map(
    held.map(([realmId, position, at]): [RealmId, Head] => [
      Number(realmId) as RealmId,
      { position: Number(position) as Position, at: Number(at) as Instant },
    ]),
  );
  // Guards were asked of read models that another version's processes do not write: whoever brought them up meanwhile.
  if (keptUp.length > 0) await keepUp.reachIn(client, heads, keptUp);
  const failing = keptUp.length > 0 ? (await send(client, asking)).map(({ rows }) => rows) : first;
  const places = [...streams.keys()];
  return {
    locked: {
      heads,
      versions: new Map(versions.map(([ord, version]) => [places[Number(ord) - 1] ?? '', Number(version)])),
      failing: failingKeys(guards, failing),
    },
    keptUp,
  };
}

const LIVE: PipelinedStatement = {
  name: 'lane-live',
  text: 'SELECT id, read_models FROM installation',
  values: [],
};

/** Everything a batch writes, except the COMMIT. */
export const commitStatements = (plan: Plan, inline: readonly Projection[]): PipelinedStatement[] =>
  [...commitPieces(plan, inline)].flat();

/** The same in pieces, each made when it is taken: those of an append of many rows take long together. */
export function* commitPieces(
  plan: Plan,
  inline: readonly Projection[],
  keptUp: readonly KeptUp[] = [],
): Generator<PipelinedStatement[], void> {
  const events = plan.placed.flatMap((placed) => placed.events);
  const recorded = events.map((event) => event.recorded);
  yield [insertEvents(events), updateHeads(plan), ...secretStatements(plan)];
  for (const projection of inline) yield* statementPieces(projection, recorded);
  yield checkpointStatements(plan.heads, keptUp);
}

/**
 * The version of each stream, 0 without events, as (ord, version).
 * @param first number of the parameter with the realm ids; the names of the streams are the next one
 */
const currentVersions = (first: number) => `SELECT s.ord::int4 AS ord, coalesce(e.version, 0) AS version
  FROM unnest($${first}::int4[], $${first + 1}::text[]) WITH ORDINALITY AS s(realm_id, stream, ord)
  LEFT JOIN LATERAL (SELECT version FROM events WHERE realm_id = s.realm_id AND stream = s.stream
    ORDER BY version DESC LIMIT 1) AS e ON true`;

const streamArrays = (streams: readonly Pick<RestedOn, 'realmId' | 'stream'>[]) => [
  binaryArray(
    'int4',
    streams.map(({ realmId }) => realmId),
  ),
  binaryArray(
    'text',
    streams.map(({ stream }) => stream),
  ),
];

const EVENT_COLUMNS = `realm_id, position, stream, version, type, v, actor_id, command_id, correlation, causation,
  client, at, data, sealed, salt, commitment, leaf_hash`;

function insertEvents(events: readonly PlacedEvent[]): PipelinedStatement {
  const of = <T>(pick: (event: PlacedEvent) => T): T[] => events.map(pick);
  return {
    name: 'lane-insert',
    text: `INSERT INTO events (${EVENT_COLUMNS}) SELECT * FROM unnest($1::int4[], $2::int8[], $3::text[], $4::int4[],
      $5::text[], $6::int2[], $7::int8[], $8::uuid[], $9::uuid[], $10::text[], $11::text[], $12::int8[], $13::json[],
      $14::json[], $15::bytea[], $16::bytea[], $17::bytea[])`,
    values: [
      binaryArray(
        'int4',
        of((e) => e.recorded.realmId),
      ),
      binaryArray(
        'int8',
        of((e) => e.recorded.position),
      ),
      binaryArray(
        'text',
        of((e) => e.recorded.stream),
      ),
      binaryArray(
        'int4',
        of((e) => e.recorded.version),
      ),
      binaryArray(
        'text',
        of((e) => e.recorded.type),
      ),
      binaryArray(
        'int2',
        of((e) => e.prepared.v),
      ),
      binaryArray(
        'int8',
        of((e) => e.recorded.actorId),
      ),
      binaryArray(
        'uuid',
        of((e) => e.recorded.commandId),
      ),
      binaryArray(
        'uuid',
        of((e) => e.recorded.correlation),
      ),
      binaryArray(
        'text',
        of((e) => e.recorded.causation),
      ),
      binaryArray(
        'text',
        of((e) => e.recorded.client),
      ),
      binaryArray(
        'int8',
        of((e) => e.recorded.at),
      ),
      binaryArray(
        'json',
        of((e) => e.prepared.dataText),
      ),
      binaryArray(
        'json',
        of((e) => e.prepared.sealedText),
      ),
      binaryArray(
        'bytea',
        of((e) => e.prepared.salt),
      ),
      binaryArray(
        'bytea',
        of((e) => e.prepared.commitment),
      ),
      binaryArray(
        'bytea',
        of((e) => e.leafHash),
      ),
    ],
  };
}

function updateHeads(plan: Plan): PipelinedStatement {
  const touched = new Set(plan.placed.map(({ append }) => append.realmId));
  const heads = [...plan.heads].filter(([realmId]) => touched.has(realmId));
  return {
    name: 'lane-heads',
    text: `UPDATE realm_heads AS h SET position = n.position, at = n.at
      FROM unnest($1::int4[], $2::int8[], $3::int8[]) AS n(realm_id, position, at) WHERE h.realm_id = n.realm_id`,
    values: headArrays(heads),
  };
}

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

function secretStatements(plan: Plan): PipelinedStatement[] {
  const statements: PipelinedStatement[] = [];
  for (const { append } of plan.placed) {
    for (const change of append.secrets) {
      statements.push(
        'put' in change
          ? {
              name: 'lane-secret-put',
              text: `INSERT INTO secrets (realm_id, id, kind, value, used_at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (realm_id, id) DO UPDATE SET value = excluded.value, used_at = excluded.used_at`,
              values: [append.realmId, change.put, change.kind, change.value, append.at],
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
