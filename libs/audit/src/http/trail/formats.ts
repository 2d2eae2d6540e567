import { Readable } from 'node:stream';
import { preferredType } from '@annals/web';
import type { TrailEntry } from '../../read/trail/trail-entry';

/** How a whole trail is written. */
export interface TrailFormat {
  readonly mediaType: string;
  readonly extension: string;
  /** What comes before the first event. */
  readonly begin: string;
  readonly line: (entry: TrailEntry) => string;
  readonly end: (head: number) => string;
}

const NDJSON: TrailFormat = {
  mediaType: 'application/x-ndjson; charset=utf-8',
  extension: 'ndjson',
  begin: '',
  line: (entry) => `${JSON.stringify(entry)}\n`,
  end: (head) => `${JSON.stringify({ head })}\n`,
};

/** Spreadsheets would run a text that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const COLUMNS = [
  'position',
  'id',
  'type',
  'version',
  'at',
  'actor_id',
  'sentence',
  'subjects',
  'data',
  'words',
  'words_state',
  'changes',
  'request',
] as const;

const CSV: TrailFormat = {
  mediaType: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  begin: row(COLUMNS),
  line: (entry) => row(COLUMNS.map((column) => (column === 'actor_id' ? entry.actor?.user_id : entry[column]))),
  end: (head) => row(['head', head]),
};

const BY_TYPE = { 'text/csv': CSV, 'application/x-ndjson': NDJSON } as const;

/** The format that a caller prefers. JSON if neither is named. */
export function formatOf(accept: string | undefined): TrailFormat {
  return BY_TYPE[preferredType(accept, ['text/csv', 'application/x-ndjson']) ?? 'application/x-ndjson'];
}

/** Headers of the answer, with a name for the file. */
export const streamHeaders = ({ mediaType, extension }: TrailFormat, head: number): Record<string, string> => ({
  'Content-Type': mediaType,
  'Content-Disposition': `attachment; filename="annals-events-${head}.${extension}"`,
  'Cache-Control': 'no-store',
});

/** The text of a whole trail. A page is read when the text of the one before has been taken. */
export function streamed(format: TrailFormat, pages: AsyncIterable<readonly TrailEntry[]>, head: number): Readable {
  return Readable.from(textOf(format, pages, head), { highWaterMark: 1 });
}

async function* textOf(format: TrailFormat, pages: AsyncIterable<readonly TrailEntry[]>, head: number) {
  if (format.begin !== '') yield Buffer.from(format.begin);
  for await (const entries of pages) yield Buffer.from(entries.map(format.line).join(''));
  yield Buffer.from(format.end(head));
}

/** Values in the order of the columns, as RFC 4180 has them; structures as JSON. */
function row(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
