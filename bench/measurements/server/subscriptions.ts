import type { UserId } from '@annals/kernel/domain';
import { crowd } from '../../../libs/users/src/spec-support/crowd';
import type { Measurement } from '../../harness';
import { closedLoop, inTurns } from '../../harness';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';
import type { ApiClient } from '../../http/client';

const PEOPLE = 20_000;
/** Channels of the owner, and how many others are in each. */
const CHANNELS = 500;
const OTHERS = 200;
/** Channels of one request. */
const AT_ONCE = 50;
const SENDERS = 16;

/** The cost of large channels and of many channels. */
export const subscriptions: Measurement = {
  name: 'subscriptions',
  title: `Channels among ${PEOPLE.toLocaleString('en-US')} people`,
  async run(bench) {
    const { owner, databaseUrl } = await startAnnals(bench);
    const kernel = await openKernel(bench, databaseUrl);
    bench.say('opening accounts');
    const people = await crowd(kernel, PEOPLE);
    await followed(kernel);
    bench.say('subscribing all');
    const subscribe = await subscribed(owner, ['everybody'], people);
    await subscribed(owner, ['two'], people.slice(0, 1));
    for (let from = 0; from < CHANNELS; from += AT_ONCE) {
      bench.say('subscribing to many', `${from} of ${CHANNELS}`);
      const names = Array.from({ length: AT_ONCE }, (_, n) => `channel ${from + n}`);
      await subscribed(owner, names, people.slice(from, from + OTHERS));
    }
    await followed(kernel);
    bench.say('reading');
    const alone = { callers: 1, seconds: bench.seconds };
    const own = await closedLoop(alone, () => owner.receive('GET', '/users/me/subscriptions'));
    const register = await closedLoop(alone, () => owner.receive('POST', '/register'));
    bench.say('sending');
    const sending = (to: string) => (seconds: number) =>
      closedLoop({ callers: SENDERS, seconds }, () => owner.post('/messages', messageTo(to)));
    // Sending gets twice as fast in its first seconds, so the first measurement would pay for that.
    await sending('two')(2 * bench.seconds);
    const sent = await inTurns(bench.seconds, { all: sending('everybody'), two: sending('two') });
    return {
      'subscriptions.subscribe': { value: subscribe, unit: 'ms' },
      ...sent.all.figures('subscriptions.all', 'requests/s'),
      ...sent.two.figures('subscriptions.two', 'requests/s'),
      ...own.figures('subscriptions.own', 'requests/s'),
      ...register.figures('subscriptions.register', 'requests/s'),
    };
  },
};

const messageTo = (to: string) => ({ type: 'channel', to, topic: 'benchmark', content: 'hello, all of you' });

/** Subscribes the owner and others. @returns how long it took, in ms */
async function subscribed(owner: ApiClient, names: readonly string[], people: readonly UserId[]): Promise<number> {
  const { user_id } = await owner.get('/users/me');
  const began = performance.now();
  await owner.post('/users/me/subscriptions', {
    subscriptions: JSON.stringify(names.map((name) => ({ name }))),
    principals: JSON.stringify([user_id, ...people]),
    send_new_subscription_messages: 'false',
  });
  return performance.now() - began;
}
