import type { Position } from '@annals/kernel/domain';
import type { ToyFeed, ToyProcess } from '../../spec-support/toy-feed';
import { eventId } from '../../domain/event-id';
import { posted, renamed } from '../../spec-support/toy-events';
import { as } from '../../spec-support/toy-feed';
import { ada, bob, contents, general, messages, openToyScenario, secret } from '../../spec-support/toy-scenario';

let toy: ToyFeed;
let here: ToyProcess;
beforeEach(async () => {
  toy = await openToyScenario();
  here = toy.first;
});
afterEach(() => toy.close());

/** Reads of pages by number, by the translation and the tail, and of pages by bytes, by delivery. */
const reads = ({ kernel: { events } }: ToyProcess) => [
  jest.spyOn(events, 'storedPage'),
  jest.spyOn(events, 'pageOfBytes'),
];
const many = (count: number, text = 'x') => Array.from({ length: count }, () => posted(secret, text));

/** A client that polls at a process and receives what happens while its poll waits. */
async function client(at: ToyProcess): Promise<(act: () => Promise<unknown>) => Promise<unknown[]>> {
  const queue = await at.register(as(ada), messages);
  let last = queue.last_event_id;
  return async (act) => {
    const poll = at.poll(as(ada), queue.queue_id, last);
    await at.hanging(1);
    await act();
    const events = await poll;
    last = events.at(-1)?.id ?? last;
    return contents(events);
  };
}

describe('delivery reads of the log', () => {
  it('nothing that its process has written itself', async () => {
    const receives = await client(here);
    expect(await receives(() => here.happens(posted(general, 'first')))).toEqual(['first']);
    const counted = reads(here);
    for (const text of ['second', 'third']) {
      const received = await receives(async () => {
        await here.happens(posted(general, text), renamed(general, text));
        await here.translation.catchUp();
      });
      expect(received).toEqual([text]);
    }
    // The translation reads, once each time.
    expect(counted.map(({ mock }) => mock.calls.length)).toEqual([2, 0]);
  });

  it('each event once, for delivery and for cached facts', async () => {
    const there = await toy.another();
    const receives = await client(there);
    const receive = async (text: string) =>
      expect(await receives(() => here.happens(posted(general, text)))).toEqual([text]);
    await receive('first');
    await receive('second');
    const counted = reads(there);
    await receive('third');
    await there.kernel.fence.reach(as(ada).realmId);
    const [pages, ofBytes] = counted.map(({ mock }) => mock.calls.length);
    expect(pages).toBeLessThan(2);
    expect(ofBytes).toBe(0);
  });

  it('whole appends, wherever a client continues and however long they are', async () => {
    const queue = await here.register(as(bob), messages);
    const before = await here.happens(
      ...many(1_500),
      posted(general, 'a'),
      renamed(general, 'b'),
      posted(general, 'c'),
    );
    await here.happens(...many(700), posted(general, 'd'));
    await here.translation.catchUp();
    const inFresh = async (from: number) => {
      const process = await toy.another();
      const heard: unknown[] = [];
      for (let last = from; ;) {
        const events = await process.poll(as(bob), queue.queue_id, last, { dontBlock: true });
        if (events.length === 0) return heard;
        heard.push(...contents(events));
        last = events.at(-1)?.id ?? last;
      }
    };
    expect(await inFresh(-1)).toEqual(['a', 'c', 'd']);
    // Inside an append: the translation of an event may depend on earlier events of the append.
    expect(await inFresh(eventId(before - 2, 0))).toEqual(['c', 'd']);
    expect(await inFresh(eventId(before - 1_000, 40_000))).toEqual(['a', 'c', 'd']);
  });

  it('ends a page at the limit of its bytes', async () => {
    await here.happens(...many(3));
    for (let n = 0; n < 12; n++) await here.happens(posted(general, String.fromCharCode(97 + n).repeat(900_000)));
    const { events } = here.kernel;
    const positions = async (after: number, upTo: number, limit: number, bytes: number) =>
      (await events.pageOfBytes(as(ada).realmId, after, upTo, limit, bytes)).map(({ position }) => position);
    expect(await positions(7, 10, 2, 1_000)).toEqual([8, 9] as Position[]);
    expect(await positions(7, 9, 10, 1_000)).toEqual([8, 9]);
    expect(await positions(7, 10, 10, 0)).toEqual([8]);
    expect((await positions(10, 22, 100, 20_000)).length).toBeLessThan(12);
  });
});
