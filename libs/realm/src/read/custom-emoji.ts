import type { Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** A custom emoji. */
export interface EmojiRow {
  readonly id: number;
  readonly name: string;
  readonly authorId: UserId;
  /** The last part of the URL of its image. */
  readonly file: string;
  /** Size of the image in bytes. */
  readonly size: number;
  /** The same of the still image of an animated one. Null for others. */
  readonly stillFile: string | null;
  readonly stillSize: number | null;
  readonly addedPosition: Position;
  /** Null while it can be used. */
  readonly deactivatedPosition: Position | null;
}

/** All of them, also deactivated ones, in the order of their ids. */
export async function readCustomEmoji(client: Pool | ClientBase, realmId: RealmId): Promise<EmojiRow[]> {
  const { rows } = await client.query<EmojiRow>({
    name: 'realm-emoji',
    text: `SELECT emoji_id AS id, name, author_id AS "authorId", file, size, still_file AS "stillFile",
        still_size AS "stillSize", added_position AS "addedPosition",
        deactivated_position AS "deactivatedPosition" FROM view.realm_emoji WHERE realm_id = $1 ORDER BY emoji_id`,
    values: [realmId],
  });
  return rows;
}

/** Path of the image, at the root of the server. It is served without a login (contract/boot.md section 3). */
export const emojiUrl = (realmId: RealmId, file: string): string => `/user_avatars/${realmId}/emoji/images/${file}`;

/** Bytes of one of these files. Undefined if no emoji has it. */
export const emojiFileSize = (rows: readonly EmojiRow[], file: string): number | undefined =>
  rows
    .flatMap((row) => [
      { file: row.file, size: row.size },
      { file: row.stillFile, size: row.stillSize ?? undefined },
    ])
    .find((one) => one.file === file)?.size;

/** The key of the bytes of the image. */
export const emojiKey = (realmId: RealmId, file: string): string => `${realmId}/emoji/${file}`;

/** contract/boot.md section 7.6 */
export const presentEmoji = (realmId: RealmId, row: EmojiRow) => ({
  id: String(row.id),
  name: row.name,
  source_url: emojiUrl(realmId, row.file),
  still_url: row.stillFile === null ? null : emojiUrl(realmId, row.stillFile),
  deactivated: row.deactivatedPosition !== null,
  author_id: row.authorId,
});

/** By id. */
export const presentCustomEmoji = (realmId: RealmId, rows: readonly EmojiRow[]) =>
  Object.fromEntries(rows.map((row) => [String(row.id), presentEmoji(realmId, row)]));
