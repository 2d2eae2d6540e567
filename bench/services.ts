import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres, startRedis } from '@annals/embedded';
import type { RunningPostgres, RunningRedis } from '@annals/embedded';

/** The database and Redis of one run of the benchmark, in a folder that is deleted with them. */
export class Services {
  private databases = 0;

  private constructor(
    readonly folder: string,
    private readonly postgres: RunningPostgres,
    private readonly redis: RunningRedis | undefined,
  ) {}

  /**
   * Starts them as `npm start` does, with the same settings.
   *
   * @param parent folder on the disk that is measured
   * @throws CannotStart when this machine does not let them run
   */
  static async start(parent: string): Promise<Services> {
    mkdirSync(parent, { recursive: true });
    const dataDir = mkdtempSync(join(parent, 'run-'));
    chmodSync(dataDir, 0o755); // for the user PostgreSQL runs as when we are root
    const log = () => undefined;
    const postgres = await startPostgres({ dataDir, log });
    const redis = await startRedis({ dataDir, log });
    return new Services(dataDir, postgres, redis);
  }

  get redisUrl(): string | undefined {
    return this.redis?.url;
  }

  /** Process id of PostgreSQL's first process. */
  get postgresPid(): number {
    const [pid] = readFileSync(join(this.postgres.folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
    return Number(pid);
  }

  /** Connection string of the server's own database. */
  get adminUrl(): string {
    return this.postgres.url;
  }

  /** @returns the connection string of a new and empty database */
  async createDatabase(): Promise<string> {
    const name = `bench_${++this.databases}`;
    await this.execute(`CREATE DATABASE ${name}`);
    return urlOf(this.postgres.url, name);
  }

  /** Drops what a measurement has left and writes out what PostgreSQL still owes the disk, so that the next begins even. */
  async clear(): Promise<void> {
    const names = Array.from({ length: this.databases }, (_, n) => `bench_${n + 1}`);
    for (const name of names) await this.execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await this.execute('CHECKPOINT');
  }

  /** Stops both and removes their files. */
  async stop(): Promise<void> {
    await this.redis?.stop();
    await this.postgres.stop();
    for (const folder of [this.postgres.folder, this.folder]) rmSync(folder, { recursive: true, force: true });
  }

  private async execute(statement: string): Promise<void> {
    const admin = new Client({ connectionString: this.postgres.url });
    await admin.connect();
    try {
      await admin.query(statement);
    } finally {
      await admin.end();
    }
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
