import { ConsumerFacts, TakeEvents } from '@annals/consumers';
import type { RealmId } from '@annals/kernel/domain';
import { MAX_ATTEMPTS } from '../../../libs/consumers/src/domain/offers';
import { ConsumerCaller } from '../../support/consumers/consumer-caller';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
let owner: Person;
beforeAll(async () => {
  users = await startWithUsers();
  ({ owner } = users);
  await users.server.channel(owner, { name: 'room', subscribers: [owner] });
  // Topics exist before, so that a message is one event.
  for (const topic of ['a', 'b']) await send(topic);
});
afterAll(() => users.server.close());

let consumers = 0;
const consumer = (wanted: Params = {}) =>
  ConsumerCaller.created(owner, `pull-${(consumers += 1)}`, { types: ['messages.MessageSent'], ...wanted });
const send = async (topic: string, content = 'x') => {
  const message = { type: 'channel', to: 'room', topic, content };
  return `1/${granted(await owner.post<{ id: number }>('/messages', message)).id}`;
};
const metric = async (name: string) => {
  const scraped = await (await fetch(`${users.server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(scraped)?.[1]);
};
const NOT_LEASED = { status: 409, body: { result: 'error', code: 'NOT_LEASED' } };
const BAD = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };

describe('a worker that pulls', () => {
  it('gets the next events in order, until they are acknowledged', async () => {
    const it = await consumer();
    const sent = [await send('a'), await send('b'), await send('a')];
    const answer = granted(await it.ask());
    expect(answer.events.map(({ id }) => id)).toEqual(sent);
    expect(answer).toMatchObject({ cursor: sent[2], head: Number(sent[2]?.slice(2)) });
    expect(await it.shown()).toMatchObject({ in_flight: 3, position: answer.head - 3, lag: { events: 3 } });
    expect(await it.ids()).toEqual([]);
    expect(granted(await it.ack({ through: answer.cursor }))).toMatchObject({ acknowledged: 3 });
    expect(await it.shown()).toMatchObject({ in_flight: 0, position: answer.head, lag: { events: 0, seconds: 0 } });
    expect(await it.ids()).toEqual([]);
  });

  it('gets as many as it asks for, and acknowledges some', async () => {
    const it = await consumer();
    const sent = [await send('a'), await send('b'), await send('b')];
    expect(await it.ids({ limit: 2 })).toEqual(sent.slice(0, 2));
    granted(await it.ack({ ids: [sent[1]] }));
    expect(await it.ids()).toEqual([sent[2]]);
    expect(await it.shown()).toMatchObject({ in_flight: 2, position: Number(sent[0]?.slice(2)) - 1 });
  });

  it('gets a batch without the envelope', async () => {
    const it = await consumer();
    const id = await send('a');
    const accept = 'application/cloudevents-batch+json';
    const response = await owner.raw(`/feed/consumers/${it.name}/events`, { headers: { accept } });
    expect(response.headers.get('content-type')).toBe('application/cloudevents-batch+json; charset=utf-8');
    expect(await response.json()).toMatchObject([{ id, specversion: '1.0' }]);
  });

  it('shares a consumer with others: each event is for one of them, and a topic for one at a time', async () => {
    const it = await consumer();
    const [a1, b1] = [await send('a'), await send('b')];
    expect(await it.ids({ worker: 'one', limit: 1 })).toEqual([a1]);
    const a2 = await send('a');
    expect(await it.ids({ worker: 'two' })).toEqual([b1]);
    expect(await it.ids({ worker: 'three' })).toEqual([]);
    expect(await it.ack({ worker: 'two', ids: [a1] })).toMatchObject(NOT_LEASED);
    granted(await it.ack({ worker: 'one', ids: [a1] }));
    expect(await it.ids({ worker: 'two' })).toEqual([a2]);
    granted(await it.ack({ worker: 'two', through: a2 }));
    expect(await it.shown()).toMatchObject({ in_flight: 0, lag: { events: 0 } });
  });

  it('gets an event again when its lease has run out, with the later ones of its topic', async () => {
    const it = await consumer();
    const sent = [await send('a'), await send('a'), await send('b')];
    expect(await it.ids({ lease: 10 })).toEqual(sent);
    granted(await it.ack({ ids: [sent[2]] }));
    users.server.clock.advance(9_999);
    expect(await it.ids({ worker: 'two' })).toEqual([]);
    users.server.clock.advance(1);
    expect(await it.ids({ worker: 'two' })).toEqual(sent.slice(0, 2));
    expect(await it.ack({ ids: [sent[0]] })).toMatchObject(NOT_LEASED);
  });

  it('acknowledges all or nothing, and only what it has', async () => {
    const it = await consumer();
    const id = await send('a');
    expect(await it.ids()).toEqual([id]);
    for (const ids of [[id, '1/1'], ['2/1'], ['1/x'], [`${id}.0`]])
      expect(await it.ack({ ids })).toMatchObject(NOT_LEASED);
    expect(await it.ack({})).toMatchObject(BAD);
    expect(await it.ack({ ids: [id], through: id })).toMatchObject(BAD);
    expect(await it.ack({ through: '2/5' })).toMatchObject(NOT_LEASED);
    expect(granted(await it.ack({ through: '1/1' }))).toMatchObject({ acknowledged: 0 });
    expect(granted(await it.ack({ ids: [id, id] }))).toMatchObject({ acknowledged: 1 });
    expect(await it.ack({ ids: [id] })).toMatchObject(NOT_LEASED);
  });
});

describe('an event that a worker could not handle', () => {
  it('is tried again, not before a time, and what follows in its topic waits for it', async () => {
    const it = await consumer();
    const sent = [await send('a'), await send('a'), await send('b')];
    await it.pull();
    granted(await it.nack(sent[0]!, 'retry', { after_seconds: 60 }));
    expect(await it.ack({ ids: [sent[1]] })).toMatchObject(NOT_LEASED);
    granted(await it.ack({ ids: [sent[2]] }));
    users.server.clock.advance(59_999);
    expect(await it.ids()).toEqual([]);
    users.server.clock.advance(1);
    expect(await it.ids()).toEqual(sent.slice(0, 2));
  });

  it('is skipped', async () => {
    const it = await consumer();
    const sent = [await send('a'), await send('a')];
    await it.pull();
    granted(await it.nack(sent[0]!, 'skip'));
    granted(await it.ack({ ids: [sent[1]] }));
    expect(await it.shown()).toMatchObject({ parked: 0, in_flight: 0, lag: { events: 0 } });
    expect(await it.nack(sent[0]!, 'skip')).toMatchObject(NOT_LEASED);
    expect(await it.nack(sent[1]!, 'forget')).toMatchObject(BAD);
  });

  it('is parked, holds up its own topic alone, and is replayed or skipped', async () => {
    const it = await consumer();
    const [a1, b1] = [await send('a'), await send('b')];
    await it.pull();
    granted(await it.ack({ ids: [b1] }));
    granted(await it.nack(a1, 'park'));
    const [a2, b2] = [await send('a'), await send('b')];
    expect(await it.ids()).toEqual([b2]);
    granted(await it.ack({ ids: [b2] }));
    expect(await it.shown()).toMatchObject({ state: 'failing', parked: 1, lag: { events: 0 } });
    expect(await metric('annals_consumers_parked')).toBeGreaterThanOrEqual(1);
    expect(await it.parked()).toMatchObject([{ id: a1, event: { id: a1, type: 'annals.messages.MessageSent.v2' } }]);
    expect(await it.parkedAct('replay', {})).toMatchObject(BAD);
    expect(await it.parkedAct('replay', { ids: [b2] })).toMatchObject(BAD);
    expect(granted(await it.parkedAct('replay', { ids: [a1] }))).toMatchObject({ replayed: 1 });
    expect(await it.ids()).toEqual([a1, a2]);
    granted(await it.nack(a1, 'park'));
    expect(granted(await it.parkedAct('skip', { all: true }))).toMatchObject({ skipped: 1 });
    expect(await it.ids()).toEqual([a2]);
    granted(await it.ack({ ids: [a2] }));
    expect(await it.shown()).toMatchObject({ state: 'active', parked: 0, lag: { events: 0 } });
  });

  it('is parked after ten attempts', async () => {
    const it = await consumer();
    const id = await send('a');
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      expect(await it.ids({ lease: 1 })).toEqual([id]);
      if (attempt % 2 === 0) granted(await it.nack(id, 'retry'));
      else users.server.clock.advance(1_000);
    }
    expect(await it.ids()).toEqual([]);
    expect(await it.parked()).toMatchObject([{ id, attempts: MAX_ATTEMPTS }]);
  });
});

describe('a consumer', () => {
  it('is offered nothing while it is paused, and continues from there', async () => {
    const it = await consumer();
    granted(await it.change({ paused: true }));
    const id = await send('a');
    expect(await it.ids()).toEqual([]);
    granted(await it.change({ paused: false }));
    expect(await it.ids()).toEqual([id]);
  });

  it('that is rewound gets everything again with the same ids, and forgets what it had', async () => {
    const it = await consumer();
    const sent = [await send('a'), await send('b')];
    const first = await it.pull();
    granted(await it.nack(sent[0]!, 'park'));
    granted(await it.rewind(`p${Number(sent[0]?.slice(2)) - 1}`));
    expect(await it.shown()).toMatchObject({ state: 'active', parked: 0, in_flight: 0 });
    expect(await it.pull()).toEqual(first);
    expect(await it.nack(sent[0]!, 'retry')).toMatchObject({ status: 200 });
  });

  it('is read by its owner alone', async () => {
    const it = await ConsumerCaller.created(users.member, 'of-mia', { view: 'client' });
    const asOwner = new ConsumerCaller(owner, it.name);
    const forbidden = { status: 403, body: { code: 'BAD_REQUEST' } };
    expect(await asOwner.ask()).toMatchObject(forbidden);
    expect(await asOwner.ack({ through: '1/1' })).toMatchObject(forbidden);
    expect(await asOwner.nack('1/1', 'skip')).toMatchObject(forbidden);
    expect(await new ConsumerCaller(users.other, it.name).ask()).toMatchObject({ body: { code: 'NO_SUCH_CONSUMER' } });
  });

  it('is refused while its owner may not audit, keeps its position, and continues with the right', async () => {
    const grant = async (group: string) =>
      granted(await owner.patch('/realm', { can_audit_group: { new: users.groups[group] } }));
    await grant('administrators');
    const wanted = { types: ['messages.MessageSent'] };
    const it = await ConsumerCaller.created(users.administrator, 'of-ada', wanted);
    const id = await send('a');
    await grant('owners');
    expect(await it.ask()).toMatchObject({ status: 403, body: { code: 'UNAUTHORIZED_AUDIT' } });
    await grant('administrators');
    // The owners were told of each change by a message.
    expect((await it.ids())[0]).toBe(id);
  });

  it.each([
    ['limit', [0, 1_001, 'many']],
    ['wait', [-1, 91]],
    ['lease', [0, 601]],
    ['worker', ['x'.repeat(61)]],
  ])('refuses a wrong %s', async (name, values) => {
    const it = await consumer();
    for (const value of values) expect(await it.ask({ [name]: value })).toMatchObject(BAD);
  });
});

describe('a worker that waits', () => {
  it('gets an event as soon as there is one', async () => {
    const it = await consumer();
    const waiting = it.ids({ wait: 90 });
    const id = await send('a');
    expect(await waiting).toEqual([id]);
  });

  it('gets an event as soon as another worker gives it back or settles the one before', async () => {
    const it = await consumer();
    const [a1, a2] = [await send('a'), await send('a')];
    expect(await it.ids({ limit: 1 })).toEqual([a1]);
    const waiting = it.ids({ worker: 'two', wait: 90 });
    granted(await it.ack({ ids: [a1] }));
    expect(await waiting).toEqual([a2]);
  });

  it('leaves its events to others once it has disconnected', async () => {
    const it = await consumer();
    const id = await send('a');
    const provided = users.server.apis[0]!.app;
    const all = await provided.get(ConsumerFacts, { strict: false }).all(1 as RealmId);
    const row = all.find(({ name }) => name === it.name)!;
    const gone = { worker: 'gone', limit: 10, leaseMs: 30_000, disconnected: AbortSignal.abort() };
    expect(await provided.get(TakeEvents, { strict: false }).take(row, gone)).toMatchObject({ events: [] });
    expect(await it.ids()).toEqual([id]);
  });

  it('gets nothing after its time', async () => {
    const it = await consumer();
    const waiting = it.ask({ wait: 5 });
    const polls = setInterval(() => users.server.clock.advance(1_000), 50);
    expect(granted(await waiting)).toMatchObject({ events: [] });
    clearInterval(polls);
  });
});
