import type { Database } from '../database/database';
import type { Clock, Instant, RealmId } from '../domain/index';
import type { FileStore } from './file-store';
import { Rejected } from '../domain/index';

/** Bytes of one kind: what events call them, where they are, and how it is known whether they are still named. */
export interface FileKind {
  /** Unique among all kinds; never changed once bytes were kept. */
  readonly name: string;
  /** Where the bytes of a key are in the store. */
  readonly place: (realmId: RealmId, key: string) => string;
  /** A condition in SQL over `u.realm_id` and `u.key`: by all events so far, the bytes of this key are to stay. */
  readonly named: string;
}

/** Bytes of which it is not known yet whether they stay. */
export interface UnsettledFile {
  readonly realmId: RealmId;
  readonly key: string;
  /** Since when, in milliseconds. */
  readonly at: Instant;
  /** Whether an event names them. */
  readonly isNamed: boolean;
}

/**
 * Bytes come before the event that names them and go after the one that lets them go. In between it is noted that they
 * are unsettled, so that a sweep can finish what a crash interrupts; only the log says which of the two it is.
 */
export class ReferencedFiles {
  constructor(
    private readonly kernel: { readonly database: Pick<Database, 'pool'>; readonly clock: Clock },
    private readonly store: FileStore,
    private readonly kind: FileKind,
  ) {}

  /**
   * Keeps the content, unsettled.
   *
   * @returns its size in bytes
   * @throws whatever reading it throws; then nothing is kept
   */
  async keep(realmId: RealmId, key: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    await this.unsettle(realmId, key);
    try {
      return await this.store.put(this.kind.place(realmId, key), content);
    } catch (error) {
      // It may be there under its name although it could not be kept for sure; where this fails, the sweep makes up for it.
      await this.discard(realmId, key).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Keeps bytes for an event that names them; they go again when that is refused.
   *
   * @param files contents by key
   * @param act writes the event
   * @throws whatever `act` throws
   */
  async keptFor<T>(realmId: RealmId, files: ReadonlyMap<string, Uint8Array>, act: () => Promise<T>): Promise<T> {
    let done: T;
    try {
      for (const [key, content] of files) await this.keep(realmId, key, once(content));
      done = await act();
    } catch (error) {
      // Only after a refusal it is certain that no event names the bytes; otherwise the sweep finds out.
      if (error instanceof Rejected) await each(files, (key) => this.discard(realmId, key));
      throw error;
    }
    await each(files, (key) => this.settle(realmId, key));
    return done;
  }

  /** Notes that it is open whether the bytes stay. */
  async unsettle(realmId: RealmId, key: string): Promise<void> {
    await this.kernel.database.pool.query({
      name: 'bytes-unsettle',
      text: `INSERT INTO unsettled_files (realm_id, kind, key, at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (realm_id, kind, key) DO UPDATE SET at = excluded.at`,
      values: [realmId, this.kind.name, key, this.kernel.clock.now()],
    });
  }

  /** The bytes are as the log has it. */
  async settle(realmId: RealmId, key: string): Promise<void> {
    await this.kernel.database.pool.query({
      name: 'bytes-settle',
      text: 'DELETE FROM unsettled_files WHERE realm_id = $1 AND kind = $2 AND key = $3',
      values: [realmId, this.kind.name, key],
    });
  }

  /** Lets the bytes go, for no event names them, or one that lets them go is stored. */
  async discard(realmId: RealmId, key: string): Promise<void> {
    await this.store.delete(this.kind.place(realmId, key));
    await this.settle(realmId, key);
  }

  /**
   * What has been unsettled since before a time, the oldest first, at most so many; with what the log says by now.
   *
   * @param after the last one that was looked at; null begins with the oldest
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

/** What was done is done; where this fails, the sweep makes up for it. */
async function each(files: ReadonlyMap<string, unknown>, act: (key: string) => Promise<void>): Promise<void> {
  for (const key of files.keys()) await act(key).catch(() => undefined);
}
