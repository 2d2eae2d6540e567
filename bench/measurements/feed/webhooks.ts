import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Figures, Measurement } from '../../harness';
import { Load } from '../../harness';
import { startAnnals } from '../../http/annals';
import { openKernel } from '../../http/beside';
import type { ApiClient } from '../../http/client';
import { createChannels, fill } from '../server/messages';

const LOOPBACK = '127.0.0.1';
const LOOK_MS = 5;

/** How fast events reach a receiver that answers at once. */
export const webhooks: Measurement = {
  name: 'webhooks',
  title: 'Webhooks of consumers',
  async run(bench) {
    const receiver = await startReceiver(bench);
    const { owner, databaseUrl } = await startAnnals(bench, { ANNALS_WEBHOOK_ALLOW: LOOPBACK });
    const kernel = await openKernel(bench, databaseUrl);
    await fill(bench, kernel, await createChannels(owner));
    await owner.post('/feed/consumers', { name: 'indexer', view: 'domain', from: 'beginning' });
    await owner.put('/feed/consumers/indexer/webhook', { url: receiver.url, batch: 'true' });
    const rate = await throughput(bench, receiver);
    await owner.post('/feed/consumers/indexer/rewind', { to: 'now' });
    return { ...rate, ...(await arrivals(bench, owner, receiver)) };
  },
};

interface Receiver {
  readonly url: string;
  /** Events that have arrived. */
  count: number;
  /** Arrivals of events by their ids, by `performance.now()`. */
  readonly arrived: Map<string, number>;
}

async function startReceiver(bench: Bench): Promise<Receiver> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = { url: `http://${LOOPBACK}:${port}/`, count: 0, arrived: new Map() };
  server.on('request', (request, response) => {
    void text(request).then((body) => {
      const events = JSON.parse(body) as readonly { readonly id: string }[];
      receiver.count += events.length;
      for (const { id } of events) receiver.arrived.set(id, performance.now());
      response.writeHead(204).end();
    });
  });
  bench.after(() => new Promise((resolve) => server.close(resolve)));
  return receiver;
}

/** Acknowledged events of a long log. The first seconds are uncounted: code is compiled and caches fill. */
async function throughput(bench: Bench, receiver: Receiver): Promise<Figures> {
  bench.say('events are sent to a webhook');
  while (receiver.count === 0) await delay(LOOK_MS);
  await delay((bench.seconds * 1_000) / 4);
  const [before, began] = [receiver.count, performance.now()];
  await delay(bench.seconds * 1_000);
  const seconds = (performance.now() - began) / 1_000;
  return { 'webhooks.rate': { value: (receiver.count - before) / seconds, unit: 'events/s' } };
}

/** Messages one after the other, each from its request to its arrival. */
async function arrivals(bench: Bench, owner: ApiClient, receiver: Receiver): Promise<Figures> {
  bench.say('messages are sent, and arrive at a webhook');
  const message = { type: 'channel', to: 'general', topic: 'benchmark', content: 'a message of ordinary length' };
  const load = new Load(bench.seconds);
  const ends = performance.now() + bench.seconds * 1_000;
  while (performance.now() < ends) {
    const sent = performance.now();
    const { id } = await owner.post('/messages', message);
    const key = `1/${String(id)}`;
    while (!receiver.arrived.has(key)) await delay(1);
    load.record((receiver.arrived.get(key) ?? 0) - sent, 0);
  }
  return {
    'webhooks.arrival.p50': { value: load.percentile(50), unit: 'ms' },
    'webhooks.arrival.p99': { value: load.percentile(99), unit: 'ms' },
  };
}
