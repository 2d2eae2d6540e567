import type { ClientBase, Pool } from 'pg';
import type { Position, RealmId, Recorded } from '../domain/index';
import type { EventRegistry, StoredEvent } from './encoding/registry';
import { STORED_COLUMNS } from './event-log';

/** Which events of a log are read. */
export interface TypedPageRequest {
  readonly after: Position;
  readonly upTo: Position;
  /** Null for all. */
  readonly types: readonly string[] | null;
  /** Most events. */
  readonly limit: number;
  /** The event that exceeds so many stored bytes is the last one. */
  readonly bytes: number;
}

/** Events in order: all that were asked for up to `through`. */
export interface TypedPage {
  readonly events: readonly Recorded[];
  readonly through: Position;
}

/** Reads the events of some types in the order of the log. */
export class TypedPages {
  constructor(
    private readonly pool: Pool,
    private readonly registry: EventRegistry,
  ) {}

  /**
   * A page, in the newest shape of events (`EventRegistry.decodeAny`). Events that only a newer release knows are always
   * among them, so a reader never skips one.
   */
  async page(
    realmId: RealmId,
    { after, upTo, types, limit, bytes }: TypedPageRequest,
    client: Pool | ClientBase = this.pool,
  ): Promise<TypedPage> {
    const { rows } = await client.query<StoredEvent & { readonly size: number }>({
      name: 'log-page-of-types',
      text: `SELECT ${STORED_COLUMNS}, size::int8 AS size FROM (
          SELECT *, sum(coalesce(pg_column_size(data), 0) + coalesce(pg_column_size(sealed), 0))
            OVER (ORDER BY position) AS size
          FROM (SELECT * FROM events WHERE realm_id = $1 AND position > $2 AND position <= $3
              AND ($4::text[] IS NULL OR type = ANY($4) OR type <> ALL($5::text[]))
            ORDER BY position LIMIT $6) AS next
        ) AS sized WHERE size - coalesce(pg_column_size(data), 0) - coalesce(pg_column_size(sealed), 0) <= $7
        ORDER BY position`,
      values: [realmId, after, upTo, types, this.registry.types, limit, bytes],
    });
    const last = rows.at(-1);
    const isCut = last !== undefined && (rows.length === limit || last.size > bytes);
    return {
      events: rows.map((event) => this.registry.decodeAny(event)),
      through: isCut ? last.position : (Math.max(after, upTo) as Position),
    };
  }
}
