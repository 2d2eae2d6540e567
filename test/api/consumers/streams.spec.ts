import { ActorReader } from '@annals/groups';
import { systemActor } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { ConsumerCaller } from '../../support/consumers/consumer-caller';
import { StreamedServer, endOf, ended, idsOf, pathOf } from '../../support/consumers/streamed-server';
import { askForStreamAt } from '../../support/events/stream-client';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';

let streamed: StreamedServer;
beforeAll(async () => {
  streamed = await StreamedServer.start();
});
afterEach(async () => {
  await streamed.deleteConsumers();
  await Promise.all([streamed.opened(0, 0), streamed.opened(0, 1)]);
});
afterAll(() => streamed.close());

describe('a stream of a consumer', () => {
  it('sends events as a pull returns them, and leases them', async () => {
    const it = await streamed.consumer();
    const other = await streamed.consumer();
    const stream = await streamed.open(it);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await stream.part()).toEqual({ retry: 3_000 });
    const id = await streamed.send('a');
    const [pulled] = await other.pull();
    expect(await stream.part()).toEqual({ id, type: 'annals.messages.MessageSent.v2', data: pulled });
    expect(await it.shown()).toMatchObject({ in_flight: 1 });
    expect(await it.ids({ worker: 'other' })).toEqual([]);
    stream.close();
  });

  it('continues after Last-Event-ID, which acknowledges what it had sent up to there', async () => {
    const it = await streamed.consumer();
    const sent = [
      await streamed.send('a'),
      await streamed.send('b'),
      await streamed.send('a'),
      await streamed.send('c'),
    ];
    const first = await streamed.open(it);
    expect(await idsOf(first, 4)).toEqual(sent);
    first.close();
    await streamed.opened(0);
    await streamed.inFlight(it, 0);
    const second = await streamed.open(it, {}, sent[1], 1);
    expect(await idsOf(second, 2)).toEqual(sent.slice(2));
    expect(await it.shown()).toMatchObject({ in_flight: 2, position: Number(sent[1]?.slice(2)) });
    second.close();
    const again = await streamed.open(it);
    expect(await idsOf(again, 2)).toEqual(sent.slice(2));
    again.close();
  });

  it('is acknowledged by its worker meanwhile, and keeps to its limit', async () => {
    const it = await streamed.consumer();
    const sent = [
      await streamed.send('a'),
      await streamed.send('a'),
      await streamed.send('b'),
      await streamed.send('c'),
    ];
    const stream = await streamed.open(it, { worker: 'one', limit: 2 });
    expect(await idsOf(stream, 2)).toEqual(sent.slice(0, 2));
    expect(await it.shown()).toMatchObject({ in_flight: 2 });
    expect(await it.ack({ ids: [sent[0]] })).toMatchObject({ status: 409 });
    granted(await it.ack({ worker: 'one', ids: [sent[0]] }));
    expect(await idsOf(stream, 1)).toEqual([sent[2]]);
    granted(await it.ack({ worker: 'one', through: sent[2] }));
    expect(await idsOf(stream, 1)).toEqual([sent[3]]);
    stream.close();
  });

  it('ends when nothing is acknowledged at its limit, so that a client that only connects again continues', async () => {
    const it = await streamed.consumer();
    const sent = [await streamed.send('a'), await streamed.send('b')];
    const first = await streamed.open(it, { limit: 1, lease: 5 });
    expect(await idsOf(first, 1)).toEqual([sent[0]]);
    const ticking = setInterval(() => streamed.users.server.clock.advance(1_000), 50);
    expect(await first.event()).toEqual(ended('unacknowledged'));
    clearInterval(ticking);
    const second = await streamed.open(it, { limit: 1 }, sent[0]);
    expect(await idsOf(second, 1)).toEqual([sent[1]]);
    second.close();
  });

  it('sends a comment after 25 seconds without an event', async () => {
    const stream = await streamed.open(await streamed.consumer());
    await stream.part();
    await streamed.opened(1);
    streamed.users.server.clock.advance(25_000);
    expect(await stream.part()).toEqual({ comment: '' });
    stream.close();
  });

  it('shares a consumer with another worker: each topic is in order, and with one of them at a time', async () => {
    const it = await streamed.consumer();
    const [one, two] = [
      await streamed.open(it, { worker: 'one', limit: 1 }),
      await streamed.open(it, { worker: 'two', limit: 2 }),
    ];
    const a1 = await streamed.send('a');
    const holder = await Promise.race([
      one.event().then((event) => ({ event, worker: 'one', rest: two })),
      two.event().then((event) => ({ event, worker: 'two', rest: one })),
    ]);
    expect(holder.event).toMatchObject({ id: a1 });
    await streamed.inFlight(it, 1);
    // Nobody gets the next one of the topic before the first one is acknowledged.
    const a2 = await streamed.send('a');
    expect(await it.shown()).toMatchObject({ in_flight: 1 });
    expect(await it.ids({ worker: 'three' })).toEqual([]);
    granted(await it.ack({ worker: holder.worker, ids: [a1] }));
    await streamed.inFlight(it, 1);
    const acknowledged = await Promise.all(
      ['one', 'two'].map(async (worker) => granted(await it.ack({ worker, through: a2 })).acknowledged),
    );
    expect(acknowledged.sort()).toEqual([0, 1]);
    for (const stream of [one, two]) stream.close();
  });

  it('leases nothing while its client does not read', async () => {
    const it = await streamed.consumer();
    await streamed.send('a');
    const realmId = 1 as RealmId;
    const actors = streamed.users.server.apis[0]?.app.get(ActorReader, { strict: false });
    const actor = await actors?.actor(realmId, streamed.owner.id, systemActor(realmId).origin);
    if (!actor) throw new Error('no such api');
    const stream = await streamed.streams().begin(actor, {
      consumer: it.name,
      worker: 'slow',
      mostHeld: 10,
      patienceMs: 1_000,
      received: null,
      disconnected: new AbortController().signal,
    });
    await streamed.pass(40);
    expect(await it.shown()).toMatchObject({ in_flight: 0 });
    const taken = await stream.next();
    expect([taken.done, taken.value?.length]).toEqual([false, 1]);
    expect(await it.shown()).toMatchObject({ in_flight: 1 });
    await stream.close('unavailable');
  });

  it('keeps its leases while it lasts, and gives them back without a failed attempt when it ends', async () => {
    const it = await streamed.consumer();
    const id = await streamed.send('a');
    const stream = await streamed.open(it);
    expect(await idsOf(stream, 1)).toEqual([id]);
    await streamed.pass(200);
    expect(await it.ids({ worker: 'other' })).toEqual([]);
    stream.close();
    await streamed.opened(0);
    await streamed.inFlight(it, 0);
    expect(await it.ids({ worker: 'other' })).toEqual([]);
    streamed.users.server.clock.advance(10_000);
    expect(await it.ids({ worker: 'other' })).toEqual([id]);
    granted(await it.nack(id, 'park', { worker: 'other' }));
    expect(await it.parked()).toMatchObject([{ id, attempts: 0 }]);
  });

  it('streams nothing while its consumer is paused', async () => {
    const it = await streamed.consumer();
    granted(await it.change({ paused: true }));
    const stream = await streamed.open(it);
    const id = await streamed.send('a');
    await streamed.pass(20);
    expect(await it.shown()).toMatchObject({ in_flight: 0, state: 'paused' });
    granted(await it.change({ paused: false }));
    expect(await idsOf(stream, 1)).toEqual([id]);
    stream.close();
  });

  it('sends what a rewound consumer gets again', async () => {
    const it = await streamed.consumer();
    const id = await streamed.send('a');
    const stream = await streamed.open(it);
    expect(await idsOf(stream, 1)).toEqual([id]);
    granted(await it.rewind(`p${Number(id.slice(2)) - 1}`));
    expect(await idsOf(stream, 1)).toEqual([id]);
    stream.close();
  });

  it('is refused as JSON like a pull', async () => {
    const it = await streamed.consumer();
    const refused = async (params: Params, headers: Record<string, string> = {}, name = it) => {
      const response = await askForStreamAt(pathOf(name), streamed.owner, params, headers);
      return { status: response.status, ...((await response.json()) as object) };
    };
    expect(await refused({}, {}, new ConsumerCaller(streamed.owner, 'nobody'))).toMatchObject({
      code: 'NO_SUCH_CONSUMER',
    });
    const bad = { status: 400, code: 'BAD_REQUEST' };
    for (const last of ['x', '2/5', '1/'])
      expect(await refused({}, { 'last-event-id': last })).toMatchObject({
        ...bad,
        msg: 'Last-Event-ID is not an id of an event',
      });
    expect(await refused({ wait: 5 })).toMatchObject({ ...bad, msg: 'wait does not apply to a stream' });
    expect(await refused({ limit: 0 })).toMatchObject(bad);
  });

  it('is a batch or a list for callers that prefer these', async () => {
    const it = await streamed.consumer();
    const asked = async (accept: string) => (await askForStreamAt(pathOf(it), streamed.owner, {}, { accept })).headers;
    const batch = 'application/cloudevents-batch+json';
    expect((await asked(`${batch}, text/event-stream;q=0.5`)).get('content-type')).toContain(batch);
    expect((await asked(`application/json, ${batch}`)).get('content-type')).toContain('application/json');
  });
});

describe('a stream of a consumer ends', () => {
  it.each([
    [0, 0],
    [0, 1],
  ])('in process %i when another one of the worker begins in %i, which gets its events', async (older, newer) => {
    const it = await streamed.consumer();
    const id = await streamed.send('a');
    const first = await streamed.open(it, {}, undefined, older);
    expect(await idsOf(first, 1)).toEqual([id]);
    // A clock that stands still orders the streams of two processes only if one has heard of those of the other.
    streamed.users.server.clock.advance(1_000);
    const second = await streamed.open(it, {}, undefined, newer);
    expect(await endOf(first)).toEqual(ended('replaced'));
    expect(await first.part()).toBeNull();
    expect(await idsOf(second, 1)).toEqual([id]);
    second.close();
  });

  it('when the consumer is deleted', async () => {
    const it = await streamed.consumer();
    const stream = await streamed.open(it);
    await streamed.opened(1);
    granted(await streamed.owner.delete(`/feed/consumers/${it.name}`));
    expect(await stream.event()).toEqual(ended('consumer_gone'));
  });

  it('when its owner may not audit any more, or the key of its owner changes', async () => {
    const grant = async (group: string) =>
      granted(await streamed.owner.patch('/realm', { can_audit_group: { new: streamed.users.groups[group] } }));
    await grant('administrators');
    const it = await streamed.consumer(streamed.users.administrator);
    const stream = await streamed.open(it);
    await streamed.opened(1);
    await grant('owners');
    // The owners were told of each change by a message.
    expect(await endOf(stream)).toEqual(ended('unauthorized'));
    await grant('administrators');
    const again = await streamed.open(it);
    await streamed.opened(1);
    granted(await streamed.users.administrator.post('/users/me/api_key/regenerate'));
    expect(await endOf(again)).toEqual(ended('login_changed'));
  });
});
