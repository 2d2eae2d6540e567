import type { Readable } from 'node:stream';

/** Bytes of a file from `start` to `end`, both included, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Keeps the bytes of files, which are no part of the log: an event names them by key, and tells everything else about
 * them. What people wrote, names of files above all, is never part of a key.
 *
 * A key is one or more segments of letters, digits, `_`, `-` and inner dots, with slashes between them. Each is written
 * once: new bytes get a new key.
 */
export abstract class FileStore {
  /**
   * Keeps all of the content, durably, or nothing of it.
   *
   * @param content read as fast as it can be written, and never held as a whole
   * @returns how many bytes were kept
   * @throws whatever reading the content throws; Error for a key that is none
   */
  abstract put(key: string, content: AsyncIterable<Uint8Array>): Promise<number>;

  /**
   * The bytes kept under a key. A stream that is not read to its end must be destroyed.
   *
   * @param range within the file; all of it when left out
   * @returns null when nothing is kept under this key
   */
  abstract open(key: string, range?: ByteRange): Promise<Readable | null>;

  /** Removes what is kept under a key, and what an interrupted `put` left of it; nothing is as good as removed. */
  abstract delete(key: string): Promise<void>;
}
