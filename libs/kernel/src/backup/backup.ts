import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { createGzip } from 'node:zlib';
import type { ClientBase } from 'pg';
import { Client } from 'pg';
import type { ContextDefinition } from '../contexts/define-context';
import { isUnfinished } from '../files/disk-file-store';
import { kernelContext } from '../restore/events';
import { copyOut } from './copy';
import { HashedFiles } from './hashed-files';
import type { BackedUpTable, Manifest } from './manifest';
import { tableFileOf, FILES, FORMAT, MANIFEST } from './manifest';
import type { TableOfTruth } from './tables';
import { migrationsRun, selection, sequences, tablesOfTruth } from './tables';

export interface BackupOptions {
  readonly databaseUrl: string;
  /** The folder with the bytes of files. It may be missing. */
  readonly files: string;
  readonly contexts: readonly ContextDefinition[];
  /** The program that creates the backup, for the manifest. */
  readonly program: string;
  readonly at: Date;
  /** @param done number of rows and files */
  readonly onProgress?: (done: number, total: number, doing: string) => void;
}

/** Opens one snapshot for all tables, without a time limit. */
const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0';

/**
 * Writes everything that cannot be derived into a folder, while the server runs: the tables of migrations on one
 * snapshot, then the bytes of files. The bytes of a file are stored before its event, so all files of the snapshot
 * exist, except those deleted meanwhile. After a failure, the folder is empty.
 *
 * @param folder absolute path; created if it is missing
 * @throws Error if the folder is not empty, the database has no schema, or a write fails
 */
export async function backUp(folder: string, options: BackupOptions): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`);
  try {
    return await new Backup(new HashedFiles(folder), options).run();
  } catch (error) {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    throw error;
  }
}

class Backup {
  private done = 0;
  private total = 0;

  constructor(
    private readonly output: HashedFiles,
    private readonly options: BackupOptions,
  ) {}

  async run(): Promise<Manifest> {
    const { databaseUrl } = this.options;
    const client = new Client({ connectionString: databaseUrl, application_name: 'annals backup' });
    // An error that breaks the connection also fails the statement.
    client.on('error', () => undefined);
    await client.connect();
    try {
      const ofDatabase = await this.database(client);
      const manifest = { ...ofDatabase, files: await this.files() };
      await this.output.write(MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
      await this.output.finish(['tables', FILES]);
      return manifest;
    } finally {
      await client.end();
    }
  }

  private async database(client: ClientBase): Promise<Omit<Manifest, 'files'>> {
    const { at, program, contexts } = this.options;
    await client.query(BEGIN);
    const migrations = await migrationsRun(client);
    if (migrations === null) throw new Error('the database is empty: run annals setup first');
    const all = await tablesOfTruth(client, transientTables(contexts));
    for (const table of all) this.total += await rowsIn(client, table);
    const { rows: version } = await client.query<{ server_version: string }>('SHOW server_version');
    const { rows: heads } = await client.query<{ realm_id: number; position: number }>(
      'SELECT realm_id, position FROM realm_heads ORDER BY realm_id',
    );
    const tables: BackedUpTable[] = [];
    for (const table of all) tables.push({ ...table, rows: await this.table(client, table) });
    // This is not part of the snapshot. A value later than the rows need only leaves a gap.
    const last = await sequences(client);
    await client.query('COMMIT');
    return {
      format: FORMAT,
      at: at.toISOString(),
      program,
      postgres: version[0]?.server_version ?? '',
      migrations,
      heads: Object.fromEntries(heads.map(({ realm_id, position }) => [realm_id, Number(position)])),
      tables,
      sequences: last,
    };
  }

  private async table(client: ClientBase, table: TableOfTruth): Promise<number> {
    const zip = createGzip({ level: 1 });
    const written = this.output.write(tableFileOf(table.name), zip);
    const failed = written.then(
      () => undefined,
      (error: unknown) => Promise.reject(error as Error),
    );
    const copied = copyOut(client, `COPY (${selection(table)}) TO STDOUT`, async (block) => {
      if (!zip.write(block)) await Promise.race([once(zip, 'drain'), failed]);
      this.advance(linesIn(block), table.name);
    });
    try {
      const rows = await Promise.race([copied, failed.then(() => copied)]);
      zip.end();
      await written;
      return rows;
    } catch (error) {
      zip.destroy();
      await Promise.allSettled([copied, written]);
      throw error;
    }
  }

  private async files(): Promise<Manifest['files']> {
    const { files } = this.options;
    const names = await filesIn(files);
    this.total = this.done + names.length;
    let [count, bytes] = [0, 0];
    for (const name of names) {
      this.advance(1, FILES);
      const source = createReadStream(join(files, name));
      const opened = await once(source, 'open').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
      if (!opened) continue;
      bytes += await this.output.write(`${FILES}/${name.split(sep).join('/')}`, source);
      count++;
    }
    return { count, bytes };
  }

  private advance(more: number, doing: string): void {
    this.done += more;
    this.options.onProgress?.(this.done, Math.max(this.total, this.done), doing);
  }
}

export const transientTables = (contexts: readonly ContextDefinition[]): readonly string[] =>
  [kernelContext, ...contexts].flatMap(({ transient }) => transient);

async function rowsIn(client: ClientBase, table: TableOfTruth): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int8 AS count FROM (${selection(table)}) t`);
  return Number(rows[0]?.count ?? 0);
}

/** A row is a line. Characters that end a line are escaped. */
function linesIn(block: Buffer): number {
  let lines = 0;
  for (let at = block.indexOf(10); at >= 0; at = block.indexOf(10, at + 1)) lines++;
  return lines;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile() && !isUnfinished(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
