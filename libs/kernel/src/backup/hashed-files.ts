import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import type { Readable, TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Lists all other files of a backup with their hashes, in the form of `sha256sum`. It is written last, so it shows that
 * the backup is complete.
 */
export const SUMS = 'SHA256SUMS';

const MODE = { file: 0o600, folder: 0o700 };

/** The files of a backup in progress. */
export class HashedFiles {
  private readonly sums: string[] = [];

  /** @param folder absolute path */
  constructor(private readonly folder: string) {}

  /**
   * Writes a file and flushes it to the disk. @param name with `/` between its parts
   * @param source a stream that is destroyed if the file is not written
   * @returns its size in bytes
   */
  async write(name: string, source: Readable | Uint8Array): Promise<number> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true, mode: MODE.folder });
    const hashing = new Hashing();
    const file = createWriteStream(path, { flags: 'wx', mode: MODE.file, flush: true });
    await pipeline(source instanceof Uint8Array ? [source] : source, hashing, file);
    this.sums.push(`${hashing.digest()}  ${name}\n`);
    return hashing.bytes;
  }

  /** Writes the list, and flushes the names of all files to the disk. */
  async finish(folders: readonly string[]): Promise<void> {
    const file = createWriteStream(join(this.folder, SUMS), { flags: 'wx', mode: MODE.file, flush: true });
    await pipeline([this.sums.join('')], file);
    for (const folder of [...folders, '.']) await syncFolder(join(this.folder, folder));
  }
}

/**
 * The bytes of a file of a backup.
 *
 * @throws Error at the end of the stream if the bytes are not those that were written
 */
export async function* verified(
  folder: string,
  name: string,
  sums: ReadonlyMap<string, string>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(join(folder, name)) as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sums.get(name)) throw new Error(`${name} has changed since the backup`);
}

/**
 * The hashes of a backup by file name.
 *
 * @throws Error if the folder has no complete backup
 */
export async function readSums(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(folder, SUMS), 'utf8').catch(() => {
    throw new Error(`${folder} is not a complete backup: ${SUMS} is missing`);
  });
  return new Map([...text.matchAll(/^([\da-f]{64}) {2}(.+)$/gm)].map(([, sum = '', name = '']) => [name, sum]));
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => null);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

class Hashing extends Transform {
  bytes = 0;
  private readonly hash = createHash('sha256');

  override _transform(chunk: Uint8Array, _: BufferEncoding, done: TransformCallback): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    done(null, chunk);
  }

  /** Hash of all bytes that passed; may be read once. */
  digest(): string {
    return this.hash.digest('hex');
  }
}
