import { setTimeout as delay } from 'node:timers/promises';
import type { ChannelId } from '@annals/kernel/domain';
import { crowd } from '../../../libs/users/src/spec-support/crowd';
import type { Bench, Figures, Measurement } from '../../harness';
import { followed, openKernel } from '../../http/beside';
import { makeBot } from '../../http/bot';
import type { ApiClient } from '../../http/client';
import { startAnnals } from '../../http/annals';
import { sendPast } from '../../http/past';
import { postgresPids } from '../../http/processor-time';
import { createChannels } from './messages';
import { bytesOf, measure, measureBare } from './reading';

const PEOPLE = 18;
/** Unread messages of the account that has many. */
const MANY = 50_000;
/** Messages that the other account has unread, beside the first one of each topic. */
const FEW = 1_000;
/** The least time for answers with many unread messages. */
const SECONDS = 4;
/** Messages that arrive while clients register. */
const SENT_A_SECOND = 10;

/** `POST /register` with all of its blocks, for accounts with few and with many unread messages. */
export const registering: Measurement = {
  name: 'registering',
  title: 'POST /register of a small organization with a long past',
  async run(bench) {
    const annals = await startAnnals(bench);
    const { owner } = annals;
    const channels = await createChannels(owner);
    const [channel = 0 as ChannelId] = channels;
    const kernel = await openKernel(bench, annals.databaseUrl);
    const senders = await crowd(kernel, PEOPLE);
    const send = (count: number, into: readonly ChannelId[]) =>
      sendPast(kernel, {
        ...{ channels: into, senders, count },
        progress: (done) => bench.say('storing messages', `${done} of ${count}`),
      });
    const { messages } = await send(Math.max(0, bench.stored - MANY), channels);
    await owner.post('/mark_all_as_read');
    await send(MANY, channels);
    const bot = await makeBot(owner);
    bench.after(async () => bot.close());
    await subscribe(owner, bot);
    await send(FEW, [channel]);
    bench.say('waiting for the worker');
    await followed(kernel);
    await kernel.database.pool.query('VACUUM (ANALYZE)');
    bench.say('registering, few unread messages');
    const pids = () => [annals.api, ...postgresPids(bench.postgres)];
    const few = await measure('registering.few', bench.seconds, pids, () => bot.receive('POST', '/register'));
    const sender = await makeBot(owner, 'busy');
    bench.after(async () => sender.close());
    const meanwhile = await beside(sender, channel, () =>
      measure('registering.meanwhile', bench.seconds, pids, () => bot.receive('POST', '/register')),
    );
    return {
      'registering.stored': { value: messages + MANY + FEW, unit: 'messages' },
      ...(await measureBare(bench, 'registering.bare', await bytesOf(bot, 'POST', '/register'))),
      ...few,
      ...meanwhile,
      ...(await measureMany(bench, owner, channel)),
    };
  },
};

/** Sends a message now and then while something is measured, so that answers are stale again and again. */
async function beside<T>(sender: ApiClient, channel: ChannelId, measured: () => Promise<T>): Promise<T> {
  let isOver = false;
  const send = async () => {
    while (!isOver) {
      await sender.post('/messages', { type: 'channel', to: String(channel), topic: 'now', content: 'hello' });
      await delay(1_000 / SENT_A_SECOND);
    }
  };
  const done = measured().finally(() => (isOver = true));
  const [result] = await Promise.all([done, send()]);
  return result;
}

async function subscribe(owner: ApiClient, bot: ApiClient): Promise<void> {
  const { user_id } = await bot.get('/users/me');
  const { subscriptions } = await owner.get('/users/me/subscriptions');
  const names = (subscriptions as { name: string }[]).map(({ name }) => ({ name }));
  await owner.post('/users/me/subscriptions', {
    subscriptions: JSON.stringify(names),
    principals: JSON.stringify([user_id]),
    send_new_subscription_messages: 'false',
  });
}

/** A message precedes each registration, so that no answer is kept from the last one. */
async function measureMany(bench: Bench, owner: ApiClient, channel: ChannelId): Promise<Figures> {
  bench.say('registering, 50,000 unread messages');
  const times: number[] = [];
  const until = performance.now() + Math.max(SECONDS, bench.seconds / 2) * 1_000;
  while (performance.now() < until) {
    await owner.post('/messages', { type: 'channel', to: String(channel), topic: 'now', content: 'hello' });
    const began = performance.now();
    await owner.receive('POST', '/register');
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return {
    'registering.many.p50': { value: times[Math.floor(times.length / 2)] ?? NaN, unit: 'ms' },
    'registering.many.longest': { value: times.at(-1) ?? NaN, unit: 'ms' },
  };
}
