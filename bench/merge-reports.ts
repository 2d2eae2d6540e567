import type { Machine } from './machine';
import type { Report } from './report';
import { rowsOf } from './rows';

/** What must be the same in results that stand in one table. */
const SAME = ['cpus', 'memoryGiB', 'system', 'node', 'postgresql', 'queues'] as const satisfies (keyof Machine)[];

/**
 * Several results of one machine as one. A figure that was measured more than once is that of the newest result.
 *
 * @throws Error for results of different machines or versions
 */
export function mergeReports(reports: readonly Report[]): Report {
  const [oldest, ...newer] = [...reports].sort((a, b) => a.at.localeCompare(b.at));
  if (!oldest) throw new Error('There is no result to merge.');
  return newer.reduce(mergeTwo, oldest);
}

function mergeTwo(older: Report, newer: Report): Report {
  const differing = SAME.filter((name) => older.machine[name] !== newer.machine[name]);
  if (differing.length > 0)
    throw new Error(`The results differ in ${differing.join(', ')}, so they are not one table.`);
  const figures = { ...older.figures, ...newer.figures };
  const commits = new Set([...older.machine.commit.split(', '), newer.machine.commit]);
  const machine = {
    ...newer.machine,
    commit: [...commits].join(', '),
    flushesPerSecond: Math.min(older.machine.flushesPerSecond, newer.machine.flushesPerSecond),
    loadBefore: Math.max(older.machine.loadBefore, newer.machine.loadBefore),
  };
  return { ...newer, machine, figures, rows: rowsOf(figures) };
}
