import { execFile } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startPostgres } from '@annals/embedded';
import type { RunningPostgres } from '@annals/embedded';
import { setUp } from '../../apps/standalone/src/set-up';
import { FaultyRedis } from '../support/faults/faulty-redis';
import { Supervised } from './supervised';

export const OWNER = { email: 'owner@example.com', key: 'theKeyOfTheOwnerHas32Characters0' };
const PROCESSES = [1, 2];
/** The programs as they were built together with this one. */
const mainOf = (app: string) => join(__dirname, '..', '..', 'apps', app, 'src', 'main.js');
/** Settings of the soak alone, independent of this shell. */
const FOREIGN = /^(ANNALS_|DATABASE_URL|REDIS_URL|PORT$|HOST$)/;

/** The whole server as an operator runs it: a PostgreSQL, a Redis or none, two api and two worker processes. */
export class System {
  readonly apis: Supervised[] = [];
  readonly workers: Supervised[] = [];
  /** Addresses of the api processes, which they keep when they are started again. */
  readonly addresses: string[] = [];
  /** Processes that ended by themselves. */
  readonly unexpected: string[] = [];
  private env: NodeJS.ProcessEnv = {};
  private readonly log: number;

  private constructor(
    readonly folder: string,
    private postgres: RunningPostgres,
    readonly redis: FaultyRedis | null,
  ) {
    this.log = openSync(join(folder, 'programs.log'), 'a');
  }

  /** @throws CannotStart or Error when a part of it does not start. Nothing remains running then */
  static async start(queues: 'redis' | 'postgres'): Promise<System> {
    const folder = mkdtempSync(join(tmpdir(), 'annals-soak-'));
    chmodSync(folder, 0o755); // for the user PostgreSQL runs as when we are root
    const redis = queues === 'redis' ? await FaultyRedis.start() : null;
    const postgres = await startPostgres({ dataDir: folder, log: () => undefined });
    const system = new System(folder, postgres, redis);
    try {
      await system.startPrograms();
      return system;
    } catch (error) {
      await system.stop();
      throw error;
    }
  }

  get databaseUrl(): string {
    return this.postgres.url;
  }

  /** Ends PostgreSQL without letting it finish anything, as a loss of power does. */
  async crashPostgres(): Promise<void> {
    const [pid] = readFileSync(join(this.postgres.folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGQUIT');
    await this.postgres.ended;
  }

  /** Starts PostgreSQL again where it was. Resolves when it answers. */
  async startPostgres(): Promise<void> {
    const port = Number(new URL(this.postgres.url).port);
    this.postgres = await startPostgres({ dataDir: this.folder, log: () => undefined, port });
  }

  /** Runs `annals …` like an operator. @throws Error with its output when it fails */
  async annals(...args: readonly string[]): Promise<string> {
    const script = mainOf('cli');
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [script, ...args], { cwd: this.folder, env: this.env }, (error, out, err) =>
        error ? reject(new Error(`annals ${args.join(' ')}: ${out}${err}`)) : resolve(out),
      );
    });
  }

  /** Ends everything. The files stay. */
  async stop(): Promise<void> {
    await Promise.all([...this.apis, ...this.workers].map((one) => one.stop()));
    await this.redis?.close();
    await this.postgres.stop();
    closeSync(this.log);
  }

  /** Removes the files of a server that was stopped. */
  removeFiles(): void {
    for (const folder of [this.postgres.folder, this.folder]) rmSync(folder, { recursive: true, force: true });
  }

  private async startPrograms(): Promise<void> {
    const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
    this.env = {
      ...Object.fromEntries(inherited),
      DATABASE_URL: this.databaseUrl,
      ...(this.redis ? { REDIS_URL: this.redis.url } : {}),
      HOST: '127.0.0.1',
      ANNALS_DATA_DIR: this.folder,
      ANNALS_RATE_LIMITS: 'off',
      ANNALS_WELCOME_BOT: 'off',
      ANNALS_OWNER_EMAIL: OWNER.email,
      ANNALS_OWNER_API_KEY: OWNER.key,
    };
    const cli = { script: mainOf('cli'), args: ['setup', '--json'] };
    await setUp({ ...cli, cwd: this.folder, env: this.env }, new AbortController().signal);
    for (const n of PROCESSES) this.workers.push(this.supervised('worker', n, this.env));
    for (const n of PROCESSES) {
      const port = await freePort();
      this.addresses.push(`http://127.0.0.1:${port}`);
      this.apis.push(this.supervised('api', n, { ...this.env, PORT: String(port) }));
    }
    await Promise.all([...this.workers, ...this.apis].map((one) => one.start()));
  }

  private supervised(app: 'api' | 'worker', n: number, env: NodeJS.ProcessEnv): Supervised {
    const program = { script: mainOf(app), cwd: this.folder, env };
    return new Supervised(`${app} ${n}`, program, this.log, (what) => this.unexpected.push(what));
  }
}
