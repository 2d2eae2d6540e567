import 'reflect-metadata';
import { hasRedis, reasonOf } from '@annals/embedded';
import { Command, InvalidArgumentError, Option } from 'commander';
import { flushLate } from '../faults/crash';
import { LATEST_MS, check } from './check';
import type { Result } from './check';
import { FaultMaker } from './fault-maker';
import { crashesOf, faultsOf } from './faults';
import { randomFrom } from './random';
import { recoveriesOf, tableOf } from './recoveries';
import type { Course } from './soak';
import { Soak } from './soak';
import { System } from './system';

interface Options {
  readonly minutes: number;
  readonly seconds?: number;
  readonly crashes?: number;
  readonly every?: number;
  readonly seed: number;
  readonly queues: 'redis' | 'postgres';
}

const INTERRUPTED = 130;
/** From one fault to the next, in s. */
const EVERY_S = 7;
const CRASH_EVERY_S = 2;
/** Most findings of a kind that are named. */
const MOST = 10;
const say = (line: string): void => console.log(line);

new Command('npm run soak --')
  .description('Runs a whole server under faults and looks whether anything is lost, doubled, out of order or late.')
  .option('--minutes <n>', 'how long faults are made', positive, 10)
  .option('--seconds <n>', 'the same in seconds', positive)
  .option('--crashes <n>', 'so many crashes of PostgreSQL in a row, and nothing else', positive)
  .option(
    '--every <seconds>',
    `from one fault to the next (default: ${EVERY_S}, of crashes ${CRASH_EVERY_S})`,
    positive,
  )
  .option('--seed <n>', 'number that decides which faults come when', positive, Date.now() % 1_000_000)
  .addOption(
    new Option('--queues <where>', 'where the queues are')
      .choices(['redis', 'postgres'])
      .default(hasRedis() ? 'redis' : 'postgres'),
  )
  .action(run)
  .parseAsync()
  .catch((error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode = 1;
  });

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

async function run({ minutes, seconds, crashes, every, seed, queues }: Options): Promise<void> {
  const course =
    crashes === undefined
      ? { seconds: seconds ?? minutes * 60, faults: Infinity, everyMs: (every ?? EVERY_S) * 1_000 }
      : { seconds: Infinity, faults: crashes, everyMs: (every ?? CRASH_EVERY_S) * 1_000 };
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  const amount = crashes === undefined ? `${course.seconds} s` : `${crashes} crashes`;
  say(
    `Two api and two worker processes, queues on ${queues}, ${amount}, a fault every ${course.everyMs / 1_000} s, seed ${seed}.`,
  );
  const system = await System.start(queues);
  let isWell = false;
  try {
    isWell = await soak(system, { ...course, seed, isCrashing: crashes !== undefined }, interrupted.signal);
  } finally {
    await system.stop();
    if (isWell || interrupted.signal.aborted) system.removeFiles();
    else say(`Logs and database are kept in ${system.folder}.`);
  }
  process.exit(interrupted.signal.aborted ? INTERRUPTED : isWell ? 0 : 1);
}

/** @returns whether all was well */
async function soak(
  system: System,
  { isCrashing, seed, ...course }: Course & { readonly isCrashing: boolean; readonly seed: number },
  signal: AbortSignal,
): Promise<boolean> {
  const random = randomFrom(seed);
  if (isCrashing) await flushLate(system.databaseUrl);
  const kinds = isCrashing ? crashesOf(system) : faultsOf(system, random);
  const faults = new FaultMaker(kinds, random, say);
  const soaking = await Soak.start(system, say);
  try {
    await soaking.go(faults, course, signal);
    if (signal.aborted) return false;
    await soaking.finish();
    say('Comparing what was acknowledged, stored and delivered.');
    const result = await check(system, soaking, faults.made);
    const writers = soaking.writers.map(({ acknowledged }) => acknowledged);
    const listeners = soaking.permanent.map(({ received }) => received);
    const positions = new Map(result.stored.map(({ text, position }) => [text, position]));
    say(`\n${tableOf(recoveriesOf(faults.made, writers, listeners, positions))}\n`);
    return report(soaking, result, faults.made.length);
  } finally {
    await soaking.stop();
  }
}

function report({ writers, planner, reader, listeners }: Soak, result: Result, faults: number): boolean {
  const authors = [...writers, planner];
  const sum = (of: (author: (typeof authors)[number]) => number) => authors.reduce((total, one) => total + of(one), 0);
  say(
    `${faults} faults; ${sum((one) => one.acknowledged.length)} acts acknowledged, ${sum((one) => one.unanswered)} not; ` +
      `${reader.acknowledged} changes of flags acknowledged; ${result.stored.length} stored; ${result.deliveries} deliveries to ${listeners.length} queues, ` +
      `the latest: ${result.latest}.`,
  );
  const found = {
    lost: result.lost,
    doubled: result.doubled,
    'out of order': result.disordered,
    [`later than ${LATEST_MS / 1_000} s`]: result.late,
    'otherwise wrong': result.wrong,
  };
  for (const [what, list] of Object.entries(found)) {
    say(`${list.length} ${what}`);
    for (const one of list.slice(0, MOST)) say(`  ${one}`);
  }
  return Object.values(found).every((list) => list.length === 0);
}
