import type { Duplex } from 'node:stream';
import type { Client, QueryResult } from 'pg';
import type { Instant, Position, RealmId } from '../domain/index';
import type { Append, Guard } from './append';
import type { Head, Locked, Plan, PlacedEvent } from './batch';
import type { Projection } from '../projections/define';
import type { LiveVersion } from '../projections/projection-store';
import type { Statement } from '../projections/row-sql';
import { binaryArray } from '../projections/binary-arrays';
import { LIVE_VERSIONS_SQL, lacks } from '../projections/projection-store';
import { statementsFor } from '../projections/row-sql';
import { inRealm } from './batch';
import { guardKey } from './append';
import { Overloaded } from './errors';

/**
 * Sends everything that `send` asks for with one write to the socket: a system call per statement would cost more than
 * the statements.
 */
export function inOneWrite<T>(client: Client, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/**
 * Round trip 1 of a batch, in one pipeline: opens the transaction, locks the heads in id order, then reads under the
 * lock. The reads are statements of their own on purpose: each sees a snapshot from after the lock was granted.
 *
 * @throws Overloaded when the live read models are not those this code writes
 */
export async function lockAndRead(
  client: Client,
  appends: readonly Append[],
  inline: readonly Projection[],
): Promise<Locked> {
  const realms = [...new Set(appends.map((append) => append.realmId))].sort((a, b) => a - b);
  const opened = appends.filter((append) => append.opensRealm).map((append) => append.realmId);
  const guards = guardQueries(appends);
  const { pending, heads, versions, live, failing } = inOneWrite(client, () => ({
    pending: [
      client.query('BEGIN'),
      ...(opened.length === 0 ? [] : [client.query({ text: OPEN_REALMS, values: [opened] })]),
    ],
    heads: client.query<{ realm_id: RealmId; position: Position; at: Instant }>({
      name: 'lane-lock',
      text: LOCK_HEADS,
      values: [realms],
    }),
    versions: readVersions(client, appends),
    live: client.query<LiveVersion>({ name: 'lane-live', text: LIVE_VERSIONS_SQL }),
    failing: guards.map(({ guard, realmIds, keys }) =>
      client.query<{ ord: number }>({ name: `guard-${guard.name}`, text: guard.failing, values: [realmIds, keys] }),
    ),
  }));
  await settle([...pending, heads, versions, live, ...failing]);
  const reason = lacks((await live).rows, inline);
  if (reason !== undefined) throw new Overloaded(reason);
  return {
    heads: new Map((await heads).rows.map((row): [RealmId, Head] => [row.realm_id, row])),
    versions: await versions,
    failing: await failingKeys(guards, failing),
  };
}

const OPEN_REALMS = 'INSERT INTO realm_heads SELECT unnest($1::int4[]), 0, 0 ON CONFLICT DO NOTHING';
const LOCK_HEADS =
  'SELECT realm_id, position, at FROM realm_heads WHERE realm_id = ANY($1::int4[]) ORDER BY realm_id FOR UPDATE';

/** Round trip 2: everything the batch writes, except the COMMIT. */
export function commitStatements(plan: Plan, inline: readonly Projection[]): Statement[] {
  const events = plan.placed.flatMap((placed) => placed.events);
  const recorded = events.map((event) => event.recorded);
  return [
    insertEvents(events),
    updateHeads(plan),
    ...secretStatements(plan),
    ...inline.flatMap((projection) => statementsFor(projection, recorded)),
  ];
}

async function readVersions(client: Client, appends: readonly Append[]): Promise<Map<string, number>> {
  const streams = new Map<string, { realmId: RealmId; stream: string }>();
  for (const { realmId, reads, events } of appends) {
    for (const stream of reads.keys()) streams.set(inRealm(realmId, stream), { realmId, stream });
    for (const { target } of events) {
      if ('stream' in target) streams.set(inRealm(realmId, target.stream), { realmId, stream: target.stream });
    }
  }
  const wanted = [...streams.values()];
  const { rows } = await client.query<{ ord: number; version: number }>({
    name: 'lane-versions',
    text: `SELECT s.ord::int4, e.version FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS s(realm_id, stream, ord)
      CROSS JOIN LATERAL (SELECT version FROM events WHERE realm_id = s.realm_id AND stream = s.stream
        ORDER BY version DESC LIMIT 1) AS e`,
    values: [
      binaryArray(
        'int4',
        wanted.map((one) => one.realmId),
      ),
      binaryArray(
        'text',
        wanted.map((one) => one.stream),
      ),
    ],
  });
  const keys = [...streams.keys()];
  return new Map(rows.map((row) => [keys[row.ord - 1] ?? '', row.version]));
}

interface GuardQuery {
  readonly guard: Guard;
  readonly realmIds: RealmId[];
  readonly keys: string[];
  readonly places: string[];
}

/** One query per kind of guard, whatever the number of commands that use it. */
function guardQueries(appends: readonly Append[]): GuardQuery[] {
  const queries = new Map<Guard, GuardQuery>();
  for (const { realmId, guards } of appends) {
    for (const use of guards) {
      const query = queries.get(use.guard) ?? { guard: use.guard, realmIds: [], keys: [], places: [] };
      query.realmIds.push(realmId);
      query.keys.push(use.key);
      query.places.push(inRealm(realmId, guardKey(use)));
      queries.set(use.guard, query);
    }
  }
  return [...queries.values()];
}

async function failingKeys(
  guards: readonly GuardQuery[],
  answers: readonly Promise<QueryResult<{ ord: number }>>[],
): Promise<Set<string>> {
  const failing = new Set<string>();
  for (const [n, { places }] of guards.entries()) {
    for (const { ord } of (await answers[n])?.rows ?? []) failing.add(places[Number(ord) - 1] ?? '');
  }
  return failing;
}

const EVENT_COLUMNS = `realm_id, position, stream, version, type, v, actor_id, command_id, correlation, causation,
  client, at, data, sealed, salt, commitment, leaf_hash`;

function insertEvents(events: readonly PlacedEvent[]): Statement {
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

function updateHeads(plan: Plan): Statement {
  const touched = new Set(plan.placed.map(({ append }) => append.realmId));
  const heads = [...plan.heads].filter(([realmId]) => touched.has(realmId));
  return {
    name: 'lane-heads',
    text: `UPDATE realm_heads AS h SET position = n.position, at = n.at
      FROM unnest($1::int4[], $2::int8[], $3::int8[]) AS n(realm_id, position, at) WHERE h.realm_id = n.realm_id`,
    values: [
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
    ],
  };
}

function secretStatements(plan: Plan): Statement[] {
  const statements: Statement[] = [];
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

/** Waits for all, then throws the first error: a later statement's "transaction is aborted" would hide the cause. */
export async function settle(promises: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(promises);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
