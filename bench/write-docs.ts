import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import type { Report } from './report';
import { HEADINGS, cellsOf, shown } from './report';

/** Names of the figures of tables and indexes. */
const DISK = 'disk.';

/** The figures for the README. */
const FIRST_LOOK: readonly (readonly [figure: string, words: string])[] = [
  ['append.128.rate', 'messages appended to the log, hashed and shown, 128 callers'],
  ['http.messages.rate', '`POST /messages` on 64 connections, durable when answered'],
  ['latency.p50', 'from the answer to the sender to the answer to the receiver, median'],
  ['rebuild.rate', 'a read model rebuilt from the log'],
  ['polls.memory', 'memory of the api with 5,000 clients that wait'],
];

/** Puts all figures of a result between the two marks of a document. @throws Error when it has no such marks */
export const writeFigures = (file: string, report: Report): Promise<void> => fill(file, 'figures', figuresOf(report));

/** The same with what a message leaves in each table and index, the largest first; nothing where that was not measured. */
export async function writeDisk(file: string, { figures, machine, at }: Report): Promise<void> {
  const sizes = Object.entries(figures)
    .filter(([name]) => name.startsWith(DISK))
    .sort(([, a], [, b]) => b.value - a.value)
    .map(([name, figure]) => [`\`${name.slice(DISK.length)}\``, shown(figure)]);
  if (sizes.length === 0) return;
  await fill(file, 'disk', table([`Table or index, commit ${machine.commit}, ${at.slice(0, 10)}`, ''], sizes));
}

/** The same with a few figures, for a first look. @throws Error when one of them was not measured */
export function writeFirstLook(file: string, { figures, machine }: Report): Promise<void> {
  const rows = FIRST_LOOK.map(([name, words]) => {
    const figure = figures[name];
    if (!figure) throw new Error(`${name} was not measured: run the whole benchmark first`);
    return [words, shown(figure)];
  });
  return fill(file, 'figures', table([`${machine.cpus}, load included`, ''], rows));
}

/** Figures are never written by hand. */
async function fill(file: string, name: string, figures: string): Promise<void> {
  const text = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} does not have the marks ${begin} and ${end}`);
  const filled = `${text.slice(0, from + begin.length)}\n\n${figures}\n\n${text.slice(to)}`;
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
