import type { MessageId } from '@annals/kernel/domain';
import type { Phone } from '../../support/push/bouncer';
import { ReferenceBouncer } from '../../support/push/bouncer';
import { granted } from '../../support/server/caller';
import { FaultyRedis } from '../../support/faults/faulty-redis';
import type { Person } from '../../support/server/organization';
import type { ProcessServer } from '../../support/processes/processes';
import { startProcesses } from '../../support/processes/processes';
import { pushOutboxEmpty, registeredPhone, until } from '../../support/push/push';
import { redisFaults } from '../../support/faults/redis-faults';

const hasRedis = process.env['ANNALS_TEST_REDIS_URL'] !== undefined;

let bouncer: ReferenceBouncer;
let redis: FaultyRedis | undefined;
let server: ProcessServer;
let bob: Person;
let phone: Phone;
beforeAll(async () => {
  bouncer = await ReferenceBouncer.start();
  redis = hasRedis ? await FaultyRedis.start() : undefined;
  server = await startProcesses({ env: bouncer.env, ...(redis && { redisUrl: redis.url }) });
  bob = await server.person({ name: 'Bob' });
  ({ phone } = await registeredPhone(server, bouncer, bob));
});
beforeEach(() => (bouncer.behaviour = 'accepts'));
afterAll(async () => {
  await server.close();
  await redis?.close();
  await bouncer.stop();
});

const send = async (content: string) =>
  granted(await server.owner.post<{ id: MessageId }>('/messages', { type: 'direct', to: [bob.id], content })).id;
async function sendMany(count: number): Promise<MessageId[]> {
  const ids: MessageId[] = [];
  for (let n = 0; n < count; n++) ids.push(await send(`message ${n}`));
  return ids;
}
const ascending = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);
/** Ids of the messages that the phone was notified of, and of removed ones as negative ids. */
const received = () =>
  bouncer.notified.calls.flatMap(([{ phone: token, text }]) => {
    if (token !== phone.token) return [];
    return text['type'] === 'remove'
      ? (text['message_ids'] as number[]).map((id) => -id)
      : [text['message_id'] as number];
  });
const notificationsOf = (...ids: readonly number[]) => ascending(received().filter((id) => ids.includes(Math.abs(id))));
const allKilled = () => Promise.all(server.workers.map((worker) => server.kill(worker)));
/** Dead processes have had their leases long enough. */
const timeIsUp = () => server.kernel.database.pool.query('UPDATE push_errands SET due_at = 0');

describe('a notification is sent once', () => {
  it('although the worker is killed before its request reaches the push service, and no worker runs for a while', async () => {
    bouncer.behaviour = 'slow';
    const asked = bouncer.asked.calls.length;
    const id = await send('hello');
    await until(() => bouncer.asked.calls.length > asked);
    await allKilled();
    const unattended = await sendMany(3);
    bouncer.behaviour = 'accepts';
    await timeIsUp();
    await server.startWorker();
    await pushOutboxEmpty(server.kernel);
    // Nobody waits for that answer any more.
    bouncer.release();
    const next = await send('another');
    await pushOutboxEmpty(server.kernel);
    expect(notificationsOf(id, ...unattended, next)).toEqual([id, ...unattended, next]);
  });

  it('after the push service was unavailable for a while', async () => {
    await bouncer.leave();
    const ids = await sendMany(2);
    const waits = async () => {
      const { rows } = await server.kernel.database.pool.query('SELECT FROM push_errands WHERE attempts >= 2');
      return rows.length === ids.length;
    };
    await until(waits);
    expect(notificationsOf(...ids)).toEqual([]);
    await bouncer.comeBack();
    await pushOutboxEmpty(server.kernel);
    expect(notificationsOf(...ids)).toEqual(ids);
  });

  it('by several workers that dispatch tasks', async () => {
    await server.startWorker();
    const ids = (await Promise.all(Array.from({ length: 3 }, () => sendMany(8)))).flat();
    await pushOutboxEmpty(server.kernel);
    expect(notificationsOf(...ids)).toEqual(ascending(ids));
  });
});

/**
 * It cannot be recorded in the same moment that another server did something. So the request is repeated rather than
 * lost, and the phone identifies the message by its id.
 */
describe('a worker that is killed or stopped', () => {
  it('records nothing about a task that another worker took over meanwhile', async () => {
    bouncer.behaviour = 'slow';
    const asked = bouncer.asked.calls.length;
    const id = await send('hello');
    await until(() => bouncer.asked.calls.length > asked);
    bouncer.behaviour = 'accepts';
    await timeIsUp();
    await until(() => notificationsOf(id).length > 0);
    await pushOutboxEmpty(server.kernel);
    bouncer.release();
    await until(() => notificationsOf(id).length > 1);
    const next = await send('another');
    await pushOutboxEmpty(server.kernel);
    expect(notificationsOf(id, next)).toEqual([id, id, next]);
  });

  it('at any moment while messages are sent loses no notification, and few are sent twice', async () => {
    const sending = sendMany(40);
    const before = received().length;
    await until(() => received().length >= before + 5);
    await allKilled();
    await timeIsUp();
    await server.startWorker();
    const ids = await sending;
    await pushOutboxEmpty(server.kernel);
    expect([...new Set(notificationsOf(...ids))]).toEqual(ids);
    // Two workers were sending at most 16 notifications when they were killed.
    expect(notificationsOf(...ids).length - ids.length).toBeLessThanOrEqual(16);
  });

  it('after the push service has accepted a request repeats the request once, and a removal once', async () => {
    bouncer.behaviour = 'mute';
    const id = await send('hello');
    await until(() => notificationsOf(id).length > 0);
    await allKilled();
    bouncer.behaviour = 'accepts';
    await timeIsUp();
    await server.startWorker();
    await pushOutboxEmpty(server.kernel);
    expect(notificationsOf(id)).toEqual([id, id]);
    const [first, second] = bouncer.notified.calls.flatMap(([{ text }]) => (text['message_id'] === id ? [text] : []));
    expect(second).toEqual(first);
    granted(await server.owner.delete(`/messages/${id}`));
    await pushOutboxEmpty(server.kernel);
    expect(notificationsOf(id)).toEqual([0 - id, id, id]);
  });

  it('before it removed what a user has read loses no removal, and repeats one after the push service has accepted it', async () => {
    const [unsent, accepted] = [await send('hello'), await send('hello')];
    await pushOutboxEmpty(server.kernel);
    for (const [behaviour, id] of [
      ['slow', unsent],
      ['mute', accepted],
    ] as const) {
      bouncer.behaviour = behaviour;
      const asked = bouncer.asked.calls.length;
      granted(await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }));
      await until(() => bouncer.asked.calls.length > asked);
      await allKilled();
      bouncer.behaviour = 'accepts';
      await timeIsUp();
      await server.startWorker();
      await pushOutboxEmpty(server.kernel);
      bouncer.release();
    }
    expect(notificationsOf(unsent)).toEqual([0 - unsent, unsent]);
    expect(notificationsOf(accepted)).toEqual([0 - accepted, 0 - accepted, accepted]);
  });
});

if (hasRedis)
  describe('a notification is sent once while Redis', () => {
    it.each(redisFaults(() => redis as FaultyRedis))('%s', async (_, harm, heal) => {
      const before = await sendMany(2);
      await harm();
      const during = await sendMany(2);
      await until(() => notificationsOf(...during).length >= during.length);
      await heal();
      const after = await sendMany(2);
      await until(() => notificationsOf(...after).length >= after.length);
      await pushOutboxEmpty(server.kernel);
      const ids = [...before, ...during, ...after];
      expect(notificationsOf(...ids)).toEqual(ids);
    });
  });
