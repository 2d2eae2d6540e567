import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonOf } from '@annals/embedded';
import { Command, InvalidArgumentError } from 'commander';
import { MEASUREMENTS } from './measurements/index';
import { mergeReports } from './merge-reports';
import { newestReport, readReport, tableOf, writeReport } from './report';
import { runBenchmark } from './run';
import { writeDisk, writeFigures, writeFirstLook } from './write-docs';

interface Options {
  readonly only?: string[];
  readonly seconds: number;
  readonly stored: number;
  readonly json?: string[];
  readonly writeDocs?: true;
  readonly strict?: true;
}

const root = (function find(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : find(dirname(folder));
})(__dirname);
const RESULTS = join(root, 'bench', 'results');
const DATA = join(root, 'bench', 'data');
const DOCS = join(root, 'docs', 'benchmarks.md');
const README = join(root, 'README.md');

const NAMES = MEASUREMENTS.map(({ name }) => name);

const program = new Command('npm run bench --')
  .description('Measures Annals beside the limits of this machine.')
  .option('--only <name...>', `measure only these: ${NAMES.join(', ')}`, known, undefined)
  .option('--seconds <n>', 'how long each figure is measured', positive, 10)
  .option('--stored <n>', 'events in the full log', positive, 1_000_000)
  .option('--json <file...>', 'where the result goes (default: bench/results/<date>.json)')
  .option('--strict', 'fail when a floor is missed')
  .option(
    '--write-docs',
    'measure nothing: put the newest result, or those of --json as one, into docs/benchmarks.md and README.md',
  )
  .action((options: Options) => (options.writeDocs ? document(options) : measure(options)));

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function known(name: string, before: readonly string[] = []): string[] {
  if (!NAMES.includes(name)) throw new InvalidArgumentError(`There are: ${NAMES.join(', ')}.`);
  return [...before, name];
}

async function document({ json }: Options): Promise<void> {
  const files = json ?? [newestReport(RESULTS)];
  const report = mergeReports(files.map(readReport));
  await writeFigures(DOCS, report);
  await writeDisk(DOCS, report);
  await writeFirstLook(README, report);
  console.log(`${DOCS} and ${README} tell what ${files.join(', ')} says.`);
}

async function measure({ only, seconds, stored, json, strict }: Options): Promise<void> {
  const measurements = MEASUREMENTS.filter(({ name }) => only?.includes(name) ?? true);
  const { report, failures } = await runBenchmark({ measurements, seconds, stored, dataFolder: DATA });
  const { rows, machine } = report;
  console.log(`\n${tableOf(rows)}\n`);
  for (const [what, value] of Object.entries(machine)) console.log(`${what}: ${value}`);
  for (const [name, error] of failures) console.error(`\n${name} could not be measured:`, error);
  const file = json?.[0] ?? join(RESULTS, `${report.at.slice(0, 19).replaceAll(':', '')}.json`);
  writeReport(file, report);
  const missed = rows.filter(({ ok }) => ok === false).length;
  console.log(`\n${missed === 0 ? 'No floor was missed' : `Floors missed: ${missed}`}. Written to ${file}.`);
  if (failures.size > 0 || (strict && missed > 0)) process.exitCode = 1;
}

program.parseAsync().catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exitCode = 1;
});
