import type { Pool } from 'pg';
import type { Id, RealmId } from '../domain/index';

/** Ids that are not positions (users, channels, groups, topics …), counted per realm. Gaps are allowed. */
export class IdCounters {
  constructor(private readonly pool: Pool) {}

  async next<Kind extends string>(realmId: RealmId, kind: Kind): Promise<Id<Kind>> {
    const [id] = await this.take(realmId, kind, 1);
    return id as Id<Kind>;
  }

  /**
   * Does not wait for the disk, so that requests do not wait for each other at the row of the counter. What is stored with an id is
   * written behind the counter. So if a crash takes the counter back, nothing is stored with the ids after it.
   *
   * @returns this many ids, ascending
   */
  async take<Kind extends string>(realmId: RealmId, kind: Kind, count: number): Promise<Id<Kind>[]> {
    const { rows } = await this.pool.query<{ last: number }>({
      name: 'take-ids',
      text: `INSERT INTO id_counters AS c (realm_id, kind, last)
        SELECT $1, $2, $3 FROM set_config('synchronous_commit', 'off', true)
        ON CONFLICT (realm_id, kind) DO UPDATE SET last = c.last + $3 RETURNING last`,
      values: [realmId, kind, count],
    });
    const last = rows[0]?.last ?? count;
    return Array.from({ length: count }, (_, n) => (last - count + 1 + n) as Id<Kind>);
  }

  /** The newest id that was taken. 0 before the first one. */
  async last(realmId: RealmId, kind: string): Promise<number> {
    const { rows } = await this.pool.query<{ last: number }>({
      name: 'last-id',
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
}
