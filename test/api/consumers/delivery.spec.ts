import { ConsumerFacts } from '@annals/consumers';
import { takeConsumersBack } from '../../../libs/consumers/src/schema';
import { Sweeper } from '../../../libs/feed/src/jobs/sweeper';
import { DAY_MS } from '@annals/kernel/domain';
import type { RealmId } from '@annals/kernel/domain';
import fc from 'fast-check';
import { ConsumerCaller } from '../../support/consumers/consumer-caller';
import type { DeliveryAct } from '../../support/consumers/delivery-model';
import { DeliveryModel, deliveryActs } from '../../support/consumers/delivery-model';
import { granted } from '../../support/server/caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

const TOPICS = ['a', 'b', 'c'];
/** Each has a consumer of its own. */
const RUNS = 12;

let users: ServerWithUsers;
beforeAll(async () => {
  users = await startWithUsers();
  await users.server.channel(users.owner, { name: 'room', subscribers: [users.owner] });
  for (const topic of TOPICS) await send(topic);
});
afterAll(() => users.server.close());

const send = async (topic: string) =>
  granted(await users.owner.post<{ id: number }>('/messages', { type: 'channel', to: 'room', topic, content: 'x' })).id;

let runs = 0;
async function modelOf(view: 'domain' | 'client'): Promise<DeliveryModel> {
  const types = view === 'domain' ? ['messages.MessageSent'] : ['message'];
  const caller = await ConsumerCaller.created(users.owner, `run-${(runs += 1)}`, { view, types });
  const { kernel, clock, apis } = users.server;
  const app = apis[0]?.app;
  if (!app) throw new Error('no api runs');
  return DeliveryModel.open({ kernel, clock, app, send, topics: TOPICS, realm: 1 as RealmId, caller });
}

describe('whatever two workers do, and whenever processes end', () => {
  it.each(['domain', 'client'] as const)(
    'every event of the view %s is handed out, in the order of its key, and none is skipped',
    async (view) => {
      const property = fc.asyncProperty(fc.array(deliveryActs, { minLength: 20, maxLength: 60 }), async (acts) => {
        const model = await modelOf(view);
        for (const act of acts as readonly DeliveryAct[]) await model.act(act);
        await model.drain();
        expect(model.unseen()).toEqual([]);
        expect(model.violations).toEqual([]);
        await users.owner.delete(`/feed/consumers/${model.name}`);
      });
      await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    },
  );
});

describe('a consumer whose program stays away for a year', () => {
  it('gets everything that happened meanwhile, although stored client events are gone', async () => {
    const { owner, server } = users;
    const wanted = { view: 'client', types: ['message', 'reaction', 'subscription', 'realm_user'] };
    const [before, after] = [
      await ConsumerCaller.created(owner, 'before', { ...wanted, from: 'beginning' }),
      await ConsumerCaller.created(owner, 'after', { ...wanted, from: 'beginning' }),
    ];
    granted(await owner.post(`/messages/${await send('a')}/reactions`, { emoji_name: 'tada' }));
    await server.person({ name: 'Nell Newcomer' });
    await server.settled();
    const events = await before.pull({ limit: 1_000 });
    server.clock.advance(400 * DAY_MS);
    await new Sweeper(server.kernel, 14).sweep();
    expect(await after.pull({ limit: 1_000 })).toEqual(events);
    expect(events.length).toBeGreaterThan(10);
  });
});

describe('a consumer beside a log that a restore took back', () => {
  it('is taken back to its end, and gets what happens from there on', async () => {
    const { pool } = users.server.kernel.database;
    const consumer = await ConsumerCaller.created(users.owner, 'restored', { types: ['messages.MessageSent'] });
    await send('a');
    await consumer.pull();
    const all = await users.server.apis[0]?.app.get(ConsumerFacts, { strict: false }).all(1 as RealmId);
    const id = all?.find(({ name }) => name === consumer.name)?.id;
    const beyond = (column: string) => `${column} = ${column} + 65536000 WHERE consumer_id = $1`;
    await pool.query(`UPDATE consumer_offers SET ${beyond('event_offset')}`, [id]);
    await pool.query(`UPDATE consumer_positions SET ${beyond('read_to')}`, [id]);
    const said = await users.server.kernel.database.transaction('BEGIN', (client) => takeConsumersBack(client));
    expect(said).toBe('1 consumers taken back to the ends of the logs');
    expect(await consumer.shown()).toMatchObject({ in_flight: 0, lag: { events: 0 } });
    const next = await send('a');
    expect(await consumer.ids()).toEqual([`1/${next}`]);
  });

  it('that was rewound after that end has nothing of what it was offered since', async () => {
    const { pool } = users.server.kernel.database;
    const consumer = await ConsumerCaller.created(users.owner, 'unwound', { types: ['messages.MessageSent'] });
    const sent = [await send('a'), await send('a')].map((id) => `1/${id}`);
    expect(await consumer.ids({ limit: 1 })).toEqual([sent[0]]);
    expect(await consumer.ids()).toEqual([]);
    // The event with which it began again was after the end: the view has the earlier one.
    const began =
      'UPDATE consumer_positions SET began = began + 1000 WHERE began = (SELECT max(began) FROM view.consumers)';
    expect((await pool.query(began)).rowCount).toBe(1);
    await users.server.kernel.database.transaction('BEGIN', (client) => takeConsumersBack(client));
    expect(await consumer.shown()).toMatchObject({ in_flight: 0 });
    expect(await consumer.ids()).toEqual(sent);
  });
});
