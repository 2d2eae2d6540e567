import { execFileSync } from 'node:child_process';
import type { ApiClient } from './client';

/** Registrations at a time. */
const AT_ONCE = 16;

/** A queue of messages that waits for its first event, as parameters of a request. */
export type Queue = Readonly<Record<'queue_id' | 'last_event_id', string>>;

/** Registers queues of messages. */
export async function registerQueues(
  client: ApiClient,
  count: number,
  progress: (done: number) => void,
): Promise<Queue[]> {
  const queues: Queue[] = [];
  const some = async () => {
    while (queues.length < count) {
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
export const residentKiB = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
