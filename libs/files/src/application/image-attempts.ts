import { Kernel } from '@annals/kernel';
import type { FileId, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';

/** Processes that may die while they decode an image, before the image is blamed for it. */
const MAX_ATTEMPTS = 3;

interface Image {
  readonly realmId: RealmId;
  readonly fileId: FileId;
}

/** Notes which images are being decoded, so that one that ends its decoder does not end one worker after the other. */
@Injectable()
export class ImageAttempts {
  constructor(private readonly kernel: Kernel) {}

  /** @returns false if decoding this image has ended too many processes */
  async begin({ realmId, fileId }: Image): Promise<boolean> {
    const { rows } = await this.kernel.database.pool.query<{ attempts: number }>({
      name: 'files-image-attempt',
      text: `INSERT INTO image_attempts (realm_id, file_id, attempts) VALUES ($1, $2, 1)
        ON CONFLICT (realm_id, file_id) DO UPDATE SET attempts = image_attempts.attempts + 1 RETURNING attempts`,
      values: [realmId, fileId],
    });
    return (rows[0]?.attempts ?? 0) <= MAX_ATTEMPTS;
  }

  async end({ realmId, fileId }: Image): Promise<void> {
    await this.kernel.database.pool.query({
      name: 'files-image-attempted',
      text: 'DELETE FROM image_attempts WHERE realm_id = $1 AND file_id = $2',
      values: [realmId, fileId],
    });
  }
}
