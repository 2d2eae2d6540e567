import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';

export const MANIFEST = 'manifest.json';

/** The only form of a backup there is so far. */
export const FORMAT = 1;

/** What a backup has in it. */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** When it was begun, ISO 8601. */
  readonly at: string;
  /** What wrote it; told to people only. */
  readonly program: string;
  /** Version of PostgreSQL; told to people only. */
  readonly postgres: string;
  /** The schema of the tables, as names of migrations. */
  readonly migrations: readonly string[];
  /** Where the log of each realm ended. */
  readonly heads: Readonly<Record<string, number>>;
  readonly tables: readonly BackedUpTable[];
  /** Last values of sequences. */
  readonly sequences: Readonly<Record<string, number>>;
  readonly files: { readonly count: number; readonly bytes: number };
}

export interface BackedUpTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

/** The rows of a table, in the text form of COPY, compressed. */
export const fileOf = (table: string): string => `tables/${table}.copy.gz`;

/** Where the bytes of files are within a backup. */
export const FILES = 'files';

/**
 * @throws Error when it is not there, not what was written, or of a later form
 */
export async function readManifest(folder: string, sums: ReadonlyMap<string, string>): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST));
  if (createHash('sha256').update(text).digest('hex') !== sums.get(MANIFEST))
    throw new Error(`${MANIFEST} has changed since the backup`);
  const manifest = JSON.parse(text.toString()) as Manifest;
  if (manifest.format !== FORMAT) throw new Error(`this release does not know the format of the backup`);
  return manifest;
}
