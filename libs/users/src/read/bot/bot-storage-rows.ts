import type { RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { SizedEntry, StorageEntry, StorageSize } from '../../domain/bot-storage/bot-storage';

/** A bot, whose storage it is. */
export interface StoringBot {
  readonly realmId: RealmId;
  readonly userId: UserId;
}

/** Reads entries of a bot in the order of their keys. @param keys null for all */
export async function readStorage(
  client: Pool | ClientBase,
  { realmId, userId }: StoringBot,
  keys: readonly string[] | null,
): Promise<StorageEntry[]> {
  const { rows } = await client.query<StorageEntry>({
    name: 'bot-storage-read',
    text: `SELECT key, value FROM bot_storage
      WHERE realm_id = $1 AND bot_id = $2 AND ($3::text[] IS NULL OR key = ANY($3)) ORDER BY key`,
    values: [realmId, userId, keys],
  });
  return rows;
}

/** Locks the storage of a bot until the transaction ends. @returns its size */
export async function lockStorage(client: ClientBase, { realmId, userId }: StoringBot): Promise<StorageSize> {
  const { rows } = await client.query<StorageSize>({
    name: 'bot-storage-lock',
    text: `INSERT INTO bot_storage_sizes AS s (realm_id, bot_id, entries, characters) VALUES ($1, $2, 0, 0)
      ON CONFLICT (realm_id, bot_id) DO UPDATE SET entries = s.entries RETURNING entries, characters`,
    values: [realmId, userId],
  });
  const [size] = rows;
  if (!size) throw new Error('the storage of the bot was not locked');
  return size;
}

/** The size of the entries with some keys, after the lock. */
export async function sizeOfEntries(
  client: ClientBase,
  { realmId, userId }: StoringBot,
  keys: readonly string[],
): Promise<StorageSize> {
  const { rows } = await client.query<StorageSize>({
    name: 'bot-storage-size',
    text: `SELECT count(*)::int4 AS entries, coalesce(sum(characters), 0)::int8 AS characters FROM bot_storage
      WHERE realm_id = $1 AND bot_id = $2 AND key = ANY($3::text[])`,
    values: [realmId, userId, keys],
  });
  return rows[0] ?? { entries: 0, characters: 0 };
}

/** Writes entries of a bot after the lock. @param size of all its entries then */
export async function writeEntries(
  client: ClientBase,
  bot: StoringBot,
  entries: readonly SizedEntry[],
  size: StorageSize,
): Promise<void> {
  await client.query({
    name: 'bot-storage-write',
    text: `INSERT INTO bot_storage (realm_id, bot_id, key, value, characters)
      SELECT $1, $2, e.key, e.value, e.characters
      FROM unnest($3::text[], $4::text[], $5::int4[]) AS e (key, value, characters)
      ON CONFLICT (realm_id, bot_id, key) DO UPDATE SET value = excluded.value, characters = excluded.characters`,
    values: [
      bot.realmId,
      bot.userId,
      entries.map(({ key }) => key),
      entries.map(({ value }) => value),
      entries.map(({ characters }) => characters),
    ],
  });
  await writeSize(client, bot, size);
}

/** Deletes entries of a bot after the lock. @param size of all its entries then */
export async function deleteEntries(
  client: ClientBase,
  bot: StoringBot,
  keys: readonly string[],
  size: StorageSize,
): Promise<void> {
  await client.query({
    name: 'bot-storage-delete',
    text: 'DELETE FROM bot_storage WHERE realm_id = $1 AND bot_id = $2 AND key = ANY($3::text[])',
    values: [bot.realmId, bot.userId, keys],
  });
  await writeSize(client, bot, size);
}

/** Deletes all entries of a bot after the lock. */
export async function clearStorage(client: ClientBase, bot: StoringBot): Promise<void> {
  await client.query({
    name: 'bot-storage-clear',
    text: 'DELETE FROM bot_storage WHERE realm_id = $1 AND bot_id = $2',
    values: [bot.realmId, bot.userId],
  });
  await writeSize(client, bot, { entries: 0, characters: 0 });
}

async function writeSize(client: ClientBase, { realmId, userId }: StoringBot, size: StorageSize): Promise<void> {
  await client.query({
    name: 'bot-storage-sized',
    text: 'UPDATE bot_storage_sizes SET entries = $3, characters = $4 WHERE realm_id = $1 AND bot_id = $2',
    values: [realmId, userId, size.entries, size.characters],
  });
}

/** Deletes what bots of a realm stored whose profiles were deleted. */
export async function sweepStorage(pool: Pool, realmId: RealmId): Promise<void> {
  await pool.query({
    name: 'bot-storage-sweep',
    text: `WITH erased AS (SELECT user_id FROM view.users WHERE realm_id = $1 AND is_deleted),
        sizes AS (DELETE FROM bot_storage_sizes WHERE realm_id = $1 AND bot_id IN (SELECT user_id FROM erased))
      DELETE FROM bot_storage WHERE realm_id = $1 AND bot_id IN (SELECT user_id FROM erased)`,
    values: [realmId],
  });
}
