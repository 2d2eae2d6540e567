import { Kernel } from '@annals/kernel';
import type { FileId, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';

/** Processes that may die while they decode an image, before the image is blamed for it. */
const MAX_ATTEMPTS = 3;
/**
 * Longer than decoding takes, in ms. If a process dies, or cannot read the image, it is tried again after this time.
 */
const LEASE_MS = 120_000;

interface Image {
  readonly realmId: RealmId;
  readonly fileId: FileId;
}

/** `taken`: another process decodes the image. `fatal`: decoding it has ended too many processes. */
export type ImageAttempt = 'begun' | 'taken' | 'fatal';

/**
 * Notes which images are being decoded. So no two processes decode the same one, and an image that ends its decoder does
 * not end one worker after the other.
 */
@Injectable()
export class ImageAttempts {
  constructor(private readonly kernel: Kernel) {}

  /** Leases an image. The caller ends or fails this attempt, unless it is `taken`. */
  async begin({ realmId, fileId }: Image): Promise<ImageAttempt> {
    const { database, clock } = this.kernel;
    const now = clock.now();
    const { rows } = await database.pool.query<{ attempts: number }>({
      name: 'files-image-attempt',
      text: `INSERT INTO image_attempts AS a (realm_id, file_id, attempts, leased_until) VALUES ($1, $2, 1, $4)
        ON CONFLICT (realm_id, file_id) DO UPDATE SET attempts = a.attempts + 1, leased_until = excluded.leased_until
        WHERE a.leased_until <= $3 RETURNING attempts`,
      values: [realmId, fileId, now, now + LEASE_MS],
    });
    if (!rows[0]) return 'taken';
    return rows[0].attempts <= MAX_ATTEMPTS ? 'begun' : 'fatal';
  }

  /** The decoder has returned. */
  async end({ realmId, fileId }: Image): Promise<void> {
    await this.kernel.database.pool.query({
      name: 'files-image-attempted',
      text: 'DELETE FROM image_attempts WHERE realm_id = $1 AND file_id = $2',
      values: [realmId, fileId],
    });
  }

  /** The image cannot be decoded now, and is not to blame for it. Nobody tries before the lease ends. */
  async fail({ realmId, fileId }: Image): Promise<void> {
    await this.kernel.database.pool.query({
      name: 'files-image-attempt-failed',
      text: 'UPDATE image_attempts SET attempts = 0 WHERE realm_id = $1 AND file_id = $2',
      values: [realmId, fileId],
    });
  }
}
