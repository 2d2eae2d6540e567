import type { Actor } from '@annals/kernel/domain';
import type { Pool } from 'pg';

/** Positions of the user's last acts on many messages. 0 without one. */
export interface Watermark {
  /** Everything up to here is read, unless it was marked as unread later. */
  readonly watermark: number;
  /** Where the user last marked a message as unread. */
  readonly unreadSince: number;
}

/** Reads up to which position a user has read everything. */
export async function readWatermark(
  pool: Pool,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
): Promise<Watermark> {
  const { rows } = await pool.query<Watermark>({
    name: 'messages-watermark',
    text: `SELECT coalesce((SELECT position FROM view.read_watermarks WHERE realm_id = $1 AND user_id = $2), 0) AS watermark,
      coalesce((SELECT max(unread_since) FROM view.personal_flags
        WHERE realm_id = $1 AND user_id = $2 AND unread_since IS NOT NULL), 0) AS "unreadSince"`,
    values: [realmId, userId],
  });
  return rows[0] ?? { watermark: 0, unreadSince: 0 };
}
