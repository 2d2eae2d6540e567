import { Client } from 'pg';

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
