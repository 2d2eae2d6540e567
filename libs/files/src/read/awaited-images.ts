import type { DueSearch } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { FileId, Instant, RealmId } from '@annals/kernel/domain';
import { isActiveSql } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';

/** An image that has to get thumbnails. */
export interface AwaitedImage {
  readonly realmId: RealmId;
  readonly fileId: FileId;
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

/** A condition for images of `i` that await thumbnails at a time, and that no worker decodes then. */
const mayBeTaken = (now: string): string => `i.state = 'awaited' AND NOT EXISTS (SELECT FROM image_attempts AS a
  WHERE a.realm_id = i.realm_id AND a.file_id = i.file_id AND a.leased_until > ${now})`;

/** Active organizations with images that no worker decodes now. */
export const REALMS_AWAITING_THUMBNAILS: DueSearch = {
  name: 'thumbnails',
  sql: `SELECT DISTINCT i.realm_id AS id FROM view.file_images AS i
    WHERE ${mayBeTaken('$1')} AND ${isActiveSql('i.realm_id')}`,
};

/** The images that await thumbnails. */
@Injectable()
export class AwaitedImages {
  constructor(private readonly kernel: Kernel) {}

  /**
   * The next image of an organization that no worker decodes now, in the order of uploads.
   *
   * @param after the one before; null for the first one
   */
  async next(realmId: RealmId, after: FileId | null): Promise<AwaitedImage | undefined> {
    const { database, clock } = this.kernel;
    const { rows } = await database.pool.query<AwaitedImage>({
      name: 'files-next-awaited-image',
      text: `SELECT i.realm_id AS "realmId", i.file_id AS "fileId", i.key, i.size FROM view.file_images AS i
        WHERE i.realm_id = $1 AND i.file_id > $2 AND ${mayBeTaken('$3::int8')} AND ${isActiveSql('i.realm_id')}
        ORDER BY i.file_id LIMIT 1`,
      values: [realmId, after ?? 0, clock.now()],
    });
    return rows[0];
  }
}

/** When the image that has waited longest was uploaded; null if none waits. */
export async function oldestAwaited(pool: Pool): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Instant | null }>({
    name: 'files-oldest-awaited',
    text: `SELECT min(i.uploaded_at) AS at FROM view.file_images AS i
      WHERE i.state = 'awaited' AND ${isActiveSql('i.realm_id')}`,
  });
  return rows[0]?.at ?? null;
}
