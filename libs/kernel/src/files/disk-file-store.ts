import type { Dirent } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange } from './file-store';
import { FileStore } from './file-store';

const KEY = /^[\w-](?:[\w.-]*[\w-])?(?:\/[\w-](?:[\w.-]*[\w-])?)*$/;
/** A dot at the end of a name. No key has one, so no key is the unfinished file of another. */
const UNFINISHED = '.part.';

/** Whether a name is that of a file which is being written, or whose writer crashed. */
export const isUnfinished = (name: string): boolean => name.endsWith(UNFINISHED);

/**
 * Files in a folder of this machine. Processes on several machines need a folder that they share. A file gets its name
 * only when all of its bytes are on the disk.
 */
export class DiskFileStore extends FileStore {
  /** @param folder absolute. It is created with the first file */
  constructor(private readonly folder: string) {
    super();
  }

  override async put(key: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const path = this.pathOf(key);
    const firstMade = await mkdir(dirname(path), { recursive: true });
    const unfinished = path + UNFINISHED;
    const file = await open(unfinished, 'wx');
    try {
      const size = await written(file, content);
      await rename(unfinished, path);
      await syncFolders(dirname(path), firstMade === undefined ? dirname(path) : dirname(firstMade));
      return size;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  override async open(key: string, range?: ByteRange): Promise<Readable | null> {
    try {
      const file = await open(this.pathOf(key), 'r');
      return file.createReadStream(range);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  override async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    await rm(path, { force: true });
    await rm(path + UNFINISHED, { force: true });
  }

  override async measureFolder(folder: string): Promise<{ readonly files: number; readonly bytes: number }> {
    let [files, bytes] = [0, 0];
    for (const entry of await entriesOf(this.pathOf(folder))) {
      if (!entry.isFile()) continue;
      // It may have been deleted meanwhile.
      const found = await stat(join(entry.parentPath, entry.name)).catch(() => null);
      files += 1;
      bytes += found?.size ?? 0;
    }
    return { files, bytes };
  }

  override async deleteFolder(folder: string): Promise<void> {
    await rm(this.pathOf(folder), { recursive: true, force: true });
  }

  /** No key may lead to a place outside the folder. */
  private pathOf(key: string): string {
    if (!KEY.test(key) || key.includes('..')) throw new Error('this is no key of a file');
    return join(resolve(this.folder), key);
  }
}

/** Writes everything to the disk itself, and closes the file in any case. */
async function written(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<number> {
  try {
    let size = 0;
    for await (const chunk of content) {
      await file.writeFile(chunk);
      size += chunk.length;
    }
    await file.sync();
    return size;
  } finally {
    await file.close();
  }
}

/** A new name survives a power failure only after its folder was synced, and so does a new folder. */
async function syncFolders(folder: string, last: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (folder !== last && folder !== dirname(folder)) await syncFolders(dirname(folder), last);
}

/** All files and folders below a folder. None if it does not exist. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
