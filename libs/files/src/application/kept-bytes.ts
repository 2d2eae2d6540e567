import { FileStore, Kernel } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';

/** Bytes of which it is not known yet whether they stay. */
export interface Unsettled {
  readonly realmId: RealmId;
  readonly key: string;
  /** Since when, in milliseconds. */
  readonly at: Instant;
}

/**
 * Bytes come before the event that names them and go after the one that deletes them. In between it is noted that they
 * are unsettled, so that a sweep can finish what a crash interrupts; only the log says which of the two it is.
 */
@Injectable()
export class KeptBytes {
  constructor(
    private readonly kernel: Kernel,
    private readonly store: FileStore,
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
      return await this.store.put(storeKey(realmId, key), content);
    } catch (error) {
      // It may be there under its name although it could not be kept for sure; where this fails, the sweep makes up for it.
      await this.discard(realmId, key).catch(() => undefined);
      throw error;
    }
  }

  /** Notes that it is open whether the bytes stay. */
  async unsettle(realmId: RealmId, key: string): Promise<void> {
    await this.kernel.database.pool.query({
      name: 'files-unsettle',
      text: `INSERT INTO unsettled_files (realm_id, key, at) VALUES ($1, $2, $3)
        ON CONFLICT (realm_id, key) DO UPDATE SET at = excluded.at`,
      values: [realmId, key, this.kernel.clock.now()],
    });
  }

  /** The bytes are as the log has it. */
  async settle(realmId: RealmId, key: string): Promise<void> {
    await this.kernel.database.pool.query({
      name: 'files-settle',
      text: 'DELETE FROM unsettled_files WHERE realm_id = $1 AND key = $2',
      values: [realmId, key],
    });
  }

  /** Lets the bytes go, for no event names them, or one that deletes them is stored. */
  async discard(realmId: RealmId, key: string): Promise<void> {
    await this.store.delete(storeKey(realmId, key));
    await this.settle(realmId, key);
  }

  /**
   * What has been unsettled since before a time, the oldest first, at most so many; with what the log says by now.
   *
   * @param after the last one that was looked at; null begins with the oldest
   */
  async unsettledBefore(
    at: Instant,
    limit: number,
    after: Unsettled | null,
  ): Promise<(Unsettled & { readonly isNamed: boolean })[]> {
    const { rows } = await this.kernel.database.pool.query<Unsettled & { isNamed: boolean }>({
      name: 'files-unsettled',
      text: `SELECT u.realm_id AS "realmId", u.key, u.at, EXISTS (SELECT FROM view.files AS f WHERE f.realm_id = u.realm_id
          AND f.key = u.key AND f.deleted IS NULL) AS "isNamed"
        FROM unsettled_files AS u WHERE u.at < $1
          AND ($3::int8 IS NULL OR (u.at, u.realm_id, u.key) > ($3, $4::int4, $5::text))
        ORDER BY u.at, u.realm_id, u.key LIMIT $2`,
      values: [at, limit, after?.at ?? null, after?.realmId ?? null, after?.key ?? null],
    });
    return rows;
  }
}

/** Where bytes are in the store. */
export const storeKey = (realmId: RealmId, key: string): string => `uploads/${realmId}/${key}`;
