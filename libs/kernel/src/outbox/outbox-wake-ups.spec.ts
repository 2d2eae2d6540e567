import type { Position, RealmId } from '../domain/index';
import type { Kernel } from '../kernel';
import { OutboxWakeUps } from './outbox-wake-ups';

const [one, other] = [1 as RealmId, 2 as RealmId];
const at = (position: number) => position as Position;

describe('wake-ups of an outbox', () => {
  it('are one for the tasks of an organization that were committed, and none where no task was added', async () => {
    const woken: unknown[][] = [];
    const queues = { wake: (...args: unknown[]) => woken.push(args) };
    const opened = Promise.resolve(queues);
    const wakeUps = new OutboxWakeUps({ queues: () => opened } as unknown as Pick<Kernel, 'queues'>, 'toys');
    wakeUps.note(one);
    wakeUps.note(one);
    wakeUps.committed(other, at(4));
    wakeUps.committed(one, at(5));
    wakeUps.committed(one, at(6));
    await opened;
    expect(woken).toEqual([['toys', one, 5]]);
  });
});
