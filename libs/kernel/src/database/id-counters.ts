import type { Pool } from 'pg';
import type { Id, RealmId } from '../domain/index';
import type { Migration } from './migration';

/** Ids that are reserved at once. After a crash of PostgreSQL, at most so many of each kind are left out. */
const AHEAD = 64;

/** A crash empties an unlogged table, and only a crash does. A change of it waits for no disk. */
const TAKEN_IDS_SQL = `
CREATE UNLOGGED TABLE taken_ids (
  realm_id int4,
  kind text,
  last int8 NOT NULL,
  reserved int8 NOT NULL,
  PRIMARY KEY (realm_id, kind)
) WITH (fillfactor = 50);
`;

export const idMigrations: readonly Migration[] = [{ name: 'TakenIds', written: 1795735800000, sql: TAKEN_IDS_SQL }];

/**
 * Ids that are not positions (users, channels, groups, topics …), counted per realm. Gaps are allowed.
 *
 * Taking one does not wait for the disk, so that requests do not wait for each other at the row of the counter. Only every
 * `AHEAD` ids it is stored durably, in `id_counters`, up to where ids may be taken, before they are. `taken_ids` says how
 * many of them were. A crash empties it, and then ids go on behind the reserved ones. So nobody gets an id again that a
 * process has taken before the crash, and stores something with afterwards.
 */
export class IdCounters {
  constructor(private readonly pool: Pool) {}

  async next<Kind extends string>(realmId: RealmId, kind: Kind): Promise<Id<Kind>> {
    const [id] = await this.take(realmId, kind, 1);
    return id as Id<Kind>;
  }

  /** @returns this many ids, ascending */
  async take<Kind extends string>(realmId: RealmId, kind: Kind, count: number): Promise<Id<Kind>[]> {
    const last = (await this.takeReserved(realmId, kind, count)) ?? (await this.reserve(realmId, kind, count));
    return Array.from({ length: count }, (_, n) => (last - count + 1 + n) as Id<Kind>);
  }

  /** No id that was taken is higher. 0 before the first one. */
  async bound(realmId: RealmId, kind: string): Promise<number> {
    const { rows } = await this.pool.query<{ last: number }>({
      name: 'bound-of-ids',
      text: 'SELECT last FROM id_counters WHERE realm_id = $1 AND kind = $2',
      values: [realmId, kind],
    });
    return rows[0]?.last ?? 0;
  }

  /** Id of a new organization. */
  async nextRealm(): Promise<RealmId> {
    const { rows } = await this.pool.query<{ id: RealmId }>(`SELECT nextval('realm_ids')::int4 AS id`);
    if (!rows[0]) throw new Error('no realm id');
    return rows[0].id;
  }

  /** @returns the last one of these ids; undefined if not enough are reserved */
  private async takeReserved(realmId: RealmId, kind: string, count: number): Promise<number | undefined> {
    const { rows } = await this.pool.query<{ last: number }>({
      name: 'take-ids',
      text: `UPDATE taken_ids SET last = last + $3
        WHERE realm_id = $1 AND kind = $2 AND last + $3 <= reserved RETURNING last`,
      values: [realmId, kind, count],
    });
    return rows[0]?.last;
  }

  /**
   * Takes ids and reserves more, which waits for the disk. They follow the ones before, unless those are not known any more
   * or an earlier release, which reserves none, has taken ids meanwhile.
   */
  private async reserve(realmId: RealmId, kind: string, count: number): Promise<number> {
    const { rows } = await this.pool.query<{ last: number }>({
      name: 'reserve-ids',
      text: `WITH counter AS (
          INSERT INTO id_counters AS c (realm_id, kind, last) VALUES ($1, $2, $3::int8 + ${AHEAD})
          ON CONFLICT (realm_id, kind) DO UPDATE SET last = c.last + $3 + ${AHEAD} RETURNING c.last)
        INSERT INTO taken_ids AS t (realm_id, kind, last, reserved)
        SELECT $1, $2, counter.last - ${AHEAD}, counter.last FROM counter
        ON CONFLICT (realm_id, kind) DO UPDATE SET reserved = excluded.reserved,
          last = CASE WHEN t.reserved = excluded.last - $3 THEN t.last + $3 ELSE excluded.last END
        RETURNING t.last`,
      values: [realmId, kind, count],
    });
    if (!rows[0]) throw new Error(`no ids of the kind ${kind}`);
    return rows[0].last;
  }
}
