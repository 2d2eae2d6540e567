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

/** Of pages by number, which the translation and the tail read, and of pages by bytes, which delivery reads. */
const reads = ({ kernel: { events } }: ToyProcess) => [
  jest.spyOn(events, 'storedPage'),
  jest.spyOn(events, 'pageOfBytes'),
];
const many = (count: number, text = 'x') => Array.from({ length: count }, () => posted(secret, text));

/** A client that polls at a process, and is told of what is done while its poll hangs. */
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
    const hears = await client(here);
    expect(await hears(() => here.happens(posted(general, 'first')))).toEqual(['first']);
    const counted = reads(here);
    for (const text of ['second', 'third']) {
      const told = await hears(async () => {
        await here.happens(posted(general, text), renamed(general, text));
        await here.translation.catchUp();
      });
      expect(told).toEqual([text]);
    }
    // The translation reads, once each time.
    expect(counted.map(({ mock }) => mock.calls.length)).toEqual([2, 0]);
  });

  it('once, for itself and for what is cached', async () => {
    const there = await toy.another();
    const hears = await client(there);
    const hear = async (text: string) => expect(await hears(() => here.happens(posted(general, text)))).toEqual([text]);
    await hear('first');
    await hear('second');
    const counted = reads(there);
    await hear('third');
    await there.kernel.fence.reach(as(ada).realmId);
    const [pages, ofBytes] = counted.map(({ mock }) => mock.calls.length);
    expect(pages).toBeLessThan(2);
    expect(ofBytes).toBe(0);
  });

  it('whole appends, wherever a client stands and however long they are', async () => {
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
    // Inside an append: what a translation says of it may rest on what stands before.
    expect(await inFresh(eventId(before - 2, 0))).toEqual(['c', 'd']);
    expect(await inFresh(eventId(before - 1_000, 40_000))).toEqual(['a', 'c', 'd']);
  });

  it('no more at once than fits into memory', async () => {
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
