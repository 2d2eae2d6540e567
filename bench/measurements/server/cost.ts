import { join } from 'node:path';
import type { Bench, Figures, Measurement } from '../../harness';
import type { Annals } from '../../http/annals';
import { startAnnals } from '../../http/annals';
import { httpLoad } from '../../http/autocannon';
import { BARE_INSERT } from '../../http/bare-insert';
import { followed, openKernel } from '../../http/beside';
import { makeBot } from '../../http/bot';
import { ApiClient } from '../../http/client';
import { CONNECTIONS, sendEvenly } from '../../http/evenly';
import { LOCAL_EMAIL, LOCAL_KEY } from '../../http/local-key';
import type { Usage } from '../../http/processor-time';
import { backendPid, postgresPids, redisPid, usageOf, usedBetween } from '../../http/processor-time';
import { startProgram } from '../../http/program';
import { Receiver } from '../../http/receiver';
import { MESSAGE } from '../../message';

/**
 * Messages a second. Null sends as many as are answered. That is first: a server that has run for a while has compiled
 * its code before the low rates.
 */
const RATES = [
  ['most', null],
  ['2000', 2_000],
  ['200', 200],
] as const;
/** Before each figure, uncounted. */
const WARM_UP_SECONDS = 2;
/** The process that sends; all others are counted in the total. */
const LOAD = 'load';

/** A server under load whose processes are counted. */
interface Measured {
  readonly client: ApiClient;
  /** Ids of its processes now, by what they are. */
  pids(): Readonly<Record<string, readonly number[]>>;
  /** Resolves when all that follows from the requests so far is done. */
  settled(): Promise<unknown>;
}

/**
 * Processor time and wake-ups of every process for each message that is sent, without and with one client. Right before
 * each rate the same requests are sent to a bare server that inserts one row for each.
 */
export const cost: Measurement = {
  name: 'cost',
  title: 'Processor time of a send',
  async run(bench) {
    const bare = await bareServer(bench);
    const annals = await startAnnals(bench);
    const ours = await server(bench, annals);
    const figures: Figures[] = [];
    const measure = async (name: string, rate: number | null, measured: Measured): Promise<void> => {
      bench.say(`${name} messages a second`);
      figures.push(await costOf(measured, rate, bench.seconds, `cost.${name}`));
    };
    // The very first requests may take longer than the limit of a load generator.
    for (const { client } of [bare, ours]) await sendEvenly(() => client.post('/messages', MESSAGE), 200, 1);
    for (const [name, rate] of RATES) {
      await measure(`${name}.bare`, rate, bare);
      await measure(name, rate, ours);
    }
    const listening = await listen(bench, annals);
    for (const [name, rate] of RATES) await measure(`${name}.heard`, rate, ours);
    listening.abort();
    return Object.assign({}, ...figures) as Figures;
  },
};

/** The bare server. Of PostgreSQL only the process that serves it counts: the others belong to everybody. */
async function bareServer(bench: Bench): Promise<Measured> {
  const databaseUrl = await bench.createDatabase();
  const script = join(__dirname, '..', '..', 'http', 'bare-insert.js');
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const { pid, address, stop } = await startProgram({ script, env, folder: bench.folder });
  bench.after(stop);
  const backend = await backendPid(databaseUrl, BARE_INSERT);
  const client = new ApiClient(address, LOCAL_EMAIL, LOCAL_KEY);
  bench.after(async () => client.close());
  const pids = { server: [pid], postgres: [backend], [LOAD]: [process.pid] };
  return { client, pids: () => pids, settled: () => Promise.resolve() };
}

async function server(bench: Bench, annals: Annals): Promise<Measured> {
  const { postgres, redisUrl } = bench;
  const kernel = await openKernel(bench, annals.databaseUrl);
  const redis = redisUrl === undefined ? [] : [await redisPid(redisUrl)];
  const own = { api: [annals.api], worker: [annals.worker], redis, [LOAD]: [process.pid] };
  const pids = () => ({ ...own, postgres: postgresPids(postgres) });
  return { client: annals.owner, pids, settled: () => followed(kernel) };
}

/** `<name>.<process>` and `<name>.<process>.wakeups`, and the totals without the load generator, for each message. */
async function costOf(measured: Measured, rate: number | null, seconds: number, name: string): Promise<Figures> {
  await send(measured.client, rate, WARM_UP_SECONDS);
  await measured.settled();
  const before = usages(measured);
  const sent = await send(measured.client, rate, seconds);
  await measured.settled();
  const after = usages(measured);
  const figures: Record<string, Figures[string]> = {};
  const total = { micros: 0, wakeUps: 0 };
  const note = (what: string, { micros, wakeUps }: typeof total) => {
    figures[`${name}.${what}`] = { value: micros / sent, unit: 'µs' };
    figures[`${name}.${what}.wakeups`] = { value: wakeUps / sent, unit: 'wake-ups' };
  };
  for (const [part, usage] of after) {
    const used = usedBetween(before.get(part) ?? usage, usage);
    note(part, used);
    if (part === LOAD) continue;
    total.micros += used.micros;
    total.wakeUps += used.wakeUps;
  }
  note('total', total);
  return figures;
}

const usages = (measured: Measured): Map<string, Usage> =>
  new Map(Object.entries(measured.pids()).map(([part, pids]) => [part, usageOf(pids)]));

/** @returns how many messages were sent */
async function send(client: ApiClient, rate: number | null, seconds: number): Promise<number> {
  if (rate !== null) return sendEvenly(() => client.post('/messages', MESSAGE), rate, seconds);
  const load = { address: client.address, path: '/api/v1/messages', form: MESSAGE, connections: CONNECTIONS };
  return (await httpLoad({ ...load, seconds, warmUp: false })).count;
}

/** Makes a client poll for messages, like an open app. */
async function listen(bench: Bench, { owner }: Annals): Promise<AbortController> {
  const bot = await makeBot(owner);
  await bot.post('/users/me/subscriptions', { subscriptions: '[{"name":"general"}]' });
  const receiver = await Receiver.register(bot, 'message');
  const over = new AbortController();
  const polling = (async () => {
    while (!over.signal.aborted) await receiver.next();
  })().catch(() => undefined); // its connection breaks at the end
  bench.after(async () => {
    over.abort();
    bot.close();
    await polling;
  });
  return over;
}
