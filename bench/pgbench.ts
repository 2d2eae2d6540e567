import { execFile, spawnSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Load } from './harness';

export interface PgbenchRun {
  readonly url: string;
  /** One statement, run again and again, each time in a transaction of its own. */
  readonly statement: string;
  readonly callers: number;
  readonly seconds: number;
  /** Where its files go while it runs. */
  readonly folder: string;
}

const THREADS = 2;
/** The clock of pgbench starts before its callers have connected. */
const CONNECTS_PER_SECOND = 50;
/** Column of pgbench's log with the time a transaction took, in microseconds. */
const TOOK_COLUMN = 2;

/** Whether this machine has PostgreSQL's own load generator. */
export const hasPgbench = (): boolean => spawnSync('pgbench', ['--version']).status === 0;

/**
 * Runs pgbench, which uses less of the machine than a program in JavaScript.
 *
 * @throws Error with the message of pgbench when it fails
 */
export async function pgbench({ url, statement, callers, seconds, folder }: PgbenchRun): Promise<Load> {
  const scratch = mkdtempSync(join(folder, 'pgbench-'));
  try {
    const script = join(scratch, 'script.sql');
    writeFileSync(script, `${statement};\n`);
    const time = Math.ceil(seconds + callers / CONNECTS_PER_SECOND);
    const args = ['-n', '-M', 'prepared', '-c', callers, '-j', Math.min(THREADS, callers), '-T', time, '-f', script];
    const logging = ['-l', '--log-prefix', join(scratch, 'log')];
    const { hostname, port, username, password, pathname } = new URL(url);
    const connection = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
    const { stdout } = await promisify(execFile)('pgbench', [...args.map(String), ...logging], {
      env: { ...process.env, ...connection, PGDATABASE: pathname.slice(1) },
    });
    const [count, perSecond] = [numberIn(stdout, /processed: (\d+)/), numberIn(stdout, /tps = ([\d.]+)/)];
    const load = new Load(count / perSecond);
    for (const name of readdirSync(scratch)) if (name.startsWith('log.')) await readLog(join(scratch, name), load);
    return load;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function numberIn(report: string, pattern: RegExp): number {
  const value = Number(pattern.exec(report)?.[1]);
  if (!(value > 0)) throw new Error(`pgbench got nothing done: ${report}`);
  return value;
}

async function readLog(file: string, load: Load): Promise<void> {
  for await (const line of createInterface(createReadStream(file))) {
    load.record(Number(line.split(' ')[TOOK_COLUMN]) / 1_000, 0);
  }
}
