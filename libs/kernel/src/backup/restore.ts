import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ClientBase } from 'pg';
import { Database, UNHURRIED_SQL } from '../database/database';
import type { ContextDefinition } from '../contexts/define-context';
import { DiskFileStore } from '../files/disk-file-store';
import { transientTables } from './backup';
import { copyIn } from './copy';
import { readSums, verified } from './hashed-files';
import type { BackedUpTable, Manifest } from './manifest';
import { tableFileOf, FILES, readManifest } from './manifest';
import { copyInto, firstWithRows, migrationsRun, setSequences, tablesOfTruth } from './tables';

export interface RestoreOptions {
  readonly databaseUrl: string;
  /** The folder for the bytes of files. */
  readonly files: string;
  readonly contexts: readonly ContextDefinition[];
  /** @param done number of rows and files */
  readonly onProgress?: (done: number, total: number, doing: string) => void;
}

/**
 * Restores a backup into an empty database and a folder for files, and checks each byte. If it was interrupted, it may
 * be run again, because the rows of all tables are one transaction. Afterwards, read models are missing
 * (`Rebuild.upgrade`). The schema is that of the version that wrote the backup, brought up to date.
 *
 * @param folder absolute path
 * @throws Error if the folder has no complete backup, the backup was changed or is of a later version than this
 * program, or the database is not empty
 */
export async function restoreBackup(folder: string, options: RestoreOptions): Promise<Manifest> {
  const sums = await readSums(folder);
  const manifest = await readManifest(folder, sums);
  const migrations = options.contexts.flatMap((context) => context.migrations);
  const { databaseUrl } = options;
  const database = await Database.connect(databaseUrl, { migrations, only: manifest.migrations, poolSize: 2 });
  try {
    const missing = manifest.migrations.find((name) => !database.migrations.includes(name));
    if (missing !== undefined) throw new Error(`the backup was made by a newer release (${missing})`);
    const restore = new Restore(folder, sums, manifest, options);
    await restore.ensureEmpty(database);
    await restore.files();
    await database.migrate();
    await database.transaction(`BEGIN; ${UNHURRIED_SQL}`, (client) => restore.tables(client));
    await database.transaction('BEGIN; SET LOCAL statement_timeout = 0; ANALYZE', async () => undefined);
  } finally {
    await database.close();
  }
  const newest = await Database.connect(databaseUrl, { migrations, poolSize: 2 });
  try {
    await newest.migrate();
  } finally {
    await newest.close();
  }
  return manifest;
}

class Restore {
  private done = 0;
  private readonly fileNames: readonly string[];
  private readonly total: number;

  constructor(
    private readonly folder: string,
    private readonly sums: ReadonlyMap<string, string>,
    private readonly manifest: Manifest,
    private readonly options: RestoreOptions,
  ) {
    this.fileNames = [...sums.keys()].filter((name) => name.startsWith(`${FILES}/`));
    this.total = manifest.tables.reduce((sum, { rows }) => sum + rows, this.fileNames.length);
  }

  /** An interrupted restore leaves a schema without rows. */
  async ensureEmpty(database: Database): Promise<void> {
    await database.transaction('BEGIN', async (client) => {
      const run = await migrationsRun(client);
      const tables = await tablesOfTruth(client, transientTables(this.options.contexts));
      const isOther = run === null ? tables.length > 0 : run.some((name) => !this.manifest.migrations.includes(name));
      if (isOther || (await firstWithRows(client, tables))) throw new Error('the database is not empty');
    });
  }

  async files(): Promise<void> {
    const store = new DiskFileStore(this.options.files);
    for (const name of this.fileNames) {
      const key = name.slice(FILES.length + 1);
      await store.delete(key); // left by an interrupted restore
      await store.put(key, verified(this.folder, name, this.sums));
      this.advance(1, FILES);
    }
  }

  async tables(client: ClientBase): Promise<void> {
    for (const table of this.manifest.tables) await this.table(client, table);
    await setSequences(client, this.manifest.sequences);
  }

  private async table(client: ClientBase, table: BackedUpTable): Promise<void> {
    const rows = unzipped(verified(this.folder, tableFileOf(table.name), this.sums));
    const count = await copyIn(client, copyInto(table), rows);
    if (count !== table.rows) throw new Error(`${table.name} has ${count} rows, ${table.rows} were backed up`);
    this.advance(count, table.name);
  }

  private advance(more: number, doing: string): void {
    this.done += more;
    this.options.onProgress?.(this.done, this.total, doing);
  }
}

async function* unzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const rows = createGunzip();
  const piped = pipeline(source, rows);
  piped.catch(() => undefined); // the reader of the rows receives the error
  yield* rows as AsyncIterable<Uint8Array>;
  await piped;
}
