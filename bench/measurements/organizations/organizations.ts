import { setTimeout as pause } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import type { Bench, Figures, Measurement } from '../../harness';
import type { Annals } from '../../http/annals';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';
import { SUBDOMAINS, createOrganizations } from '../../accounts/organizations';
import { meterOf, usageOf } from '../../http/processor-time';

const ORGANIZATIONS = 1_000;
/** Everything that is done at least once a minute is done in this time. */
const IDLE_SECONDS = 60;
/** After a start: code is compiled, and checkpoints of readers are written. */
const SETTLING_MS = 20_000;
const LOOK_MS = 500;

/** A server with many organizations in which nothing happens: its start, and what it costs. */
export const organizations: Measurement = {
  name: 'organizations',
  title: `${ORGANIZATIONS.toLocaleString('en')} organizations on one server`,
  async run(bench) {
    const annals = await startAnnals(bench, SUBDOMAINS);
    const kernel = await openKernel(bench, annals.databaseUrl);
    await createOrganizations(bench, kernel, ORGANIZATIONS - 1);
    bench.say('following and signing all logs');
    await followed(kernel);
    await allSigned(kernel);
    await followed(kernel);
    await annals.stopApi();
    await annals.stopWorker();
    bench.say('starting the worker and the api');
    const worker = await started(annals.anotherWorker);
    const api = await started(annals.anotherApi);
    return {
      'organizations.start.worker': { value: worker.ms, unit: 'ms' },
      'organizations.start.worker.cpu': { value: worker.cpuMs, unit: 'ms' },
      'organizations.start.api': { value: api.ms, unit: 'ms' },
      'organizations.start.api.cpu': { value: api.cpuMs, unit: 'ms' },
      ...(await idle(bench, annals, { worker: [worker.pid], api: [api.pid] })),
    };
  },
};

/** How long a process took to start, and how much of it was processor time. */
async function started(start: () => Promise<number>): Promise<{ pid: number; ms: number; cpuMs: number }> {
  const began = performance.now();
  const pid = await start();
  return { pid, ms: performance.now() - began, cpuMs: usageOf([pid]).micros / 1_000 };
}

/** Processor time of each process while nothing happens, the first answer of the api included in what is before. */
async function idle(
  bench: Bench,
  { owner }: Annals,
  processes: Readonly<Record<string, readonly number[]>>,
): Promise<Figures> {
  await owner.get('/users/me');
  bench.say('nothing to do');
  await pause(SETTLING_MS);
  const used = meterOf(bench.postgres, processes);
  await pause(IDLE_SECONDS * 1_000);
  const figures: Record<string, Figures[string]> = {};
  for (const { part, micros } of used()) {
    figures[`organizations.idle.${part}`] = { value: micros / IDLE_SECONDS / 10_000, unit: '%' };
  }
  return figures;
}

/** Resolves when each log has a signed checkpoint at its end. */
async function allSigned({ database }: Kernel): Promise<void> {
  const unsigned = `SELECT FROM realm_heads AS h WHERE NOT EXISTS (
    SELECT FROM audit_checkpoints AS c WHERE c.realm_id = h.realm_id AND c.size = h.position) LIMIT 1`;
  while ((await database.pool.query(unsigned)).rowCount !== 0) await pause(LOOK_MS);
}
