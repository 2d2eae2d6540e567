import { reject } from '../rejections';

/** Most characters of all keys and values of a bot, as on the server that the interface was taken from. */
export const MAX_STORED_CHARACTERS = 10_000_000;
/** Most entries of a bot. */
export const MAX_ENTRIES = 100_000;
/** Most characters of a key, which is indexed. */
export const MAX_KEY_LENGTH = 500;

/** An entry of the storage of a bot. */
export interface StorageEntry {
  readonly key: string;
  readonly value: string;
}

/** An entry with the number of its characters. */
export interface SizedEntry extends StorageEntry {
  readonly characters: number;
}

/** How much is stored. */
export interface StorageSize {
  readonly entries: number;
  readonly characters: number;
}

/** The entries with their sizes. @throws Rejected BAD_REQUEST for a key that is too long */
export function sizedEntries(storage: Readonly<Record<string, string>>): SizedEntry[] {
  return Object.entries(storage).map(([key, value]) => {
    const length = codePoints(key);
    if (length > MAX_KEY_LENGTH) throw reject.storageKeyTooLong({ limit: MAX_KEY_LENGTH });
    return { key, value, characters: length + codePoints(value) };
  });
}

/**
 * The size of the storage after entries were written.
 *
 * @param replaced of the entries whose keys are written
 * @throws Rejected BAD_REQUEST for more than a bot may store
 */
export function sizeAfterWriting(
  stored: StorageSize,
  replaced: StorageSize,
  written: readonly SizedEntry[],
): StorageSize {
  const size = {
    entries: stored.entries - replaced.entries + written.length,
    characters: stored.characters - replaced.characters + written.reduce((sum, { characters }) => sum + characters, 0),
  };
  ensureWithin(size.characters, MAX_STORED_CHARACTERS, 'characters');
  ensureWithin(size.entries, MAX_ENTRIES, 'keys');
  return size;
}

/** The size of the storage without these entries. */
export const sizeWithout = (stored: StorageSize, removed: StorageSize): StorageSize => ({
  entries: stored.entries - removed.entries,
  characters: stored.characters - removed.characters,
});

/** @throws Rejected BAD_REQUEST unless an entry was found for each of these keys */
export function ensureAllFound(keys: readonly string[], found: number): void {
  if (new Set(keys).size !== found) throw reject.noSuchStorageKey();
}

function ensureWithin(size: number, limit: number, what: string): void {
  if (size > limit) throw reject.storageFull({ excess: size - limit, limit, what });
}

/** Halves of surrogate pairs are refused before. */
const codePoints = (text: string): number => text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
