import { setTimeout as pause } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import type { Bench, Figures, Measurement } from '../../harness';
import type { Annals } from '../../http/annals';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';
import type { ApiClient } from '../../http/client';
import { sendEvenly } from '../../http/evenly';
import { SUBDOMAINS, createOrganizations, ownerAt } from '../../accounts/organizations';
import { meterOf } from '../../http/processor-time';
import { MESSAGE } from '../../message';

const WORKERS = 4;
const ORGANIZATIONS = 8;
/** Messages a second when it is measured, and before. */
const RATE = 200;
const WARM_UP_RATE = 1_000;
const WARM_UP_SECONDS = 4;
/** After a start, V8 still compiles, and collects what the start has left. A server runs for weeks. */
const SETTLE_SECONDS = 30;

/** The cost of four workers in place of one, at work and with nothing to do. */
export const workers: Measurement = {
  name: 'workers',
  title: `Processor time of one and of ${WORKERS} workers`,
  async run(bench) {
    const annals = await startAnnals(bench, SUBDOMAINS);
    const kernel = await openKernel(bench, annals.databaseUrl);
    const owners = await openOrganizations(bench, annals, kernel);
    const pids = [annals.worker];
    const setup = { bench, kernel, owners, pids };
    const one = { ...(await idle(setup, 'one', annals.api)), ...(await atWork(setup, 'one')) };
    bench.say('starting the other workers');
    while (pids.length < WORKERS) pids.push(await annals.anotherWorker());
    return { ...one, ...(await idle(setup, 'four')), ...(await atWork(setup, 'four')) };
  },
};

interface Setup {
  readonly bench: Bench;
  readonly kernel: Kernel;
  /** One for each organization. */
  readonly owners: readonly ApiClient[];
  /** Process ids of the workers. */
  readonly pids: readonly number[];
}

/** Beside the first one, which the server has already. */
async function openOrganizations(bench: Bench, annals: Annals, kernel: Kernel): Promise<ApiClient[]> {
  const others = await createOrganizations(bench, kernel, ORGANIZATIONS - 1);
  return [annals.owner, ...others.map((subdomain) => ownerAt(bench, annals, subdomain))];
}

/** The processor time of each worker, of PostgreSQL, and of the api if it is named, while nothing happens. */
async function idle({ bench, kernel, pids }: Setup, name: string, api?: number): Promise<Figures> {
  bench.say(`${name}: nothing to do`);
  await followed(kernel);
  await pause(SETTLE_SECONDS * 1_000);
  const used = meterOf(bench.postgres, { worker: pids, ...(api === undefined ? {} : { api: [api] }) });
  await pause(bench.seconds * 1_000);
  const figures: Record<string, Figures[string]> = {};
  for (const { part, count, micros, wakeUps } of used()) {
    const each = count * bench.seconds;
    figures[`workers.idle.${name}.${part}`] = { value: micros / each / 10_000, unit: '%' };
    figures[`workers.idle.${name}.${part}.wakeups`] = { value: wakeUps / each, unit: 'wake-ups/s' };
  }
  return figures;
}

/** The processor time of workers and PostgreSQL for each message to one organization, and to several in turn. */
async function atWork(setup: Setup, name: string): Promise<Figures> {
  const { bench, kernel, pids } = setup;
  const figures: Record<string, Figures[string]> = {};
  for (const [words, owners] of [
    ['single', setup.owners.slice(0, 1)],
    ['several', setup.owners],
  ] as const) {
    bench.say(`${name}: messages to ${owners.length} of ${setup.owners.length} organizations`);
    let turn = 0;
    const send = async (rate: number, seconds: number) => {
      const sent = await sendEvenly(() => sendTo(owners, turn++), rate, seconds);
      await followed(kernel);
      return sent;
    };
    await send(WARM_UP_RATE, WARM_UP_SECONDS);
    await send(RATE, 1);
    const used = meterOf(bench.postgres, { worker: pids });
    const sent = await send(RATE, bench.seconds);
    const prefix = `workers.${words}.${name}`;
    let total = 0;
    for (const { part, micros, wakeUps } of used()) {
      total += micros;
      figures[`${prefix}.${part}`] = { value: micros / sent, unit: 'µs' };
      figures[`${prefix}.${part}.wakeups`] = { value: wakeUps / sent, unit: 'wake-ups' };
    }
    figures[`${prefix}.total`] = { value: total / sent, unit: 'µs' };
  }
  return figures;
}

async function sendTo(owners: readonly ApiClient[], turn: number): Promise<void> {
  await owners[turn % owners.length]?.post('/messages', MESSAGE);
}
