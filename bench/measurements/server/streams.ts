import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Measurement } from '../../harness';
import { startAnnals } from '../../http/annals';
import type { ApiClient } from '../../http/client';
import { usageOf, usedBetween } from '../../http/processor-time';
import { registerQueues, residentKiB } from '../../http/queues';

const STREAMS = 5_000;
/** Time until the api is idle, in ms. */
const SETTLING_MS = 3_000;
/** Longer than the time between two heartbeats of a stream, in ms. */
const IDLE_MS = 30_000;
const MESSAGES = 10;

/** The cost of open streams: memory, heartbeats, and a message to all of them. */
export const streams: Measurement = {
  name: 'streams',
  title: `An api with ${STREAMS.toLocaleString('en-US')} open streams of events`,
  async run(bench) {
    const { owner, api } = await startAnnals(bench);
    const before = residentKiB(api);
    const queues = await registerQueues(owner, STREAMS, (done) => bench.say('registering', `${done} of ${STREAMS}`));
    bench.say('connecting');
    const listeners = await Promise.all(
      queues.map(async (queue) => new Listener(await owner.stream('/events', queue))),
    );
    await delay(SETTLING_MS);
    const full = residentKiB(api);
    bench.say('waiting');
    const idle = usageOf([api]);
    await delay(IDLE_MS);
    const idleMicros = usedBetween(idle, usageOf([api])).micros;
    bench.say('messages to all');
    const busy = usageOf([api]);
    const waits: number[] = [];
    for (let n = 1; n <= MESSAGES; n++) waits.push(await sendToAll(owner, listeners, n));
    const { micros } = usedBetween(busy, usageOf([api]));
    for (const listener of listeners) listener.close();
    return {
      'streams.memory': { value: full / 1_024, unit: 'MB' },
      'streams.each': { value: (full - before) / STREAMS, unit: 'kB' },
      'streams.idle': { value: (idleMicros / (IDLE_MS * 1_000)) * 100, unit: '%' },
      'streams.woken': { value: waits.sort((one, other) => one - other)[MESSAGES / 2] ?? NaN, unit: 'ms' },
      'streams.cpu': { value: micros / MESSAGES / 1_000, unit: 'ms' },
    };
  },
};

/** @returns ms from the sender's answer to the last receiver's event */
async function sendToAll(owner: ApiClient, listeners: readonly Listener[], messages: number): Promise<number> {
  await owner.post('/messages', { type: 'channel', to: 'general', topic: 'benchmark', content: `message ${messages}` });
  const sent = performance.now();
  await Promise.all(listeners.map((listener) => listener.received(messages)));
  return performance.now() - sent;
}

/** A client that counts the messages of its stream. */
class Listener {
  private messages = 0;

  constructor(private readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => (this.messages += text.split('event: message\n').length - 1));
  }

  async received(count: number): Promise<void> {
    while (this.messages < count) await once(this.response, 'data');
  }

  close(): void {
    this.response.destroy();
  }
}
