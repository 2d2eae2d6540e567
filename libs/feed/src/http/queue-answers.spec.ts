import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Role } from '@annals/kernel/domain';
import type { RequestInfo } from '@annals/web';
import { EventStreams } from '@annals/web';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { posted } from '../spec-support/toy-events';
import type { ToyFeed, ToyProcess } from '../spec-support/toy-feed';
import { as } from '../spec-support/toy-feed';
import { ada, general, guest, messages, openToyScenario } from '../spec-support/toy-scenario';
import { GetEventsParams } from './events.params';
import { QueueAnswers } from './queue-answers';

interface Received {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

let toy: ToyFeed;
let processes: readonly ToyProcess[];
let answers: readonly QueueAnswers[];
beforeEach(async () => {
  toy = await openToyScenario();
  processes = [toy.first, await toy.another()];
  answers = processes.map(({ feed }) => new QueueAnswers(feed.dispatcher, new EventStreams(toy.clock)));
});
afterEach(() => toy.close());

const register = async (by = as(ada)) => (await toy.first.register(by, messages)).queue_id;

/** A stream as the server writes it. Its client disconnects when the text is destroyed. */
async function open(queueId: string, lastEventId?: string, process = 0, by = as(ada)): Promise<Readable> {
  // Claims of the same moment have no order.
  toy.clock.advance(1);
  const client = new AbortController();
  const info = { disconnected: client.signal, header: () => lastEventId } as unknown as RequestInfo;
  const params = Object.assign(new GetEventsParams(), { queue_id: queueId });
  const answer = await answers[process]?.stream(by, params, info);
  if (!answer) throw new Error('there is no such process');
  answer.content.once('close', () => client.abort());
  return answer.content;
}

/** Reads so many events, then disconnects. */
async function receive(text: Readable, count: number): Promise<Received[]> {
  const events: Received[] = [];
  const parser = createParser({ onEvent: ({ id, event, data }) => events.push({ id, event, data }) });
  for await (const chunk of text) {
    parser.feed(String(chunk));
    if (events.length >= count) break;
  }
  return events.slice(0, count);
}

const contentsOf = (events: readonly Received[]) =>
  events.map(({ data }) => (JSON.parse(data) as { message: { content: string } }).message.content);

describe('the stream of a queue', () => {
  it('has events as a poll returns them, with their ids and types', async () => {
    const id = await register();
    await toy.first.happens(posted(general, 'one'), posted(general, 'two\nlines'));
    const events = await toy.first.poll(as(ada), id, -1);
    const received = await receive(await open(id), 2);
    expect(received).toEqual(
      events.map((event) => ({ id: String(event.id), event: event.type, data: JSON.stringify(event) })),
    );
  });

  it('says at its end why it has ended', async () => {
    const id = await register();
    const text = await open(id);
    const ending = receive(text, 1);
    await toy.first.hanging(1);
    await toy.first.feed.dispatcher.delete(as(ada), id);
    expect(await ending).toEqual([{ id: undefined, event: 'end', data: '{"type":"end","reason":"queue_gone"}' }]);
  });

  it('reads nothing of the queue for a client that does not read, and everything when it reads again', async () => {
    const id = await register();
    const text = await open(id);
    const large = 'x'.repeat(200_000);
    // Nobody has read the beginning of the text yet.
    for (let n = 0; n < 20; n++) await toy.first.happens(posted(general, `${n} ${large}`));
    for (let n = 0; n < 3; n++) await toy.first.tick();
    expect(toy.first.feed.dispatcher.waiting).toBe(0);
    text.once('data', () => text.pause());
    await once(text, 'pause');
    await toy.first.feed.dispatcher.settled();
    expect(text.readableLength).toBeLessThan(1_500_000);
    const received = await receive(text, 20);
    expect(contentsOf(received).map((content) => parseInt(content))).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('of somebody who may read nothing waits, and costs nothing', async () => {
    const queueId = await register(as(guest, Role.guest));
    const text = await open(queueId, undefined, 0, as(guest, Role.guest));
    text.resume();
    await toy.first.hanging(1);
    await toy.first.happens(posted(general, 'not for guests'));
    await toy.first.feed.dispatcher.settled();
    await toy.first.hanging(1);
    text.destroy();
    await toy.first.hanging(0);
  });

  it('refuses an id that is no number, before it begins', async () => {
    await expect(open(await register(), 'x')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Last-Event-ID is not an integer',
    });
  });

  it('loses nothing and repeats nothing, whenever and wherever its client disconnects', async () => {
    const post = fc.record({ posts: fc.integer({ min: 1, max: 4 }) });
    const read = fc.record({ events: fc.integer({ min: 0, max: 5 }), process: fc.nat({ max: 1 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(post, read), { minLength: 1, maxLength: 12 }), async (steps) => {
        const id = await register();
        let posts = 0;
        const received: Received[] = [];
        const take = async (count: number, process: number) => {
          const text = await open(id, received.at(-1)?.id ?? '', process);
          received.push(...(await receive(text, Math.min(count, posts - received.length))));
        };
        for (const step of steps) {
          if ('events' in step) await take(step.events, step.process);
          else await toy.first.happens(...Array.from({ length: step.posts }, () => posted(general, String(posts++))));
        }
        await take(posts, 0);
        expect(contentsOf(received)).toEqual(Array.from({ length: posts }, (_, n) => String(n)));
      }),
      { numRuns: 15 },
    );
  });
});
