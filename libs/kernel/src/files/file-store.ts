import type { Readable } from 'node:stream';

/** Bytes of a file from `start` to `end`, both included, from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** How many files there are, and how many bytes they have together. */
export interface FolderSize {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Stores the bytes of files, which are not in the log. An event names them by key and has all other facts about them. A
 * key never contains what people wrote, above all names of files.
 *
 * A key is one or more segments of letters, digits, `_`, `-` and inner dots, with slashes between them. Each is written
 * once: new bytes get a new key.
 */
export abstract class FileStore {
  /**
   * Stores all of the content, durably, or nothing of it.
   *
   * @param content read as fast as it can be written, and never held as a whole
   * @returns how many bytes were stored
   * @throws any error of reading the content. Error for an invalid key
   */
  abstract put(key: string, content: AsyncIterable<Uint8Array>): Promise<number>;

  /**
   * The bytes under a key. A stream that is not read to its end must be destroyed.
   *
   * @param range within the file. All of it when left out
   * @returns null when nothing is stored under this key
   */
  abstract open(key: string, range?: ByteRange): Promise<Readable | null>;

  /** Deletes what is stored under a key, and what an interrupted `put` left of it. Deleting nothing is no error. */
  abstract delete(key: string): Promise<void>;

  /**
   * How many files there are under all keys that begin with these segments, and how many bytes they have together.
   *
   * @throws Error for an invalid folder
   */
  abstract measureFolder(folder: string): Promise<FolderSize>;

  /** Deletes everything under keys that begin with these segments. Deleting nothing is no error. */
  abstract deleteFolder(folder: string): Promise<void>;
}
