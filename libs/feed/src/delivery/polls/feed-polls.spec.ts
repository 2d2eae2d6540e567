import { Role } from '@annals/kernel/domain';
import type { ToyFeed, ToyProcess } from '../../spec-support/toy-feed';
import { eventId } from '../../domain/event-id';
import { departed, keysRevoked, posted, renamed } from '../../spec-support/toy-events';
import { as } from '../../spec-support/toy-feed';
import {
  ada,
  after,
  bob,
  contents,
  general,
  guest,
  messages,
  openToyScenario,
  secret,
  types,
} from '../../spec-support/toy-scenario';

describe('polls', () => {
  let toy: ToyFeed;
  let here: ToyProcess;
  beforeEach(async () => {
    toy = await openToyScenario();
    here = toy.first;
  });
  afterEach(() => toy.close());

  describe('a queue', () => {
    const bad = (queueId: string) => ({
      code: 'BAD_EVENT_QUEUE_ID',
      message: `Bad event queue ID: ${queueId}`,
      extra: { queue_id: queueId },
    });
    const ask = (queueId: string, by = as(ada), lastEventId = -1) =>
      here.poll(by, queueId, lastEventId, { dontBlock: true });

    it('is found by its id, and by its owner only', async () => {
      const { queue_id: id } = await here.register(as(ada));
      await here.translation.catchUp();
      expect(await ask(id)).toEqual([]);
      await expect(ask(id, as(bob))).rejects.toMatchObject(bad(id));
      for (const unknown of ['nonsense', id.toUpperCase(), '00000000-0000-4000-8000-000000000000', '']) {
        await expect(ask(unknown)).rejects.toMatchObject(bad(unknown));
      }
    });

    it('refuses a cursor beyond the head, which is from a history that a restore took back', async () => {
      const { queue_id: id } = await here.register(as(ada));
      await here.translation.catchUp();
      expect(await ask(id, as(ada), eventId(7, 65_535))).toEqual([]);
      await expect(ask(id, as(ada), eventId(8, 0))).rejects.toMatchObject(bad(id));
      await expect(here.poll(as(ada), id, eventId(8, 0))).rejects.toMatchObject(bad(id));
    });

    it('that must not block still receives earlier events if they are translated soon', async () => {
      const { queue_id: id } = await here.register(as(ada));
      await here.happens(posted(general, 'just now'), renamed(general, 'just now'));
      const soon = ask(id);
      await here.hanging(1);
      await here.translation.catchUp();
      expect(types(await soon)).toEqual(['message', 'stream']);
      await here.happens(renamed(general, 'nobody translates this'));
      const late = ask(id, as(ada), eventId(9, 0));
      await here.hanging(1);
      toy.clock.advance(1_000);
      await here.feed.dispatcher.tick();
      expect(await late).toEqual([]);
    });

    it('needs no translation for what follows from the log', async () => {
      const { queue_id: id } = await here.register(as(ada));
      await here.happens(posted(general, 'just now'));
      expect(contents(await ask(id))).toEqual(['just now']);
    });

    it('receives the events of one append together', async () => {
      const { queue_id: id } = await here.register(as(ada));
      const poll = here.poll(as(ada), id, -1);
      await here.hanging(1);
      await here.happens(posted(general, 'first'));
      expect(contents(await poll)).toEqual(['first']);
      const next = here.poll(as(ada), id, eventId(8, 0));
      await here.hanging(1);
      await here.happens(posted(general, 'second'), renamed(general, 'with it'));
      await here.happens(posted(general, 'after it'));
      await here.feed.dispatcher.tick();
      await here.feed.dispatcher.settled();
      await here.hanging(1);
      await here.translation.catchUp();
      expect(types(await next)).toEqual(['message', 'stream', 'message']);
    });

    it('waits where its cursor is ahead of what is translated', async () => {
      const { queue_id: id } = await here.register(as(ada));
      const position = await here.happens(renamed(general, 'seen elsewhere'));
      const poll = here.poll(as(ada), id, eventId(position, 0));
      await here.hanging(1);
      await here.translation.catchUp();
      await here.happens(posted(general, 'next'));
      await here.translation.catchUp();
      expect(contents(await poll)).toEqual(['next']);
    });

    it('is deleted by its owner, and a waiting poll is answered first', async () => {
      const { queue_id: id } = await here.register(as(ada));
      const poll = here.poll(as(ada), id, -1);
      await here.hanging(1);
      await expect(here.feed.dispatcher.delete(as(bob), id)).rejects.toMatchObject(bad(id));
      await here.feed.dispatcher.delete(as(ada), id);
      expect(await poll).toEqual([]);
      await expect(ask(id)).rejects.toMatchObject(bad(id));
      await expect(here.feed.dispatcher.delete(as(ada), id)).rejects.toMatchObject(bad(id));
    });

    it('is deleted also while a poll is just beginning', async () => {
      const { queue_id: id } = await here.register(as(ada));
      const { events } = here.kernel;
      const heads = events.heads.bind(events);
      jest.spyOn(events, 'heads').mockImplementationOnce(async (realms) => {
        await here.feed.dispatcher.delete(as(ada), id);
        return heads(realms);
      });
      await expect(here.poll(as(ada), id, -1)).rejects.toMatchObject(bad(id));
    });

    it('is refused for a poll that is just beginning when activity is stored and the queue does not exist', async () => {
      const { queue_id: id } = await here.register(as(ada));
      await here.poll(as(ada), id, -1, { dontBlock: true });
      const { events, database } = here.kernel;
      const heads = events.heads.bind(events);
      jest.spyOn(events, 'heads').mockImplementationOnce(async (realms) => {
        await database.pool.query('DELETE FROM client_queues');
        await here.feed.dispatcher.writeActivity();
        return heads(realms);
      });
      await expect(here.poll(as(ada), id, -1, { dontBlock: true })).rejects.toMatchObject(bad(id));
    });

    it('has one poll at a time: the second one ends the first', async () => {
      const { queue_id: id } = await here.register(as(ada));
      const first = here.poll(as(ada), id, -1);
      await here.hanging(1);
      const second = here.poll(as(ada), id, -1);
      expect(await first).toEqual([]);
      await here.happens(posted(general, 'hello'));
      await here.translation.catchUp();
      expect(contents(await second)).toEqual(['hello']);
    });

    it('remains when its client disconnects, and so do its events', async () => {
      const queue = await here.register(as(ada));
      const client = new AbortController();
      void here.poll(as(ada), queue.queue_id, -1, { disconnected: client.signal });
      await here.hanging(1);
      client.abort();
      await here.hanging(0);
      await here.happens(posted(general, 'later'));
      expect(contents(await here.take(as(ada), queue))).toEqual(['later']);
    });

    it('ends when its owner is deactivated, for waiting and for later polls', async () => {
      const [hanging, other] = [await here.register(as(bob)), await here.register(as(bob))];
      const poll = here.poll(as(bob), hanging.queue_id, -1);
      const mine = await here.register(as(ada));
      await here.hanging(1);
      await here.happens(departed(bob));
      await here.translation.catchUp();
      await expect(poll).rejects.toMatchObject(bad(hanging.queue_id));
      await expect(ask(other.queue_id, as(bob))).rejects.toMatchObject(bad(other.queue_id));
      expect(await here.take(as(ada), mine)).toMatchObject([{ type: 'realm_user', op: 'remove', user: bob }]);
      const { rows } = await here.kernel.database.pool.query('SELECT DISTINCT user_id FROM client_queues');
      expect(rows).toEqual([{ user_id: ada }]);
    });

    it('delivers no later event to a poll with a revoked key', async () => {
      const queue = await here.register(as(bob));
      const poll = here.poll(as(bob), queue.queue_id, -1);
      await here.hanging(1);
      await here.happens(posted(general, 'before'), keysRevoked(bob));
      await here.happens(posted(general, 'after'));
      await here.translation.catchUp();
      const before = await poll;
      expect(contents(before)).toEqual(['before']);
      expect(contents(await here.take(as(bob), after(queue, before)))).toEqual(['after']);
    });

    it('ends with the key that it was registered with, and the queues of other keys remain', async () => {
      const [one, other] = [
        { ...as(bob), keyId: 1 },
        { ...as(bob), keyId: 2 },
      ];
      const [ended, spared] = [await here.register(one), await here.register(other)];
      const poll = here.poll(one, ended.queue_id, -1);
      await here.hanging(1);
      await here.happens(keysRevoked(bob, 1));
      await here.happens(posted(general, 'after'));
      await here.translation.catchUp();
      await expect(poll).rejects.toMatchObject(bad(ended.queue_id));
      await expect(ask(ended.queue_id, other)).rejects.toMatchObject(bad(ended.queue_id));
      // A poll must prove again that its key is valid before it receives what happened after a revocation.
      expect(await here.take(other, spared)).toEqual([]);
      expect(contents(await here.take(other, spared))).toEqual(['after']);
    });

    it('ends when an event cannot be written for it, and the others continue', async () => {
      const [poisoned, spared] = [await here.register(as(ada), messages), await here.register(as(bob), messages)];
      await here.happens(posted(secret, 'poison'), posted(general, 'fine'));
      await here.translation.catchUp();
      await expect(ask(poisoned.queue_id)).rejects.toMatchObject(bad(poisoned.queue_id));
      expect(contents(await here.take(as(bob), spared))).toEqual(['fine']);
    });
  });

  describe('a heartbeat', () => {
    it('is sent after 45 to 55 seconds without an event, with an id above the cursor and below the next event', async () => {
      const queue = await here.register(as(ada), { eventTypes: [] });
      const poll = here.poll(as(ada), queue.queue_id, -1);
      await here.hanging(1);
      toy.clock.advance(44_999);
      await here.feed.dispatcher.tick();
      await here.hanging(1);
      toy.clock.advance(10_001);
      await here.feed.dispatcher.tick();
      const events = await poll;
      expect(events).toEqual([{ type: 'heartbeat', id: eventId(7, 32_768) }]);
    });

    it('contains the position up to which the queue was served, so nothing is evaluated twice', async () => {
      const queue = await here.register(as(guest, Role.guest), messages);
      const poll = here.poll(as(guest, Role.guest), queue.queue_id, -1);
      await here.hanging(1);
      const position = await here.happens(posted(general, 'not for guests'));
      await here.translation.catchUp();
      await here.feed.dispatcher.tick();
      await here.feed.dispatcher.settled();
      toy.clock.advance(56_000);
      await here.feed.dispatcher.tick();
      expect(await poll).toEqual([{ type: 'heartbeat', id: eventId(position, 32_768) }]);
    });

    it('is the answer to waiting polls when the process stops, and new polls are refused', async () => {
      const queue = await here.register(as(ada));
      const poll = here.poll(as(ada), queue.queue_id, -1);
      await here.hanging(1);
      await here.feed.dispatcher.close();
      expect(types(await poll)).toEqual(['heartbeat']);
      await expect(here.poll(as(ada), queue.queue_id, -1)).rejects.toThrow('shutting down');
    });
  });
});
