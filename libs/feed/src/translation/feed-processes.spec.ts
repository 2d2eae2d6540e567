import type { RealmId } from '@annals/kernel/domain';
import type { WireEvent } from '../domain/flag-events';
import { CallRecorder } from '../../../../test/support/events/call-recorder';
import type { ToyFeed, ToyProcess } from '../spec-support/toy-feed';
import { eventId } from '../domain/event-id';
import { arrived, joined, opened, posted, renamed } from '../spec-support/toy-events';
import { as, channel, openToyFeed, realm, user } from '../spec-support/toy-feed';

const ada = user(1);
const general = channel(1);
const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];
const backends = redisUrl ? (['PostgreSQL', 'Redis'] as const) : (['PostgreSQL'] as const);
const contents = (events: readonly WireEvent[]) =>
  events.map(({ message }) => (message as { content: string } | undefined)?.content);
const messages = { eventTypes: ['message'] };

describe.each(backends)('client events between processes, on %s', (backend) => {
  let toy: ToyFeed;
  let writer: ToyProcess;
  let api: ToyProcess;
  beforeEach(async () => {
    toy = await openToyFeed({ realms: 2, redisUrl: backend === 'Redis' ? redisUrl : null });
    writer = toy.first;
    api = await toy.another();
    await writer.happens(arrived(ada), opened(general), joined(general, ada));
  });
  afterEach(() => toy.close());

  const names = { eventTypes: ['stream'] };
  const namesIn = (events: readonly WireEvent[]) => events.map(({ name }) => name);

  it('reach a waiting poll in another process, woken by the commit', async () => {
    const queue = await api.register(as(ada), messages);
    const poll = api.poll(as(ada), queue.queue_id, -1);
    await api.hanging(1);
    await writer.happens(posted(general, 'hello'));
    expect(contents(await poll)).toEqual(['hello']);
  });

  it('reach it through a worker if they need facts', async () => {
    const worker = await toy.another();
    await worker.follow();
    const queue = await api.register(as(ada), names);
    const poll = api.poll(as(ada), queue.queue_id, -1);
    await api.hanging(1);
    await writer.happens(renamed(general, 'meadow'));
    expect(namesIn(await poll)).toEqual(['meadow']);
  });

  it('are translated by a job of the queue if their wake-up is lost', async () => {
    const worker = await toy.another();
    await worker.follow();
    await worker.kernel.wakeUps.close();
    await writer.feed.start();
    const queue = await api.register(as(ada), names);
    const poll = api.poll(as(ada), queue.queue_id, -1);
    await api.hanging(1);
    await writer.happens(renamed(general, 'meadow'));
    expect(namesIn(await api.ticking(poll))).toEqual(['meadow']);
  });

  it('ask for no job where no facts are needed', async () => {
    const queues = await writer.kernel.queues();
    const woken = jest.spyOn(queues, 'wake').mockResolvedValue(true);
    await writer.feed.start();
    await writer.happens(posted(general, 'hello'));
    const position = await writer.happens(renamed(general, 'meadow'));
    expect(woken.mock.calls).toEqual([['client-events', realm, position]]);
  });

  it('are found by reading the heads if their writer died before it woke a worker', async () => {
    await writer.kernel.wakeUps.close();
    const queue = await api.register(as(ada), messages);
    const poll = api.poll(as(ada), queue.queue_id, -1);
    await api.hanging(1);
    await writer.happens(posted(general, 'hello'));
    await api.feed.dispatcher.tick();
    expect(contents(await poll)).toEqual(['hello']);
  });

  it('are found by reading the checkpoints if the worker dies before it wakes a process', async () => {
    const worker = await toy.another();
    await worker.kernel.wakeUps.close();
    const queue = await api.register(as(ada), names);
    const poll = api.poll(as(ada), queue.queue_id, -1);
    await api.hanging(1);
    await writer.happens(renamed(general, 'meadow'));
    await api.feed.dispatcher.tick();
    await api.feed.dispatcher.settled();
    await worker.translation.catchUp();
    await api.feed.dispatcher.tick();
    expect(namesIn(await poll)).toEqual(['meadow']);
  });

  it('reach the newest poll of a queue, and older polls end at once in every process', async () => {
    const { queue_id: id } = await api.register(as(ada), messages);
    let older = api.poll(as(ada), id, -1);
    await api.hanging(1);
    for (const process of [writer, api, writer]) {
      toy.clock.advance(1_000);
      const newer = process.poll(as(ada), id, -1);
      expect(await older).toEqual([]);
      older = newer;
    }
    await Promise.all([writer.hanging(1), api.hanging(0)]);
    await writer.happens(posted(general, 'hello'));
    await writer.translation.catchUp();
    expect(contents(await older)).toEqual(['hello']);
  });

  it('answer a poll that does not block, also while another process polls', async () => {
    const queue = await api.register(as(ada), names);
    await writer.happens(renamed(general, 'meadow'));
    const short = api.poll(as(ada), queue.queue_id, -1, { dontBlock: true });
    await api.hanging(1);
    toy.clock.advance(1_000);
    const newer = writer.poll(as(ada), queue.queue_id, -1);
    const signalled = new Promise((resolve) => api.kernel.wakeUps.onSignal('spec.after', resolve));
    await writer.hanging(1);
    writer.kernel.wakeUps.signal('spec.after', realm, null);
    await signalled;
    await writer.translation.catchUp();
    expect(namesIn(await short)).toEqual(['meadow']);
    expect(namesIn(await newer)).toEqual(['meadow']);
  });

  it('are received by a process from the first poll of the organization until a minute after the last one', async () => {
    const received = new CallRecorder<[RealmId, unknown]>();
    api.kernel.wakeUps.onSignal('spec', received.listener);
    await api.kernel.wakeUps.listening('signals');
    /** The wake-ups that the process receives of a signal of the realm, and of a later signal to all realms. */
    const reaches = async () => {
      const from = received.calls.length;
      writer.kernel.wakeUps.signal('spec', realm, 'of the realm');
      await new Promise((resolve) => setImmediate(resolve));
      writer.kernel.wakeUps.broadcast('spec', realm, 'to all');
      let count = from;
      do await received.atLeast(++count);
      while (received.calls[count - 1]?.[1] !== 'to all');
      return received.calls.slice(from, count).map(([, payload]) => payload);
    };
    /** Listens to another channel: a connection begins and ends to listen in the order of the requests. */
    const left = async () => {
      const other = (realm + 1) as RealmId;
      const leave = api.kernel.wakeUps.subscribe('head', other, () => undefined);
      await api.kernel.wakeUps.listening(other);
      leave();
    };
    const queue = await api.register(as(ada), messages);
    const ask = () => api.take(as(ada), queue);
    expect(await reaches()).toEqual(['to all']);
    await ask();
    expect(await reaches()).toEqual(['of the realm', 'to all']);
    toy.clock.advance(61_000);
    await api.feed.dispatcher.tick();
    await left();
    expect(await reaches()).toEqual(['to all']);
    await ask();
    expect(await reaches()).toEqual(['of the realm', 'to all']);
  });

  it('end with the queue, in whichever process it is deleted', async () => {
    const queue = await api.register(as(ada), messages);
    const poll = api.poll(as(ada), queue.queue_id, -1);
    await api.hanging(1);
    await writer.feed.dispatcher.delete(as(ada), queue.queue_id);
    expect(await poll).toEqual([]);
  });

  it('are translated once, however many processes translate at once', async () => {
    const others = [api, await toy.another()];
    const queue = await api.register(as(ada), { eventTypes: ['message', 'stream'] });
    const count = 150;
    const positions: number[] = [];
    const writing = (async () => {
      for (let n = 0; n < count; n++) {
        positions.push(await writer.happens(posted(general, `${n}`)));
        positions.push(await writer.happens(renamed(general, `${n}`)));
      }
    })();
    let isWriting = true;
    const translating = others.map(async ({ translation }) => {
      while (isWriting) await translation.catchUp();
    });
    await writing;
    isWriting = false;
    await Promise.all(translating);
    const events = await api.take(as(ada), queue);
    expect(events.map(({ id }) => id)).toEqual(positions.map((position) => eventId(position, 0)));
    expect(await writer.kernel.store.parked()).toEqual([]);
  });

  it('stop at a stored event that cannot be translated, in that realm only', async () => {
    const other = 2 as RealmId;
    const here = await api.register(as(ada), messages);
    await writer.happensIn(other, arrived(ada), opened(general), joined(general, ada));
    const there = await api.register(as(ada, undefined, other), messages);
    await writer.happens(posted(general, 'before'));
    const position = await writer.happens(renamed(general, 'untranslatable'));
    await writer.happens(posted(general, 'after'));
    await writer.happensIn(other, renamed(general, 'fine'), posted(general, 'elsewhere'));
    expect(contents(await api.take(as(ada), here))).toEqual(['before']);
    expect(contents(await api.take(as(ada, undefined, other), there))).toEqual(['elsewhere']);
    const [status] = api.translation.status();
    expect(status?.parked).toEqual([{ realmId: 1, position, error: 'this cannot be translated' }]);
    expect(api.feed.dispatcher.stopped).toEqual([]);
  });

  it('stop at another one that cannot be translated, in that realm only, and log it', async () => {
    const other = 2 as RealmId;
    const here = await api.register(as(ada), messages);
    await writer.happensIn(other, arrived(ada), opened(general), joined(general, ada));
    const there = await api.register(as(ada, undefined, other), messages);
    const complained = jest.spyOn(api.kernel.options.log, 'error');
    await writer.happens(posted(general, 'before'));
    const position = await writer.happens(posted(general, 'untranslatable'));
    await writer.happens(posted(general, 'after'));
    await writer.happensIn(other, posted(general, 'elsewhere'));
    const before = await api.take(as(ada), here);
    expect(contents(before)).toEqual(['before']);
    expect(contents(await api.take(as(ada, undefined, other), there))).toEqual(['elsewhere']);
    expect(api.translation.status()[0]?.parked).toEqual([]);
    const hanging = api.poll(as(ada), here.queue_id, before.at(-1)?.id ?? 0);
    await api.hanging(1);
    for (let times = 0; times < 3; times++) {
      await api.feed.dispatcher.tick();
      await api.feed.dispatcher.settled();
    }
    await api.hanging(1);
    expect(api.feed.dispatcher.stopped).toEqual([{ realmId: 1, position }]);
    expect(complained).toHaveBeenCalledTimes(1);
    toy.clock.advance(56_000);
    await api.feed.dispatcher.tick();
    expect(await hanging).toMatchObject([{ type: 'heartbeat' }]);
  });
});
