import { eventId, lastLoggedId, positionOf } from '@annals/feed';
import type { KnownBeside, Migration } from '@annals/kernel';
import type { ClientBase } from 'pg';

/**
 * How far consumers are. Offsets are `position × 65,536 + k`, times are milliseconds since the epoch.
 *
 * - `consumer_positions`: everything up to `read_to` was offered, or is among the held keys. `began` is the event with which
 *   the consumer began, or began again: rows of an earlier one are outdated.
 * - `consumer_offers`: events that were offered and are neither acknowledged nor skipped: leased to a worker until a time,
 *   waiting until one, or parked since one. `worker` is the name of a worker, or one of its streams (`streamHolder`).
 * - `consumer_held_keys`: events of these partition keys after an offset, up to `read_to`, were passed and not offered, because
 *   an earlier one of the key is not settled. They are read again when the key is free.
 */
const SQL = `
CREATE TABLE consumer_positions (
  realm_id int4,
  consumer_id int8,
  began int8 NOT NULL,
  read_to int8 NOT NULL,
  PRIMARY KEY (realm_id, consumer_id)
);

CREATE TABLE consumer_offers (
  realm_id int4,
  consumer_id int8,
  event_offset int8,
  key text NOT NULL,
  state text NOT NULL,
  worker text NOT NULL,
  since int8 NOT NULL,
  until int8 NOT NULL,
  attempts int4 NOT NULL,
  PRIMARY KEY (realm_id, consumer_id, event_offset)
);
CREATE INDEX consumer_offers_parked ON consumer_offers (realm_id, consumer_id, event_offset) WHERE state = 'parked';

CREATE TABLE consumer_held_keys (
  realm_id int4,
  consumer_id int8,
  key text,
  after_offset int8 NOT NULL,
  PRIMARY KEY (realm_id, consumer_id, key)
);
`;

/**
 * What workers send to webhooks.
 *
 * - `consumer_batches`: the events of the request that is sent until it is acknowledged, with its `webhook-id`. They are
 *   stored before the first attempt. `holder` is the process that sends, until `held_until`. `began` is that of the position, and
 *   `fresh_since` that of the webhook: what was stored before is outdated. `reported` is the number of hours after which the
 *   owner was told that the webhook fails. `deliveries` counts all attempts.
 * - `consumer_deliveries`: the last attempts. A new one takes the slot of the oldest one.
 */
const WEBHOOKS_SQL = `
CREATE TABLE consumer_batches (
  realm_id int4,
  consumer_id int8,
  began int8 NOT NULL,
  fresh_since int8 NOT NULL,
  message_id text,
  offsets int8[],
  through int8,
  failures int4 NOT NULL,
  due_at int8 NOT NULL,
  failing_since int8,
  reported int4 NOT NULL,
  holder text NOT NULL,
  held_until int8 NOT NULL,
  deliveries int8 NOT NULL,
  PRIMARY KEY (realm_id, consumer_id)
);
CREATE INDEX consumer_batches_failing ON consumer_batches (realm_id) WHERE failing_since IS NOT NULL;

CREATE TABLE consumer_deliveries (
  realm_id int4,
  consumer_id int8,
  slot int4,
  number int8 NOT NULL,
  message_id text NOT NULL,
  at int8 NOT NULL,
  attempt int4 NOT NULL,
  status int4,
  ms int4 NOT NULL,
  answer text NOT NULL,
  PRIMARY KEY (realm_id, consumer_id, slot)
);
`;

export const consumerMigrations: readonly Migration[] = [
  { name: 'Consumers', written: 1795698000001, sql: SQL },
  { name: 'ConsumerWebhooks', written: 1795702800001, sql: WEBHOOKS_SQL },
];

const PER_POSITION = eventId(1, 0);

/** Takes consumers back to the ends of the logs, if a restore took those back. */
export async function takeConsumersBack(client: ClientBase): Promise<string> {
  const beyond = `> h.position * ${PER_POSITION} + ${lastLoggedId(0)}`;
  const of = (table: string) => `${table} AS c USING realm_heads AS h WHERE c.realm_id = h.realm_id`;
  await client.query(`DELETE FROM ${of('consumer_offers')} AND c.event_offset ${beyond}`);
  await client.query(`DELETE FROM ${of('consumer_held_keys')} AND c.after_offset ${beyond}`);
  // What was offered since a beginning that no longer exists would block what is offered since the earlier one.
  for (const table of ['consumer_offers', 'consumer_held_keys'])
    await client.query(
      `DELETE FROM ${of(table)} AND EXISTS (SELECT FROM consumer_positions AS p
        WHERE p.realm_id = c.realm_id AND p.consumer_id = c.consumer_id AND p.began > h.position)`,
    );
  await client.query(`DELETE FROM ${of('consumer_positions')} AND c.began > h.position`);
  await client.query(`DELETE FROM ${of('consumer_batches')} AND greatest(c.began, c.fresh_since) > h.position`);
  await client.query(
    `UPDATE consumer_batches AS c SET message_id = NULL, offsets = NULL, through = NULL
      FROM realm_heads AS h WHERE c.realm_id = h.realm_id AND c.through ${beyond}`,
  );
  const { rowCount } = await client.query(
    `UPDATE consumer_positions AS c SET read_to = h.position * ${PER_POSITION} + ${lastLoggedId(0)}
      FROM realm_heads AS h WHERE c.realm_id = h.realm_id AND c.read_to ${beyond}`,
  );
  return `${rowCount ?? 0} consumers taken back to the ends of the logs`;
}

/** The position up to which a consumer has read, which the log must reach. */
export const newestConsumed: KnownBeside = async (client, realmId) => {
  const { rows } = await client.query<{ offset: number | null }>({
    name: 'consumers-newest',
    text: 'SELECT max(read_to) AS "offset" FROM consumer_positions WHERE realm_id = $1',
    values: [realmId],
  });
  const offset = rows[0]?.offset ?? null;
  return offset === null ? null : { who: 'a consumer', position: positionOf(offset) };
};
