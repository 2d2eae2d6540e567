import { systemActor } from '@annals/kernel';
import type { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { ConsumerCreated } from '../../../libs/consumers/src/domain/events';
import type { Bench, Figures, Measurement } from '../../harness';
import { ROUNDS } from '../../harness';
import type { Annals } from '../../http/annals';
import { startAnnals } from '../../http/annals';
import { httpLoad } from '../../http/autocannon';
import { openKernel } from '../../http/beside';
import type { ApiClient } from '../../http/client';
import { CONNECTIONS } from '../../http/evenly';
import { createChannels, fill } from '../server/messages';

const REALM = 1 as RealmId;
const BATCH = '1000';
/** Consumers whose programs are away. */
const SLEEPING = 99;
const MESSAGE = {
  type: 'channel',
  to: 'general',
  topic: 'benchmark',
  content: 'a message of ordinary length, as usual',
};

/** A worker that pulls a long log in batches, and what consumers cost that nobody asks for. */
export const consumers: Measurement = {
  name: 'consumers',
  title: 'Consumers of the log',
  async run(bench) {
    return { ...(await pulling(bench)), ...(await sleeping(bench)) };
  },
};

async function pulling(bench: Bench): Promise<Figures> {
  const { owner, databaseUrl } = await startAnnals(bench);
  const kernel = await openKernel(bench, databaseUrl);
  await fill(bench, kernel, await createChannels(owner));
  await owner.post('/feed/consumers', { name: 'indexer', view: 'domain', from: 'beginning' });
  bench.say('one worker pulls');
  // The first run is uncounted: code is compiled and caches fill.
  await pull(owner, bench.seconds / 2);
  const counted = await pull(owner, bench.seconds);
  return {
    'consumers.stored': { value: bench.stored, unit: 'messages' },
    'consumers.pull': { value: counted.events / counted.seconds, unit: 'events/s' },
    'consumers.batch': { value: (counted.seconds * 1_000 * Number(BATCH)) / Math.max(1, counted.events), unit: 'ms' },
  };
}

/** Takes batches and acknowledges them, again and again from the beginning of the log. */
async function pull(owner: ApiClient, seconds: number): Promise<{ readonly events: number; readonly seconds: number }> {
  const began = performance.now();
  let events = 0;
  while (performance.now() - began < seconds * 1_000) {
    const answer = await owner.get('/feed/consumers/indexer/events', { limit: BATCH });
    const taken = answer['events'] as readonly object[];
    events += taken.length;
    if (taken.length === 0) await owner.post('/feed/consumers/indexer/rewind', { to: 'beginning' });
    else await owner.post('/feed/consumers/indexer/ack', { through: String(answer['cursor']) });
  }
  return { events, seconds: (performance.now() - began) / 1_000 };
}

interface Server {
  readonly annals: Annals;
  readonly name: string;
  readonly rates: number[];
}

/** Sends with consumers whose programs are away, and without, in turns. */
async function sleeping(bench: Bench): Promise<Figures> {
  const servers = [await server(bench, 'without', 0), await server(bench, 'with', SLEEPING)];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { annals, name, rates } of round % 2 === 0 ? servers : servers.toReversed()) {
      bench.say(`sends ${name} sleeping consumers, round ${round} of ${ROUNDS}`);
      const load = { address: annals.address, path: '/api/v1/messages', form: MESSAGE, connections: CONNECTIONS };
      const { rate } = await httpLoad({ ...load, seconds: Math.max(2, bench.seconds), warmUp: false });
      // The first round is uncounted: code is compiled and caches fill.
      if (round > 0) rates.push(rate);
    }
  }
  return Object.fromEntries(
    servers.map(({ name, rates }) => {
      const value = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
      return [`consumers.${name}.rate`, { value, unit: 'messages/s' as const }];
    }),
  );
}

async function server(bench: Bench, name: string, count: number): Promise<Server> {
  const annals = await startAnnals(bench);
  const { user_id } = await annals.owner.get('/users/me');
  await createConsumers(await openKernel(bench, annals.databaseUrl), user_id as UserId, count);
  return { annals, name, rates: [] };
}

/** Consumers of everything. They are stored as if several accounts had created them. */
async function createConsumers(kernel: Kernel, ownerId: UserId, count: number): Promise<void> {
  const wanted = { ownerId, view: 'domain', types: null, subjects: null, words: false, from: 0 } as const;
  for (let n = 0; n < count; n++) {
    await kernel.work.run(systemActor(REALM), async (work) => {
      work.open('consumer', fact(ConsumerCreated, wanted, { name: `sleeping-${n}` }));
    });
  }
}
