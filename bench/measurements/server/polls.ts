import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Measurement } from '../../harness';
import { startAnnals } from '../../http/annals';
import type { ApiClient } from '../../http/client';

const POLLS = 5_000;
/** Registrations at a time. */
const AT_ONCE = 16;
/** Time until the api is idle, in ms. */
const SETTLING_MS = 3_000;

/** The cost of waiting clients: memory of the api, nothing else. */
export const polls: Measurement = {
  name: 'polls',
  title: `Memory of the api with ${POLLS.toLocaleString('en-US')} idle polls`,
  async run(bench) {
    const { owner, api } = await startAnnals(bench);
    const before = residentKiB(api);
    const queues = await register(owner, (done) => bench.say('registering', `${done} of ${POLLS}`));
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

type Queue = Readonly<Record<'queue_id' | 'last_event_id', string>>;

async function register(client: ApiClient, progress: (done: number) => void): Promise<Queue[]> {
  const queues: Queue[] = [];
  const some = async () => {
    while (queues.length < POLLS) {
      const place = queues.push({ queue_id: '', last_event_id: '' }) - 1;
      const { queue_id, last_event_id } = await client.post('/register', {
        event_types: '["message"]',
        fetch_event_types: '["message"]',
      });
      queues[place] = { queue_id: String(queue_id), last_event_id: String(last_event_id) };
      progress(queues.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  return queues;
}

/** Memory of a process in RAM, in KiB. */
const residentKiB = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
