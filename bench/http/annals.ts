import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@annals/embedded';
import { setUp } from '../../apps/standalone/src/set-up';
import type { Bench } from '../harness';
import { ApiClient } from './client';
import { LOCAL_EMAIL, LOCAL_KEY } from './local-key';
import { startProgram } from './program';

/** The script of a program of ours. */
export const programOf = (app: string) => join(__dirname, '..', '..', 'apps', app, 'src', 'main.js');

/** The whole server, as `npm start` runs it, with one organization and only its owner in it. */
export interface Annals {
  readonly address: string;
  readonly databaseUrl: string;
  /** Process ids. */
  readonly api: number;
  readonly worker: number;
  readonly owner: ApiClient;
  /** Variables of its processes. */
  readonly env: NodeJS.ProcessEnv;
  readonly stopWorker: () => Promise<void>;
  readonly stopApi: () => Promise<void>;
  /** Starts one more worker, which ends after the measurement. @returns its process id */
  readonly anotherWorker: () => Promise<number>;
  /** Starts an api in place of the one that was stopped. @returns its process id */
  readonly anotherApi: () => Promise<number>;
}

/**
 * Sets up a server on a database of its own and starts api and worker. They end after the measurement.
 *
 * @param settings beside those of all measurements
 * @param workerScript the program of its worker
 */
export async function startAnnals(
  bench: Bench,
  settings: NodeJS.ProcessEnv = {},
  workerScript = programOf('worker'),
): Promise<Annals> {
  const folder = mkdtempSync(join(bench.folder, 'annals-'));
  const { REDIS_URL: _, ...inherited } = process.env;
  const databaseUrl = await bench.createDatabase();
  const env = {
    ...inherited,
    DATABASE_URL: databaseUrl,
    ...(bench.redisUrl === undefined ? {} : { REDIS_URL: bench.redisUrl }),
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    ANNALS_DATA_DIR: folder,
    ANNALS_RATE_LIMITS: 'off',
    ANNALS_WELCOME_BOT: 'off',
    ANNALS_OWNER_EMAIL: LOCAL_EMAIL,
    ANNALS_OWNER_API_KEY: LOCAL_KEY,
    ...settings,
  };
  await setUp({ script: programOf('cli'), args: ['setup', '--json'], cwd: folder, env }, new AbortController().signal);
  const start = async (script: string) => {
    const program = await startProgram({ script, env, folder });
    bench.after(program.stop);
    return program;
  };
  const worker = await start(workerScript);
  const api = await start(programOf('api'));
  const owner = new ApiClient(api.address, LOCAL_EMAIL, LOCAL_KEY);
  bench.after(async () => owner.close());
  const another = {
    anotherWorker: async () => (await start(workerScript)).pid,
    anotherApi: async () => (await start(programOf('api'))).pid,
  };
  const { address } = api;
  const processes = { api: api.pid, worker: worker.pid, stopApi: api.stop, stopWorker: worker.stop };
  return { address, databaseUrl, env, owner, ...processes, ...another };
}
