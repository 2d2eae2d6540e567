import type { MessageId } from '@annals/kernel/domain';
import type { Phone } from '../support/push/bouncer';
import { ReferenceBouncer } from '../support/push/bouncer';
import { granted } from '../support/server/caller';
import { FaultyRedis } from '../support/faults/faulty-redis';
import type { Person } from '../support/server/organization';
import type { ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';
import { pushOutboxEmpty, registeredPhone, until } from '../support/push/push';
import { redisFaults } from '../support/faults/redis-faults';

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
/** Ids of the messages that the phone was told of, and of those taken back as negative ones. */
const told = () =>
  bouncer.notified.calls.flatMap(([{ phone: token, text }]) => {
    if (token !== phone.token) return [];
    return text['type'] === 'remove'
      ? (text['message_ids'] as number[]).map((id) => -id)
      : [text['message_id'] as number];
  });
const toldOf = (...ids: readonly number[]) => ascending(told().filter((id) => ids.includes(Math.abs(id))));
const allKilled = () => Promise.all(server.workers.map((worker) => server.kill(worker)));
/** Whoever leased tasks and died has had them long enough. */
const timeIsUp = () => server.kernel.database.pool.query('UPDATE push_errands SET due_at = 0');

describe('a notification comes once', () => {
  it('although the worker died while it asked the push service, which heard nothing, and none lived after that', async () => {
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
    // Nobody listens to that answer any more.
    bouncer.letGo();
    const next = await send('another');
    await pushOutboxEmpty(server.kernel);
    expect(toldOf(id, ...unattended, next)).toEqual([id, ...unattended, next]);
  });

  it('after the push service was not there for a while', async () => {
    await bouncer.leave();
    const ids = await sendMany(2);
    const waits = async () => {
      const { rows } = await server.kernel.database.pool.query('SELECT FROM push_errands WHERE attempts >= 2');
      return rows.length === ids.length;
    };
    await until(waits);
    expect(toldOf(...ids)).toEqual([]);
    await bouncer.comeBack();
    await pushOutboxEmpty(server.kernel);
    expect(toldOf(...ids)).toEqual(ids);
  });

  it('where several workers dispatch tasks', async () => {
    await server.startWorker();
    const ids = (await Promise.all(Array.from({ length: 3 }, () => sendMany(8)))).flat();
    await pushOutboxEmpty(server.kernel);
    expect(toldOf(...ids)).toEqual(ascending(ids));
  });
});

/**
 * Nobody can write down at the same moment that a service of somebody else did something: so it is asked again rather
 * than not at all, and the phone knows the message by its id.
 */
describe('when a worker dies or stands still', () => {
  it('so long that another took the task over, it notes nothing more of that', async () => {
    bouncer.behaviour = 'slow';
    const asked = bouncer.asked.calls.length;
    const id = await send('hello');
    await until(() => bouncer.asked.calls.length > asked);
    bouncer.behaviour = 'accepts';
    await timeIsUp();
    await until(() => toldOf(id).length > 0);
    await pushOutboxEmpty(server.kernel);
    bouncer.letGo();
    await until(() => toldOf(id).length > 1);
    const next = await send('another');
    await pushOutboxEmpty(server.kernel);
    expect(toldOf(id, next)).toEqual([id, id, next]);
  });

  it('anywhere, while messages are sent, all of them come, and few more than once', async () => {
    const sending = sendMany(40);
    const before = told().length;
    await until(() => told().length >= before + 5);
    await allKilled();
    await timeIsUp();
    await server.startWorker();
    const ids = await sending;
    await pushOutboxEmpty(server.kernel);
    expect([...new Set(toldOf(...ids))]).toEqual(ids);
    // What two workers have in their hands.
    expect(toldOf(...ids).length - ids.length).toBeLessThanOrEqual(16);
  });

  it('after the push service has done what it was asked for, it is asked once more, and once to take it back', async () => {
    bouncer.behaviour = 'mute';
    const id = await send('hello');
    await until(() => toldOf(id).length > 0);
    await allKilled();
    bouncer.behaviour = 'accepts';
    await timeIsUp();
    await server.startWorker();
    await pushOutboxEmpty(server.kernel);
    expect(toldOf(id)).toEqual([id, id]);
    const [first, second] = bouncer.notified.calls.flatMap(([{ text }]) => (text['message_id'] === id ? [text] : []));
    expect(second).toEqual(first);
    granted(await server.owner.delete(`/messages/${id}`));
    await pushOutboxEmpty(server.kernel);
    expect(toldOf(id)).toEqual([0 - id, id, id]);
  });
});

if (hasRedis)
  describe('a notification comes once while Redis', () => {
    it.each(redisFaults(() => redis as FaultyRedis))('%s', async (_, harm, heal) => {
      const before = await sendMany(2);
      await harm();
      const during = await sendMany(2);
      await until(() => toldOf(...during).length >= during.length);
      await heal();
      const after = await sendMany(2);
      await until(() => toldOf(...after).length >= after.length);
      await pushOutboxEmpty(server.kernel);
      const ids = [...before, ...during, ...after];
      expect(toldOf(...ids)).toEqual(ids);
    });
  });
