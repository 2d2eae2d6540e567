import { setTimeout as delay } from 'node:timers/promises';
import type { Measurement } from '../../harness';
import { startAnnals } from '../../http/annals';
import { registerQueues, residentKiB } from '../../http/queues';

const POLLS = 5_000;
/** Time until the api is idle, in ms. */
const SETTLING_MS = 3_000;

/** The cost of waiting clients: memory of the api, nothing else. */
export const polls: Measurement = {
  name: 'polls',
  title: `Memory of the api with ${POLLS.toLocaleString('en-US')} idle polls`,
  async run(bench) {
    const { owner, api } = await startAnnals(bench);
    const before = residentKiB(api);
    const queues = await registerQueues(owner, POLLS, (done) => bench.say('registering', `${done} of ${POLLS}`));
    bench.say('waiting');
    const waiting = queues.map((queue) => owner.get('/events', queue));
    const tooEarly = Promise.race(waiting).then((answer): never => {
      throw new Error(`a poll that should wait was answered: ${JSON.stringify(answer)}`);
    });
    // Asked last, so answered when the polls have arrived.
    await Promise.race([owner.get('/users/me').then(() => delay(SETTLING_MS)), tooEarly]);
    const full = residentKiB(api);
    tooEarly.catch(() => undefined);
    bench.say('one message to all');
    await owner.post('/messages', { type: 'channel', to: 'general', topic: 'benchmark', content: 'hello' });
    const answered = performance.now();
    await Promise.all(waiting);
    return {
      'polls.before': { value: before / 1_024, unit: 'MB' },
      'polls.memory': { value: full / 1_024, unit: 'MB' },
      'polls.each': { value: (full - before) / POLLS, unit: 'kB' },
      'polls.woken': { value: performance.now() - answered, unit: 'ms' },
    };
  },
};
