import type { Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** One of the organization's own emoji. */
export interface EmojiRow {
  readonly id: number;
  readonly name: string;
  readonly authorId: UserId;
  /** The last part of the address of its picture. */
  readonly file: string;
  /** Of the picture, in bytes. */
  readonly size: number;
  readonly addedPosition: Position;
  /** Null while it can be used. */
  readonly deactivatedPosition: Position | null;
}

/** All of them, deactivated ones included, in the order of their ids. */
export async function readOwnEmoji(client: Pool | ClientBase, realmId: RealmId): Promise<EmojiRow[]> {
  const { rows } = await client.query<EmojiRow>({
    name: 'realm-emoji',
    text: `SELECT emoji_id AS id, name, author_id AS "authorId", file, size, added_position AS "addedPosition",
        deactivated_position AS "deactivatedPosition" FROM view.realm_emoji WHERE realm_id = $1 ORDER BY emoji_id`,
    values: [realmId],
  });
  return rows;
}

/** Address of the picture, at the root of the server; served without a login (contract/boot.md section 3). */
export const emojiUrl = (realmId: RealmId, file: string): string => `/user_avatars/${realmId}/emoji/images/${file}`;

/** Where the bytes of the picture are kept. */
export const emojiKey = (realmId: RealmId, file: string): string => `${realmId}/emoji/${file}`;

/** contract/boot.md section 7.6 */
export const presentEmoji = (realmId: RealmId, { id, name, authorId, file, deactivatedPosition }: EmojiRow) => ({
  id: String(id),
  name,
  source_url: emojiUrl(realmId, file),
  // Pictures are kept as they came: there is no still one of an animated one.
  still_url: null,
  deactivated: deactivatedPosition !== null,
  author_id: authorId,
});

/** By id. */
export const presentOwnEmoji = (realmId: RealmId, rows: readonly EmojiRow[]) =>
  Object.fromEntries(rows.map((row) => [String(row.id), presentEmoji(realmId, row)]));
