import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import type { Report } from './report';
import { HEADINGS, cellsOf } from './report';

const BEGIN = '<!-- figures:begin -->';
const END = '<!-- figures:end -->';

/**
 * Puts the figures of a result between the two marks of a document; nobody types one by hand.
 *
 * @throws Error when the document has no such marks
 */
export async function writeDocs(file: string, report: Report): Promise<void> {
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${file} does not have the marks ${BEGIN} and ${END}`);
  const filled = `${text.slice(0, from + BEGIN.length)}\n\n${figuresOf(report)}\n\n${text.slice(to)}`;
  writeFileSync(file, await format(filled, { ...(await resolveConfig(file)), filepath: file }));
}

function figuresOf({ at, seconds, stored, machine, rows }: Report): string {
  const about = [
    ['Processors', machine.cpus],
    ['Memory', `${machine.memoryGiB} GiB`],
    ['System', machine.system],
    ['Node', machine.node],
    ['PostgreSQL', `${machine.postgresql}, embedded, fsync and synchronous_commit on`],
    ['Queues and wake-ups', machine.queues],
    ['Flushes of one page', `${machine.flushesPerSecond.toLocaleString('en-US')} per second`],
    ['Load average before', String(machine.loadBefore)],
    ['Commit', machine.commit],
    ['Date', at.slice(0, 10)],
    ['Length of a run', `${seconds} s`],
    ['Full log', `${stored.toLocaleString('en-US')} events`],
  ];
  return [table(['This machine', ''], about), table(HEADINGS, cellsOf(rows))].join('\n\n');
}

function table(headings: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [row(headings), row(headings.map((_, column) => (column === 0 ? '---' : '---:'))), ...lines.map(row)].join(
    '\n',
  );
}
