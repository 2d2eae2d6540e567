import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestFolder {
  readonly path: string;
  readonly drop: () => Promise<void>;
}

/** A folder for the files that one server stores beside its database. */
export async function createTestFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'annals-data-'));
  return { path, drop: () => rm(path, { recursive: true, force: true }) };
}
