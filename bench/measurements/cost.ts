import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Figures, Measurement } from '../harness';
import type { Annals } from '../http/annals';
import { startAnnals } from '../http/annals';
import { postLoad } from '../http/autocannon';
import { followed, openKernel } from '../http/beside';
import { makeBot } from '../http/bot';
import type { ApiClient } from '../http/client';
import { PARTS, ProcessorTimes } from '../http/processor-time';
import { Receiver } from '../http/receiver';

/** Messages a second; null sends as many as are answered. */
const RATES = { '200': 200, '2000': 2_000, most: null } as const;
const CONNECTIONS = 64;
const TICK_MS = 2;
const MESSAGE = {
  type: 'channel',
  to: 'general',
  topic: 'benchmark',
  content: 'a message of ordinary length, as people write them to each other **all day long**',
};

/** Processor time of every process for each message that is sent, with nobody who listens and with one client. */
export const cost: Measurement = {
  name: 'cost',
  title: 'Processor time of a send',
  async run(bench) {
    const annals = await startAnnals(bench);
    const kernel = await openKernel(bench, annals.databaseUrl);
    const times = await ProcessorTimes.of(annals, bench);
    let figures: Figures = {};
    const measure = async (name: string, rate: number | null, seconds: number): Promise<void> => {
      bench.say(`${name} messages a second`);
      await send(annals, rate, 1);
      await followed(kernel);
      const before = times.read();
      const sent = await send(annals, rate, seconds);
      await followed(kernel);
      const after = times.read();
      const each = PARTS.map((part) => [part, (after[part] - before[part]) / sent] as const);
      const total = each.reduce((sum, [part, micros]) => sum + (part === 'load' ? 0 : micros), 0);
      for (const [part, micros] of [...each, ['total', total] as const])
        figures = { ...figures, [`cost.${name}.${part}`]: { value: micros, unit: 'µs' } };
    };
    for (const [name, rate] of Object.entries(RATES)) await measure(name, rate, bench.seconds);
    const listening = await listen(bench, annals);
    for (const [name, rate] of Object.entries(RATES)) await measure(`${name}.heard`, rate, bench.seconds);
    listening.abort();
    return figures;
  },
};

/** @returns how many messages were sent */
async function send(annals: Annals, rate: number | null, seconds: number): Promise<number> {
  if (rate !== null) return sendEvenly(annals.owner, rate, seconds);
  const load = { address: annals.address, path: '/api/v1/messages', form: MESSAGE, connections: CONNECTIONS };
  return (await postLoad({ ...load, seconds, warmUp: false })).count;
}

/** One after the other at even distances, whether those before are answered or not; later where too many are not. */
async function sendEvenly(client: ApiClient, rate: number, seconds: number): Promise<number> {
  const began = performance.now();
  const count = rate * seconds;
  const sending: Promise<unknown>[] = [];
  let answered = 0;
  while (sending.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - began) * rate) / 1_000));
    while (sending.length < due && sending.length - answered < CONNECTIONS)
      sending.push(client.post('/messages', MESSAGE).then(() => answered++));
    await pause(TICK_MS);
  }
  await Promise.all(sending);
  return count;
}

/** Lets a client poll for messages, as an app that is open does. */
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
