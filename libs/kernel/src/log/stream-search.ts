import type { ClientBase, Pool } from 'pg';
import type { RealmId, Recorded } from '../domain/index';
import { STORED_COLUMNS } from './event-log';
import type { EventRegistry, StoredEvent } from './encoding/registry';

/** A position in a stream: before the event with this version. */
export interface StreamPosition {
  readonly stream: string;
  readonly below: number;
}

/** Reads events of some types out of many streams with one query, so that a long stream is not read whole. */
export class StreamSearch {
  constructor(
    private readonly pool: Pool | ClientBase,
    private readonly registry: EventRegistry,
  ) {}

  /** The events of these types in these streams, in order. */
  async ofTypes(realmId: RealmId, streams: readonly string[], types: readonly string[]): Promise<Recorded[]> {
    if (streams.length === 0 || types.length === 0) return [];
    const { rows } = await this.pool.query<StoredEvent>({
      name: 'search-of-types',
      text: `SELECT ${STORED_COLUMNS} FROM events
        WHERE realm_id = $1 AND stream = ANY($2::text[]) AND type = ANY($3::text[]) ORDER BY position`,
      values: [realmId, streams, types],
    });
    return rows.map((event) => this.registry.decodeAny(event));
  }

  /**
   * The last events of these types before each position, newest first.
   *
   * @param limit how many for each position
   * @returns a list for each position
   */
  async lastBefore(
    realmId: RealmId,
    positions: readonly StreamPosition[],
    types: readonly string[],
    limit: number,
  ): Promise<Recorded[][]> {
    const found = positions.map((): Recorded[] => []);
    if (positions.length === 0 || types.length === 0) return found;
    const { rows } = await this.pool.query<StoredEvent & { ord: number }>({
      name: 'search-last-before',
      text: `SELECT e.*, w.ord::int4 AS ord
        FROM unnest($2::text[], $3::int4[]) WITH ORDINALITY AS w(stream, below, ord) CROSS JOIN LATERAL (
          SELECT ${STORED_COLUMNS} FROM events WHERE realm_id = $1 AND stream = w.stream AND version < w.below
            AND type = ANY($4::text[]) ORDER BY version DESC LIMIT $5) AS e
        ORDER BY w.ord, e.version DESC`,
      values: [realmId, positions.map(({ stream }) => stream), positions.map(({ below }) => below), types, limit],
    });
    for (const { ord, ...event } of rows) found[ord - 1]?.push(this.registry.decodeAny(event));
    return found;
  }

  /** The IP addresses of the requests that events belong to, as far as there are any. */
  async addresses(realmId: RealmId, positions: readonly number[]): Promise<Map<number, string>> {
    if (positions.length === 0) return new Map();
    const { rows } = await this.pool.query<{ position: number; address: string }>({
      name: 'search-addresses',
      text: `SELECT position, sealed->>'address' AS address FROM events
        WHERE realm_id = $1 AND position = ANY($2::int8[]) AND sealed->>'address' IS NOT NULL`,
      values: [realmId, positions],
    });
    return new Map(rows.map(({ position, address }) => [position, address]));
  }
}
