import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import { crowd } from '../../../libs/users/src/spec-support/crowd';
import type { Bench, Figures, Measurement } from '../../harness';
import { closedLoop, inTurns } from '../../harness';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';
import type { ApiClient } from '../../http/client';
import { givePhones, startService } from '../../accounts/phones';

const PEOPLE = 20_000;
const PHONES = 1_000;
const SENDERS = 16;
/** Messages sent for the work that each leaves behind. */
const MESSAGES = 500;
const LOOK_MS = 10;
/** Ticks of the kernel's clock for processes. */
const TICKS_PER_SECOND = 100;

/** The cost of a large channel for the notification of phones. */
export const push: Measurement = {
  name: 'push',
  title: `Notifications among ${PEOPLE.toLocaleString('en-US')} people, ${PHONES.toLocaleString('en-US')} with phones`,
  async run(bench) {
    const service = await startService(bench);
    const { owner, databaseUrl, worker } = await startAnnals(bench, service.env);
    const kernel = await openKernel(bench, databaseUrl);
    bench.say('opening accounts');
    const people = await crowd(kernel, PEOPLE);
    const { user_id: own } = await owner.get('/users/me');
    for (const [name, count] of [
      ['everybody', PEOPLE],
      ['two', 1],
    ] as const) {
      const principals = JSON.stringify([own, ...people.slice(0, count)]);
      const subscriptions = JSON.stringify([{ name }]);
      const channel = { subscriptions, principals, send_new_subscription_messages: 'false' };
      await owner.post('/users/me/subscriptions', channel);
    }
    const setup = { bench, kernel, owner, worker };
    // Somebody has to have one, or nothing is asked at all.
    await givePhones(kernel, people.slice(0, 1));
    const few = await measured(setup, 'few');
    await givePhones(kernel, people.slice(1, PHONES));
    const many = await measured(setup, 'many');
    bench.say('calling everybody');
    const before = service.count();
    const began = performance.now();
    await owner.post('/messages', messageTo('everybody', '@**all** hello'));
    while (service.count() < before + PHONES) await delay(LOOK_MS);
    return { ...few, ...many, 'push.told': { value: performance.now() - began, unit: 'ms' } };
  },
};

interface Setup {
  readonly bench: Bench;
  readonly kernel: Kernel;
  readonly owner: ApiClient;
  readonly worker: number;
}

/** The rate of messages without notifications in both channels, and the worker's time for each. */
async function measured({ bench, kernel, owner, worker }: Setup, name: 'few' | 'many'): Promise<Figures> {
  bench.say(`sending, ${name} phones`);
  await quiet(kernel);
  const sending = (to: string) => (seconds: number) =>
    closedLoop({ callers: SENDERS, seconds }, () => owner.post('/messages', messageTo(to)));
  await sending('two')(bench.seconds / 4);
  const sent = await inTurns(bench.seconds, { all: sending('everybody'), two: sending('two') });
  const work: Record<string, number> = {};
  for (const to of ['everybody', 'two']) {
    await quiet(kernel);
    const before = cpuMs(worker);
    for (let n = 0; n < MESSAGES; n++) await owner.post('/messages', messageTo(to));
    await quiet(kernel);
    work[to] = (cpuMs(worker) - before) / MESSAGES;
  }
  return {
    ...sent.all.figures(`push.${name}.all`, 'requests/s'),
    ...sent.two.figures(`push.${name}.two`, 'requests/s'),
    [`push.${name}.all.work`]: { value: work['everybody'] ?? NaN, unit: 'ms' },
    [`push.${name}.two.work`]: { value: work['two'] ?? NaN, unit: 'ms' },
  };
}

/** Resolves when the worker has nothing left to do. */
async function quiet(kernel: Kernel): Promise<void> {
  for (;;) {
    await followed(kernel);
    const { rowCount } = await kernel.database.pool.query('SELECT FROM push_errands LIMIT 1');
    if (rowCount === 0) return;
    await delay(LOOK_MS);
  }
}

const messageTo = (to: string, content = 'hello, all of you') => ({ type: 'channel', to, topic: 'benchmark', content });

/** Processor time that a process has taken, in ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}
