import type { Database } from '../database/database';
import type { Clock, Instant, RealmId } from '../domain/index';
import type { FileStore } from './file-store';
import { Rejected } from '../domain/index';

/** Bytes of one kind: how events name them, where they are, and how to find out whether events still name them. */
export interface FileKind {
  /** Unique among all kinds. It never changes after the first bytes were stored. */
  readonly name: string;
  /** The key of the bytes in the store. */
  readonly storeKey: (realmId: RealmId, key: string) => string;
  /** A condition in SQL over `u.realm_id` and `u.key`: after all events so far, the bytes of this key are still needed. */
  readonly named: string;
}

/** Bytes of which it is open whether they remain. */
export interface UnsettledFile {
  readonly realmId: RealmId;
  readonly key: string;
  /** Since when, in milliseconds. */
  readonly at: Instant;
  /** Whether an event names them. */
  readonly isNamed: boolean;
}

/**
 * Bytes are stored before the event that names them, and deleted after the event that releases them. In between they
 * are listed as unsettled, so that a sweep can finish what a crash interrupts. The log alone decides which of the two
 * it is.
 */
export class ReferencedFiles {
  constructor(
    private readonly kernel: { readonly database: Pick<Database, 'pool'>; readonly clock: Clock },
    private readonly store: FileStore,
    private readonly kind: FileKind,
  ) {}

  /**
   * Stores the content, unsettled.
   *
   * @returns its size in bytes
   * @throws any error of reading it. Then nothing is stored
   */
  async keep(realmId: RealmId, key: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    await this.unsettle(realmId, key);
    try {
      return await this.store.put(this.kind.storeKey(realmId, key), content);
    } catch (error) {
      // It may exist under its name although it could not be stored reliably. If this fails, the sweep deletes it.
      await this.discard(realmId, key).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Stores bytes for an event that names them. They are deleted when the event is refused.
   *
   * @param files contents by key
   * @param act writes the event
   * @throws any error of `act`
   */
  async keptFor<T>(realmId: RealmId, files: ReadonlyMap<string, Uint8Array>, act: () => Promise<T>): Promise<T> {
    let done: T;
    try {
      for (const [key, content] of files) await this.keep(realmId, key, once(content));
      done = await act();
    } catch (error) {
      // Only a refusal makes certain that no event names the bytes. Otherwise the sweep finds out.
      if (error instanceof Rejected) await each(files, (key) => this.discard(realmId, key));
      throw error;
    }
    await each(files, (key) => this.settle(realmId, key));
    return done;
  }

  /** Lists the bytes as unsettled. */
  async unsettle(realmId: RealmId, key: string): Promise<void> {
    await this.kernel.database.pool.query({
      name: 'bytes-unsettle',
      text: `INSERT INTO unsettled_files (realm_id, kind, key, at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (realm_id, kind, key) DO UPDATE SET at = excluded.at`,
      values: [realmId, this.kind.name, key, this.kernel.clock.now()],
    });
  }

  /** The bytes agree with the log. */
  async settle(realmId: RealmId, key: string): Promise<void> {
    await this.kernel.database.pool.query({
      name: 'bytes-settle',
      text: 'DELETE FROM unsettled_files WHERE realm_id = $1 AND kind = $2 AND key = $3',
      values: [realmId, this.kind.name, key],
    });
  }

  /** Deletes the bytes, because no event names them, or the event that releases them is stored. */
  async discard(realmId: RealmId, key: string): Promise<void> {
    await this.store.delete(this.kind.storeKey(realmId, key));
    await this.settle(realmId, key);
  }

  /**
   * A page of what has been unsettled since before a time, the oldest first, with what the log says now.
   *
   * @param after the last one of the page before. Null begins with the oldest
   */
  async unsettledBefore(at: Instant, limit: number, after: UnsettledFile | null): Promise<UnsettledFile[]> {
    const { rows } = await this.kernel.database.pool.query<UnsettledFile>({
      name: `bytes-unsettled-${this.kind.name}`,
      text: `SELECT u.realm_id AS "realmId", u.key, u.at, (${this.kind.named}) AS "isNamed"
        FROM unsettled_files AS u WHERE u.kind = $1 AND u.at < $2
          AND ($4::int8 IS NULL OR (u.at, u.realm_id, u.key) > ($4, $5::int4, $6::text))
        ORDER BY u.at, u.realm_id, u.key LIMIT $3`,
      values: [this.kind.name, at, limit, after?.at ?? null, after?.realmId ?? null, after?.key ?? null],
    });
    return rows;
  }
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

/** Acts on each file. A file for which this fails is left to the sweep. */
async function each(files: ReadonlyMap<string, unknown>, act: (key: string) => Promise<void>): Promise<void> {
  for (const key of files.keys()) await act(key).catch(() => undefined);
}
