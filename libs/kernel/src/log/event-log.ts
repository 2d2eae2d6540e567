import type { ClientBase, Pool } from 'pg';
import type { Position, RealmId, Recorded } from '../domain/index';
import { grouped } from '../domain/index';
import type { EventSource, ReadEvent } from '../projections/running/event-source';
import type { LiveModels } from '../projections/inline/live-models';
import type { History } from '../restore/history';
import { canonicalEvent } from './encoding/canonical';
import type { EventRegistry, StoredEvent } from './encoding/registry';

/** Columns of the log in the shape of a `StoredEvent`. */
export const STORED_COLUMNS = `realm_id AS "realmId", position, stream, version, type, v, actor_id AS "actorId",
  command_id AS "commandId", correlation, causation, client, at, data::text AS "dataText",
  sealed::text AS "sealedText", salt, commitment, leaf_hash AS "leafHash"`;

/** The same without what is sealed. */
const HASHED_COLUMNS = STORED_COLUMNS.replace('sealed::text AS "sealedText", salt,', '');

/** The live read models may have changed with what is read. Readers that continue from these events have to know. */
const WITH_EDITION = '(SELECT read_models FROM installation) AS edition';

/**
 * Reads of the log. The positions that a reader sees are always 1..n, so "after my checkpoint, in order" misses
 * nothing.
 */
export class EventLog {
  constructor(
    private readonly pool: Pool | ClientBase,
    readonly registry: EventRegistry,
    /** Left out by readers without caches. */
    private readonly history: Pick<History, 'ensureSame' | 'ensureContains'> | null = null,
    /** Receives the edition of the read models that were live when heads or pages were read. */
    private readonly models: Pick<LiveModels, 'note'> | null = null,
  ) {}

  /** The events after a position, in order, in their newest shape. */
  async page(
    realmId: RealmId,
    after: number,
    limit: number,
    client: Pool | ClientBase = this.pool,
  ): Promise<Recorded[]> {
    const stored = await this.storedPage(realmId, after, limit, client);
    return stored.map((event) => this.registry.decode(event));
  }

  /**
   * The events after a position up to another, in order, in their newest shape. For an event of a type or version that
   * only a newer release knows see `EventRegistry.decodeAny`.
   *
   * @param limit most of them
   * @param bytes the event that exceeds so many stored bytes is the last one
   */
  async pageOfBytes(
    realmId: RealmId,
    after: number,
    upTo: number,
    limit: number,
    bytes: number,
    client: Pool | ClientBase = this.pool,
  ): Promise<Recorded[]> {
    const { rows } = await client.query<StoredEvent & Edition>({
      name: 'log-page-of-bytes',
      text: `SELECT ${STORED_COLUMNS}, ${WITH_EDITION} FROM (
          SELECT *, coalesce(sum(coalesce(pg_column_size(data), 0) + coalesce(pg_column_size(sealed), 0))
            OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
          FROM (SELECT * FROM events WHERE realm_id = $1 AND position > $2 AND position <= $3
            ORDER BY position LIMIT $4) AS next
        ) AS sized WHERE before <= $5 ORDER BY position`,
      values: [realmId, after, upTo, limit, bytes],
    });
    if (rows[0]) this.models?.note(rows[0].edition);
    return rows.map((event) => this.registry.decodeAny(event));
  }

  /** The same without a limit in bytes, for readers that follow the log in memory. */
  async pageOfAny(
    realmId: RealmId,
    after: number,
    limit: number,
    client: Pool | ClientBase = this.pool,
  ): Promise<Recorded[]> {
    const stored = await this.storedPage(realmId, after, limit, client);
    return stored.map((event) => this.registry.decodeAny(event));
  }

  /** The events after a position as they are stored, to check their hashes. */
  async storedPage(
    realmId: RealmId,
    after: number,
    limit: number,
    client: Pool | ClientBase = this.pool,
  ): Promise<StoredEvent[]> {
    const { rows } = await client.query<StoredEvent & Edition>({
      name: 'log-page',
      text: `SELECT ${STORED_COLUMNS}, ${WITH_EDITION} FROM events
        WHERE realm_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
      values: [realmId, after, limit],
    });
    if (rows[0]) this.models?.note(rows[0].edition);
    return rows;
  }

  /** The canonical bytes of the events after a position, in order: what their leaf hashes are of. */
  async canonicalPage(realmId: RealmId, after: number, limit: number): Promise<Buffer[]> {
    const { rows } = await this.pool.query<Omit<StoredEvent, 'sealedText' | 'salt'>>({
      name: 'log-canonical-page',
      text: `SELECT ${HASHED_COLUMNS} FROM events WHERE realm_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
      values: [realmId, after, limit],
    });
    return rows.map((event) => canonicalEvent(event));
  }

  /** One stream after a version, in order. */
  async stream(
    realmId: RealmId,
    stream: string,
    afterVersion = 0,
    client: Pool | ClientBase = this.pool,
  ): Promise<Recorded[]> {
    const { rows } = await client.query<StoredEvent>({
      name: 'log-stream',
      text: `SELECT ${STORED_COLUMNS} FROM events WHERE realm_id = $1 AND stream = $2 AND version > $3 ORDER BY version`,
      values: [realmId, stream, afterVersion],
    });
    return rows.map((event) => this.registry.decode(event));
  }

  /** Several streams with one query, each in order. Streams without an event are left out. */
  async streams(
    realmId: RealmId,
    streams: readonly string[],
    client: Pool | ClientBase = this.pool,
  ): Promise<Map<string, Recorded[]>> {
    if (streams.length === 0) return new Map();
    const { rows } = await client.query<StoredEvent>({
      name: 'log-streams',
      text: `SELECT ${STORED_COLUMNS} FROM events WHERE realm_id = $1 AND stream = ANY($2::text[]) ORDER BY position`,
      values: [realmId, streams],
    });
    return grouped(
      rows,
      ({ stream }) => stream,
      (event) => this.registry.decode(event),
    );
  }

  /**
   * The events of several streams up to a position, in order.
   *
   * @param types only events of these
   * @param lasting types whose events are also read beyond the position
   */
  async streamsUpTo(
    realmId: RealmId,
    streams: readonly string[],
    { position, types, lasting }: StreamsUpTo,
    client: Pool | ClientBase = this.pool,
  ): Promise<Recorded[]> {
    if (streams.length === 0) return [];
    const { rows } = await client.query<StoredEvent>({
      name: 'log-streams-up-to',
      text: `SELECT ${STORED_COLUMNS} FROM events WHERE realm_id = $1 AND stream = ANY($2::text[])
        AND (position <= $3 AND type = ANY($4::text[]) OR type = ANY($5::text[])) ORDER BY position`,
      values: [realmId, streams, position, types, lasting],
    });
    return rows.map((event) => this.registry.decode(event));
  }

  /** The events at these positions, in order. Positions that do not exist are left out. */
  async at(realmId: RealmId, positions: readonly number[], client: Pool | ClientBase = this.pool): Promise<Recorded[]> {
    const stored = await this.storedAt(realmId, positions, client);
    return stored.map((event) => this.registry.decode(event));
  }

  /** The same as they are stored. */
  async storedAt(
    realmId: RealmId,
    positions: readonly number[],
    client: Pool | ClientBase = this.pool,
  ): Promise<StoredEvent[]> {
    if (positions.length === 0) return [];
    const { rows } = await client.query<StoredEvent>({
      name: 'log-at',
      text: `SELECT ${STORED_COLUMNS} FROM events WHERE realm_id = $1 AND position = ANY($2::int8[]) ORDER BY position`,
      values: [realmId, positions],
    });
    return rows;
  }

  /**
   * Position of the newest event per realm. 0 for a realm without one. Without a list: of every realm.
   *
   * @throws Overloaded when the log was restored since this process began
   */
  async heads(
    realms: readonly RealmId[] | null = null,
    client: Pool | ClientBase = this.pool,
  ): Promise<Map<RealmId, Position>> {
    const { rows } = await client.query<Head>(
      realms
        ? { name: 'log-heads', text: `${HEADS} WHERE realm_id = ANY($1::int4[])`, values: [realms] }
        : { name: 'log-all-heads', text: HEADS },
    );
    if (rows[0]) {
      this.history?.ensureSame(rows[0].installation);
      this.models?.note(rows[0].edition);
    }
    return new Map(rows.map((row) => [row.realm_id, row.position]));
  }

  /**
   * Checks that the log is still the one in which an event was read.
   *
   * @throws Error when another event has this position, or none: the log was restored from an older copy
   */
  async ensureContains({ realmId, position, commandId }: ReadEvent): Promise<void> {
    const { rowCount } = await this.pool.query({
      name: 'log-holds',
      text: `SELECT FROM events WHERE realm_id = $1 AND position = $2 AND command_id = $3
        AND position <= (SELECT position FROM realm_heads WHERE realm_id = $1)`,
      values: [realmId, position, commandId],
    });
    const wasDeleted = rowCount !== 1 && (await this.deletedAmong([realmId])).length > 0;
    if (!wasDeleted) this.history?.ensureContains(rowCount === 1, realmId, position);
    if (rowCount !== 1) throw new Error(`the log of realm ${realmId} does not hold what was read at ${position}`);
  }

  /** Those of these organizations that were deleted, so that they have no log any more. */
  async deletedAmong(realms: readonly RealmId[]): Promise<RealmId[]> {
    const { rows } = await this.pool.query<{ realm_id: RealmId }>({
      name: 'log-deleted',
      text: 'SELECT realm_id FROM deleted_realms WHERE realm_id = ANY($1::int4[])',
      values: [realms],
    });
    return rows.map(({ realm_id }) => realm_id);
  }

  /**
   * The log for read models of this release, which ignore types of events that it does not know. A newer version of a
   * known type is not ignored: its page is refused with UnknownEventType. A follower that is shared with newer code
   * must not skip what that code knows, so it reads the log itself.
   */
  skippingUnknown(): EventSource {
    return {
      page: async (realmId, after, limit, client) => {
        const stored = await this.storedPage(realmId, after, limit, client);
        return stored.map((event) => this.registry.decodeKnown(event));
      },
      heads: (realms, client) => this.heads(realms, client),
      lockHeads: (client) => this.lockHeads(client),
      ensureContains: (event) => this.ensureContains(event),
    };
  }

  /**
   * Blocks every writer of every realm until the client's transaction ends, also of realms that do not exist yet, then
   * reads the heads. Waits for the running writers. Readers continue.
   */
  async lockHeads(client: ClientBase): Promise<Map<RealmId, Position>> {
    await client.query('LOCK TABLE realm_heads IN EXCLUSIVE MODE');
    return this.heads(null, client);
  }

  /** Blocks writers of one realm until the client's transaction ends. @returns the head */
  async lockHead(client: ClientBase, realmId: RealmId): Promise<Position> {
    await client.query('SELECT FROM realm_heads WHERE realm_id = $1 FOR UPDATE', [realmId]);
    return (await this.heads([realmId], client)).get(realmId) ?? (0 as Position);
  }
}

const HEADS = `SELECT realm_id, position, i.id AS installation, i.read_models AS edition
  FROM realm_heads CROSS JOIN installation AS i`;

export interface StreamsUpTo {
  readonly position: Position;
  readonly types: readonly string[];
  readonly lasting: readonly string[];
}

/** Of the read models that were live when it was read. */
interface Edition {
  readonly edition: number;
}

interface Head extends Edition {
  readonly realm_id: RealmId;
  readonly position: Position;
  readonly installation: string;
}
