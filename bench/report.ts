import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Figure, Figures, Unit } from './harness';
import type { Floor } from './goals/goal';
import type { Row } from './rows';
import type { Machine } from './machine';

/** The results of one run of the benchmark, which are the content of its JSON file. */
export interface Report {
  /** When it began, ISO 8601, UTC. */
  readonly at: string;
  /** Seconds each figure was measured for. */
  readonly seconds: number;
  /** Events in the log of the measurement with a full one. */
  readonly stored: number;
  readonly machine: Machine;
  readonly rows: readonly Row[];
  readonly figures: Figures;
}

export function writeReport(file: string, report: Report): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}

export const readReport = (file: string): Report => JSON.parse(readFileSync(file, 'utf8')) as Report;

/** @throws Error when nothing was measured yet */
export function newestReport(folder: string): string {
  const [newest] = filesIn(folder).sort().reverse();
  if (newest === undefined) throw new Error(`There is no result in ${folder} yet: run the benchmark first.`);
  return join(folder, newest);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return []; // nothing was ever measured here
  }
}

export const HEADINGS = ['goal', 'ours', 'limit', 'ratio', 'floor', 'ok'] as const;

/** The cells of the table, as text. */
export const cellsOf = (rows: readonly Row[]): string[][] =>
  rows.map(({ goal, ours, limit, ratio, floor, ok }) => [
    goal,
    ours ? shown(ours) : '',
    limit ? shown(limit) : '',
    ratio === null ? '' : ratio.toFixed(2),
    floor ? asked(floor) : '',
    ok === null ? '' : ok ? 'yes' : 'NO',
  ]);

/** The table for a terminal. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [[...HEADINGS], ...cellsOf(rows)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return [text[0], widths.map((width) => '-'.repeat(width)).join('  '), ...text.slice(1)].join('\n');
}

const DIGITS: Readonly<Record<Unit, number>> = {
  events: 0,
  'events/s': 0,
  messages: 0,
  'messages/s': 0,
  'rows/s': 0,
  'requests/s': 0,
  ms: 2,
  µs: 0,
  'wake-ups': 2,
  MB: 0,
  kB: 1,
  bytes: 0,
  'wake-ups/s': 1,
  '%': 1,
};

export const shown = ({ value, unit }: Figure): string => `${withCommas(value, DIGITS[unit])} ${unit}`;

const asked = (floor: Floor): string =>
  'atLeast' in floor ? `≥ ${withCommas(floor.atLeast)}` : `≤ ${withCommas(floor.atMost)}`;

const withCommas = (value: number, digits?: number): string =>
  value.toLocaleString(
    'en-US',
    digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  );
