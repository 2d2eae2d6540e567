import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';

export const MANIFEST = 'manifest.json';

/** The only format of backups so far. */
export const FORMAT = 1;

/** The contents of a backup. */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** When it was begun, ISO 8601. */
  readonly at: string;
  /** The program that wrote it, for operators only. */
  readonly program: string;
  /** Version of PostgreSQL, for operators only. */
  readonly postgres: string;
  /** The schema of the tables, as names of migrations. */
  readonly migrations: readonly string[];
  /** The last position of the log of each realm. */
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
export const tableFileOf = (table: string): string => `tables/${table}.copy.gz`;

/** Folder of the bytes of files in a backup. */
export const FILES = 'files';

/** @throws Error if it is missing, was changed, or has a later format */
export async function readManifest(folder: string, sums: ReadonlyMap<string, string>): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST));
  if (createHash('sha256').update(text).digest('hex') !== sums.get(MANIFEST))
    throw new Error(`${MANIFEST} has changed since the backup`);
  const manifest = JSON.parse(text.toString()) as Manifest;
  if (manifest.format !== FORMAT) throw new Error(`this release does not know the format of the backup`);
  return manifest;
}
