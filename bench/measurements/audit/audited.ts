import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import type { Bench, Figures, Measurement } from '../../harness';
import { ROUNDS } from '../../harness';
import type { Annals } from '../../http/annals';
import { startAnnals } from '../../http/annals';
import { httpLoad } from '../../http/autocannon';
import { followed, openKernel, signed } from '../../http/beside';
import { CONNECTIONS } from '../../http/evenly';
import { postgresPids, usageOf, usedBetween } from '../../http/processor-time';
import { WITHOUT_AUDIT } from '../../audit/without-audit';
import { MESSAGE } from '../../message';

/** The least length of a run: workers sign every 20 seconds, and each run has to have its part of that. */
const LEAST_SECONDS = 20;
/** Before the first server has shown how long it takes until everything is signed, in ms. */
const USUAL_WAIT_MS = 10_000;

/** One run: sends a second, and processor time of a send in µs. */
interface Round {
  readonly rate: number;
  readonly cpu: number;
  /** Of the worker, which has the difference. */
  readonly worker: number;
}

interface Server {
  readonly annals: Annals;
  readonly kernel: Kernel;
  readonly isAudited: boolean;
  readonly rounds: Round[];
}

/** What sends cost because the log can be audited: rate and processor time of a send, with and without that work. */
export const audited: Measurement = {
  name: 'audited',
  title: 'Sends with and without index of the trail, tree and checkpoints',
  async run(bench) {
    const servers = [await server(bench, true), await server(bench, false)];
    let waited = USUAL_WAIT_MS;
    for (let round = 0; round <= ROUNDS; round++) {
      for (const one of round % 2 === 0 ? servers : servers.toReversed()) {
        bench.say(`${one.isAudited ? 'with' : 'without'}, round ${round} of ${ROUNDS}`);
        waited = await take(bench, one, waited);
        // The first round is uncounted: code is compiled and caches fill.
        if (round === 0) one.rounds.length = 0;
      }
    }
    return Object.assign({}, ...servers.map((one) => figuresOf(one))) as Figures;
  },
};

async function server(bench: Bench, isAudited: boolean): Promise<Server> {
  const script = join(__dirname, '..', '..', 'audit', 'worker.js');
  const annals = await startAnnals(bench, isAudited ? {} : { [WITHOUT_AUDIT]: 'yes' }, script);
  const kernel = await openKernel(bench, annals.databaseUrl);
  return { annals, kernel, isAudited, rounds: [] };
}

/**
 * One run: sends as many as are answered, and waits until everything follows from them. Without audit it waits as long as
 * the other server did, because idle processes use time too.
 *
 * @returns how long it waited, in ms
 */
async function take(bench: Bench, one: Server, waited: number): Promise<number> {
  const { annals, kernel, isAudited } = one;
  const others = () => [annals.api, ...postgresPids(bench.postgres)];
  const seconds = Math.max(LEAST_SECONDS, bench.seconds);
  const before = [usageOf([annals.worker]), usageOf(others())] as const;
  const load = { address: annals.address, path: '/api/v1/messages', form: MESSAGE, connections: CONNECTIONS };
  const { count, rate } = await httpLoad({ ...load, seconds, warmUp: false });
  const began = performance.now();
  await followed(kernel);
  if (isAudited) await signed(kernel);
  else await pause(Math.max(0, waited - (performance.now() - began)));
  const worker = usedBetween(before[0], usageOf([annals.worker])).micros / count;
  const cpu = worker + usedBetween(before[1], usageOf(others())).micros / count;
  one.rounds.push({ rate, cpu, worker });
  return performance.now() - began;
}

/** Medians, and the rates of all rounds, which show how quiet the machine was. */
function figuresOf({ isAudited, rounds }: Server): Figures {
  const name = `audited.${isAudited ? 'with' : 'without'}`;
  const median = (what: keyof Round) => medianOf(rounds.map((round) => round[what]));
  const rates = rounds.map(({ rate }, n) => [`${name}.rate.${n + 1}`, { value: rate, unit: 'requests/s' }] as const);
  return {
    [`${name}.rate`]: { value: median('rate'), unit: 'requests/s' },
    [`${name}.cpu`]: { value: median('cpu'), unit: 'µs' },
    [`${name}.worker`]: { value: median('worker'), unit: 'µs' },
    ...Object.fromEntries(rates),
  };
}

/** The mean of the two in the middle if there are as many on both sides. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = NaN, high = NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}
