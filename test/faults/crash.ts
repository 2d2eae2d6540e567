import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@annals/embedded';
import type { RunningPostgres } from '@annals/embedded';
import { Client } from 'pg';

/** A PostgreSQL for the specs of one block alone, which may crash it. @returns what gives its address once they run */
export function postgresOfItsOwn(): () => string {
  let postgres: RunningPostgres;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'annals-crash-'));
    chmodSync(folder, 0o755);
    postgres = await startPostgres({ dataDir: folder, log: () => undefined });
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => postgres.url;
}

/** A killed backend makes PostgreSQL end all others at once and recover from its log, as after a loss of power. */
export async function crash(url: string): Promise<void> {
  const victim = new Client({ connectionString: url });
  victim.on('error', () => undefined);
  await victim.connect();
  const { rows } = await victim.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const gone = new Promise((resolve) => victim.once('end', resolve));
  const pid = rows[0]?.pid;
  if (pid === undefined) throw new Error('PostgreSQL has no process to kill');
  process.kill(pid, 'SIGKILL');
  await gone;
}
