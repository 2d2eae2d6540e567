import type { Instant } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import type { OpenedQueue, ToyFeed, ToyProcess } from '../spec-support/toy-feed';
import { lastLoggedId, eventId } from '../domain/event-id';
import { arrived, joined, opened, posted, renamed } from '../spec-support/toy-events';
import { as, channel, openToyFeed, realm, user } from '../spec-support/toy-feed';
import { addPartitions } from './partitions';
import { sweep } from './sweep';

const [ada, bob] = [user(1), user(2)];
const general = channel(1);
const messages = { eventTypes: ['message'] };

describe('queues', () => {
  let toy: ToyFeed;
  let here: ToyProcess;
  beforeEach(async () => {
    toy = await openToyFeed();
    here = toy.first;
    await here.happens(arrived(ada), arrived(bob), opened(general), joined(general, ada));
  });
  afterEach(() => toy.close());

  const rows = async () => {
    const { rows } = await here.kernel.database.pool.query<{ cursor: number; seen: number; last_contact: number }>(
      'SELECT cursor, seen, last_contact FROM client_queues ORDER BY user_id',
    );
    return rows;
  };
  const cleanUp = (days = 30) => sweep(here.kernel.database, [realm], toy.clock.now(), days);
  const started = () => toy.clock.now();

  it('store in one statement which queues polled, and how far they were served', async () => {
    const began = started();
    const [mine, theirs] = [await here.register(as(ada), messages), await here.register(as(bob), messages)];
    expect(await rows()).toEqual(Array(2).fill({ cursor: lastLoggedId(4), seen: 4, last_contact: began }));
    toy.clock.advance(5_000);
    await here.happens(posted(general, 'for ada'));
    await here.take(as(ada), mine);
    await here.take(as(bob), theirs);
    expect(await rows()).toEqual(Array(2).fill({ cursor: lastLoggedId(4), seen: 4, last_contact: began }));
    await here.feed.dispatcher.writeActivity();
    expect(await rows()).toEqual([
      { cursor: eventId(5, 0), seen: 5, last_contact: began + 5_000 },
      { cursor: lastLoggedId(4), seen: 5, last_contact: began + 5_000 },
    ]);
  });

  it('are deleted after thirty days without a poll, not before', async () => {
    const [kept, lost] = [await here.register(as(ada)), await here.register(as(bob))];
    toy.clock.advance(DAY_MS);
    await here.take(as(ada), kept);
    await here.feed.dispatcher.writeActivity();
    toy.clock.advance(29 * DAY_MS);
    expect(await cleanUp()).toMatchObject({ queues: 0 });
    toy.clock.advance(1);
    expect(await cleanUp()).toMatchObject({ queues: 1 });
    await expect(here.take(as(bob), lost)).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    expect(await here.take(as(ada), kept)).toEqual([]);
  });

  it('that were deleted while a poll waits are noticed when activity is stored', async () => {
    const queue = await here.register(as(ada));
    const poll = here.poll(as(ada), queue.queue_id, -1);
    await here.hanging(1);
    await here.kernel.database.pool.query('DELETE FROM client_queues');
    await here.feed.dispatcher.writeActivity();
    await expect(poll).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });

  describe.each([
    { where: 'a partition', weeks: 1 },
    { where: 'the rest', weeks: 0 },
  ])('whose events are deleted from $where', ({ weeks }) => {
    beforeEach(async () => {
      if (weeks > 0) await addPartitions(here.kernel.database, toy.clock.now());
    });
    /** A partition is dropped when its whole week is old. */
    const OLD_MS = (31 + 7 * weeks) * DAY_MS;
    const stored = async () => {
      const { rows } = await here.kernel.database.pool.query('SELECT FROM client_events');
      return rows.length;
    };
    const expectGone = async (events: number) => {
      const before = await stored();
      expect(await cleanUp()).toMatchObject({ queues: 0, events: weeks === 0 ? events : 0 });
      expect(before - (await stored())).toBe(events);
    };

    const names = { eventTypes: ['stream'] };
    const idsOf = (events: readonly { readonly id: number }[]) => events.map(({ id }) => id);

    /** A new name on day 0, a message and another name on day 40, and a sweep on day 60 that leaves those. */
    async function aged(queue: OpenedQueue) {
      await here.happens(renamed(general, 'old'));
      await here.translation.catchUp();
      toy.clock.advance(40 * DAY_MS);
      await here.happens(posted(general, 'new'));
      await here.happens(renamed(general, 'new'));
      await here.translation.catchUp();
      toy.clock.advance(20 * DAY_MS);
      const { rowCount } = await here.kernel.database.pool.query('UPDATE client_queues SET last_contact = $1', [
        toy.clock.now(),
      ]);
      expect(rowCount).toBe(1);
      // Two of the first day are stored: the creation of the channel, and its new name.
      await expectGone(2);
      return queue;
    }

    it('are refused, so that no client continues with a gap', async () => {
      const queue = await aged(await here.register(as(ada), names));
      const fresh = await toy.another();
      await expect(fresh.take(as(ada), queue)).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
      const later = { ...queue, last_event_id: eventId(5, 0) };
      await expect(fresh.take(as(ada), later)).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
      const beyond = { ...queue, last_event_id: lastLoggedId(5) };
      expect(idsOf(await fresh.take(as(ada), beyond))).toEqual([eventId(7, 0)]);
    });

    it('are refused when a sweep runs while they catch up', async () => {
      const queue = await here.register(as(bob), names);
      await here.happens(...Array.from({ length: 1_100 }, (_, n) => posted(general, `${n}`)));
      await here.happens(renamed(general, 'old'));
      await here.translation.catchUp();
      toy.clock.advance(OLD_MS);
      await here.kernel.database.pool.query('UPDATE client_queues SET last_contact = $1', [toy.clock.now()]);
      const fresh = await toy.another();
      const { events } = fresh.kernel;
      const read = jest.spyOn(events, 'pageOfBytes');
      read.mockImplementationOnce(async (...asked) => {
        const page = await events.pageOfBytes(...asked);
        await expectGone(2);
        return page;
      });
      await expect(fresh.take(as(bob), queue)).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
      expect(read.mock.calls.length).toBeGreaterThan(2);
    });

    it('continue if what is deleted follows from the log', async () => {
      const queue = await here.register(as(ada), messages);
      await here.happens(posted(general, 'old'));
      await here.translation.catchUp();
      toy.clock.advance(OLD_MS);
      await here.kernel.database.pool.query('UPDATE client_queues SET last_contact = $1', [toy.clock.now()]);
      await expectGone(1);
      const fresh = await toy.another();
      expect(contentsOf(await fresh.take(as(ada), queue))).toEqual(['old']);
    });

    const contentsOf = (events: readonly unknown[]) =>
      events.map((event) => (event as { message: { content: string } }).message.content);

    it('continue if none of the deleted events was for them', async () => {
      const queue = await here.register(as(bob), messages);
      await here.happens(posted(general, 'not for bob'));
      await here.take(as(bob), queue);
      await here.feed.dispatcher.writeActivity();
      toy.clock.advance(31 * DAY_MS);
      await here.kernel.database.pool.query('UPDATE client_queues SET last_contact = $1', [toy.clock.now()]);
      expect(await cleanUp()).toMatchObject({ queues: 0 });
      const fresh = await toy.another();
      await here.happens(joined(general, bob), posted(general, 'for bob'));
      expect(contentsOf(await fresh.take(as(bob), queue))).toEqual(['for bob']);
    });
  });

  it('are swept page by page, oldest first', async () => {
    const { pool } = here.kernel.database;
    await pool.query(
      `INSERT INTO client_events SELECT 1, n, 0, 'message', '{"kind":"everyone"}', '{}', n FROM generate_series(100, 12099) n`,
    );
    const swept = await sweep(here.kernel.database, [realm], (12_050 + DAY_MS) as Instant, 1);
    expect(swept.events).toBe(11_950);
    const { rows: left } = await pool.query('SELECT min(position) AS first FROM client_events');
    const { rows: horizon } = await pool.query('SELECT position FROM client_event_horizons');
    expect([left, horizon]).toEqual([[{ first: 12_050 }], [{ position: 12_049 }]]);
  });
});
