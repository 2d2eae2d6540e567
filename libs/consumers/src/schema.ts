import { eventId, lastLoggedId, positionOf } from '@annals/feed';
import type { KnownBeside, Migration } from '@annals/kernel';
import type { ClientBase } from 'pg';

/**
 * How far consumers are. Offsets are `position × 65,536 + k`, times are milliseconds since the epoch.
 *
 * - `consumer_positions`: everything up to `read_to` was offered, or is among the held keys. `began` is the event with which
 *   the consumer began, or began again: rows of an earlier one are outdated.
 * - `consumer_offers`: events that were offered and are neither acknowledged nor skipped: leased to a worker until a time,
 *   waiting until one, or parked since one.
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

export const consumerMigrations: readonly Migration[] = [{ name: 'Consumers', written: 1795698000001, sql: SQL }];

const PER_POSITION = eventId(1, 0);

/** Takes consumers back to the ends of the logs, if a restore took those back. */
export async function takeConsumersBack(client: ClientBase): Promise<string> {
  const beyond = `> h.position * ${PER_POSITION} + ${lastLoggedId(0)}`;
  const of = (table: string) => `${table} AS c USING realm_heads AS h WHERE c.realm_id = h.realm_id`;
  await client.query(`DELETE FROM ${of('consumer_offers')} AND c.event_offset ${beyond}`);
  await client.query(`DELETE FROM ${of('consumer_held_keys')} AND c.after_offset ${beyond}`);
  await client.query(`DELETE FROM ${of('consumer_positions')} AND c.began > h.position`);
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
