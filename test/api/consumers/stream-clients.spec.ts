import { EventSource } from 'eventsource';
import fc from 'fast-check';
import type { ConsumerCaller } from '../../support/consumers/consumer-caller';
import { StreamedServer, TOPICS, ended, idsOf, pathOf } from '../../support/consumers/streamed-server';
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

describe('a client of a stream', () => {
  it('loses nothing and gets nothing twice that it received, whenever and wherever it disconnects', async () => {
    const step = fc.record({
      act: fc.constantFrom('send', 'send', 'read', 'acknowledge'),
      count: fc.integer({ min: 1, max: 3 }),
      topic: fc.constantFrom(...TOPICS),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        const receiver = new Receiver(await streamed.consumer());
        for (const [n, { act, count, topic }] of steps.entries()) {
          if (act === 'send') await receiver.send(topic, count);
          else await receiver.read(count, { api: n % 2, acknowledges: act === 'acknowledge' });
        }
        await receiver.read(Infinity, { api: 0, acknowledges: true });
        expect([...receiver.received].sort()).toEqual(receiver.sent.map(({ id }) => id).sort());
        for (const topic of TOPICS) expect(receiver.receivedOf(topic)).toEqual(receiver.sentTo(topic));
        streamed.users.server.clock.advance(60_000);
        expect(await receiver.consumer.ids({ worker: 'another' })).toEqual([]);
        await streamed.deleteConsumers();
      }),
      { numRuns: 6 },
    );
  });

  it('continues by itself with the library of browsers, which acknowledges when it connects again', async () => {
    const it = await streamed.consumer();
    const asked: (string | null)[] = [];
    const source = new EventSource(`${streamed.users.server.url}/api/v1${pathOf(it)}`, {
      fetch: (url, init) => {
        const headers = new Headers(init.headers);
        asked.push(headers.get('last-event-id'));
        headers.set('authorization', `Basic ${btoa(`${streamed.owner.email}:${streamed.owner.key}`)}`);
        return fetch(url, { ...init, headers });
      },
    });
    const received = () =>
      new Promise<string>((resolve) =>
        source.addEventListener('annals.messages.MessageSent.v2', ({ lastEventId }) => resolve(lastEventId), {
          once: true,
        }),
      );
    const first = received();
    const one = await streamed.send('a');
    expect(await first).toBe(one);
    const next = received();
    // Another stream ends this one, and is gone when the library connects again after three seconds.
    (await streamed.open(it, {}, one)).close();
    await streamed.opened(0);
    const two = await streamed.send('a');
    expect(await next).toBe(two);
    expect(await it.shown()).toMatchObject({ position: Number(two.slice(2)) - 1 });
    source.close();
    expect(asked).toEqual([null, one]);
    await streamed.opened(0);
  });

  it('continues in another API process when its own stops', async () => {
    const it = await streamed.consumer();
    const sent = [await streamed.send('a'), await streamed.send('a')];
    const first = await streamed.open(it, {}, undefined, 1);
    expect(await idsOf(first, 2)).toEqual(sent);
    await streamed.users.server.apis[1]?.app.close();
    expect(await first.event()).toEqual(ended('unavailable'));
    expect(await it.shown()).toMatchObject({ in_flight: 0 });
    const second = await streamed.open(it, {}, sent[0]);
    expect(await idsOf(second, 1)).toEqual([sent[1]]);
    second.close();
  });
});

/** A client whose streams break again and again. */
class Receiver {
  readonly sent: { readonly id: string; readonly topic: string }[] = [];
  readonly received: string[] = [];

  constructor(readonly consumer: ConsumerCaller) {}

  sentTo(topic: string): string[] {
    return this.sent.flatMap((message) => (message.topic === topic ? [message.id] : []));
  }

  receivedOf(topic: string): string[] {
    const its = new Set(this.sentTo(topic));
    return this.received.filter((id) => its.has(id));
  }

  async send(topic: string, count: number): Promise<void> {
    for (let n = 0; n < count; n++) this.sent.push({ id: await streamed.send(topic), topic });
  }

  /** Receives so many events, or all that there are, and breaks the connection. */
  async read(count: number, { api, acknowledges }: { api: number; acknowledges: boolean }): Promise<void> {
    const stream = await streamed.open(this.consumer, { worker: 'it' }, this.received.at(-1), api);
    const received = await idsOf(stream, Math.min(count, this.sent.length - this.received.length));
    this.received.push(...received);
    if (acknowledges && received.length > 0) granted(await this.consumer.ack({ worker: 'it', ids: received }));
    stream.close();
  }
}
