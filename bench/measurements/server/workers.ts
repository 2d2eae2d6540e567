import { setTimeout as pause } from 'node:timers/promises';
import { createOrganization } from '@annals/onboarding';
import type { Kernel } from '@annals/kernel';
import type { Bench, Figures, Measurement } from '../../harness';
import type { Annals } from '../../http/annals';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';
import { ApiClient } from '../../http/client';
import { sendEvenly } from '../../http/evenly';
import { LOCAL_EMAIL, LOCAL_KEY } from '../../http/local-key';
import { postgresPids, usageOf, usedBetween } from '../../http/processor-time';

const WORKERS = 4;
const ORGANIZATIONS = 8;
/** Messages a second, and while code is compiled. */
const RATE = 200;
const WARM_UP_RATE = 1_000;
const WARM_UP_SECONDS = 4;
const MESSAGE = {
  type: 'channel',
  to: 'general',
  topic: 'benchmark',
  content: 'a message of ordinary length, as people write them to each other **all day long**',
};

/** The cost of four workers in place of one, at work and with nothing to do. */
export const workers: Measurement = {
  name: 'workers',
  title: `Processor time of one and of ${WORKERS} workers`,
  async run(bench) {
    const annals = await startAnnals(bench);
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
async function openOrganizations(bench: Bench, { address, owner }: Annals, kernel: Kernel): Promise<ApiClient[]> {
  const owners = [owner];
  for (let n = 2; n <= ORGANIZATIONS; n++) {
    const subdomain = `organization-${n}`;
    const input = { organization: subdomain, ownerEmail: LOCAL_EMAIL, ownerApiKey: LOCAL_KEY, url: address, subdomain };
    await createOrganization(kernel, input);
    const client = new ApiClient(address, LOCAL_EMAIL, LOCAL_KEY, `${subdomain}.${new URL(address).host}`);
    bench.after(async () => client.close());
    owners.push(client);
  }
  return owners;
}

/** The processor time of each worker, of PostgreSQL, and of the api if it is named, while nothing happens. */
async function idle({ bench, kernel, pids }: Setup, name: string, api?: number): Promise<Figures> {
  bench.say(`${name}: nothing to do`);
  await followed(kernel);
  await pause(WARM_UP_SECONDS * 1_000);
  const used = meter(bench, { worker: pids, ...(api === undefined ? {} : { api: [api] }) });
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
    const used = meter(bench, { worker: pids });
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

/** @returns what these processes, and all of PostgreSQL, have used since; PostgreSQL counts as one */
function meter({ postgres }: Bench, processes: Readonly<Record<string, readonly number[]>>) {
  const read = () =>
    new Map(
      Object.entries({ ...processes, postgres: postgresPids(postgres) }).map(([part, pids]) => [part, usageOf(pids)]),
    );
  const before = read();
  return () =>
    [...read()].map(([part, usage]) => ({
      part,
      count: processes[part]?.length ?? 1,
      ...usedBetween(before.get(part) ?? usage, usage),
    }));
}

async function sendTo(owners: readonly ApiClient[], turn: number): Promise<void> {
  await owners[turn % owners.length]?.post('/messages', MESSAGE);
}
