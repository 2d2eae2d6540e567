import type { ToyFeed, ToyProcess } from '../../spec-support/toy-feed';
import { departed, keysRevoked, posted, renamed } from '../../spec-support/toy-events';
import { as, realm } from '../../spec-support/toy-feed';
import { ada, bob, contents, general, messages, openToyScenario, secret, types } from '../../spec-support/toy-scenario';
import type { QueueStream } from './queue-stream';

const ENDED = { done: true, value: undefined };
const LONGEST_POLL_MS = 56_000;

describe('streams', () => {
  let toy: ToyFeed;
  let here: ToyProcess;
  let there: ToyProcess;
  beforeEach(async () => {
    toy = await openToyScenario();
    here = toy.first;
    there = await toy.another();
  });
  afterEach(() => toy.close());

  const open = async (process = here, by = as(ada)): Promise<{ id: string; stream: QueueStream }> => {
    const { queue_id: id } = await here.register(by);
    return { id, stream: await process.stream(by, id, -1) };
  };
  /** The next events, which must not be the end. */
  const take = async (stream: QueueStream) => {
    const { value, done } = await stream.next();
    if (done) throw new Error(`the stream has ended: ${stream.end}`);
    return value;
  };

  /** From now on a process gets the signals of another one, which connects in the background. */
  const hears = async (listener: ToyProcess, speaker: ToyProcess): Promise<void> => {
    let isHeard = false;
    const leave = listener.kernel.wakeUps.onSignal('spec.heard', () => (isHeard = true));
    while (!isHeard) {
      speaker.kernel.wakeUps.signal('spec.heard', realm, null);
      await new Promise((resolve) => setImmediate(resolve));
    }
    leave();
  };

  describe('deliver', () => {
    it('events in order, as polls get them, and each once', async () => {
      const { id, stream } = await open();
      await here.happens(posted(general, 'one'));
      const first = await take(stream);
      const next = take(stream);
      await here.hanging(1);
      await here.happens(posted(general, 'two'), renamed(secret, 'with it'));
      await here.translation.catchUp();
      const events = [...first, ...(await next)];
      expect(types(events)).toEqual(['message', 'message', 'stream']);
      await stream.return();
      expect(await here.poll(as(ada), id, -1, { dontBlock: true })).toEqual(events);
    });

    it('what follows an id, also one in the middle of a batch', async () => {
      const { id, stream } = await open();
      await here.happens(posted(general, 'one'), posted(secret, 'two'), posted(general, 'three'));
      const events = await take(stream);
      expect(contents(events)).toEqual(['one', 'two', 'three']);
      for (const process of [here, there]) {
        toy.clock.advance(1_000);
        const resumed = await process.stream(as(ada), id, events[0]?.id ?? 0);
        expect(contents(await take(resumed))).toEqual(['two', 'three']);
      }
    });

    it('nothing while nobody takes', async () => {
      const { stream } = await open();
      await here.happens(posted(general, 'one'));
      const served = jest.spyOn(here.kernel.events, 'heads');
      for (let n = 0; n < 3; n++) await here.tick();
      expect(here.feed.dispatcher.waiting).toBe(0);
      expect(served).not.toHaveBeenCalled();
      expect(contents(await take(stream))).toEqual(['one']);
    });

    it('no heartbeats as events, and the queue stays in use', async () => {
      const { id, stream } = await open();
      const next = stream.next();
      await here.hanging(1);
      toy.clock.advance(LONGEST_POLL_MS);
      await here.tick();
      await here.hanging(1);
      await here.feed.dispatcher.writeActivity();
      const contact = 'SELECT last_contact FROM client_queues WHERE id = $1';
      const { rows } = await here.kernel.database.pool.query(contact, [id]);
      expect(rows).toEqual([{ last_contact: toy.clock.now() }]);
      await here.happens(posted(general, 'after minutes'));
      expect(contents((await next).value ?? [])).toEqual(['after minutes']);
    });

    it('signals to those who wait', async () => {
      const { stream } = await open();
      const next = stream.next();
      await here.hanging(1);
      await here.nudge('bob', { kind: 'users', users: [ada] });
      expect(types((await next).value ?? [])).toEqual(['nudge']);
    });
  });

  describe('refuse', () => {
    it('queues that do not exist, queues of others, and ids that the log has not reached', async () => {
      const { id } = await open();
      const bad = (queueId: string) => ({ code: 'BAD_EVENT_QUEUE_ID', extra: { queue_id: queueId } });
      await expect(here.stream(as(bob), id, -1)).rejects.toMatchObject(bad(id));
      await expect(here.stream(as(ada), 'nonsense', -1)).rejects.toMatchObject(bad('nonsense'));
      await expect(here.stream(as(ada), id, 8 * 65_536)).rejects.toMatchObject(bad(id));
      await here.feed.dispatcher.close();
      await expect(here.stream(as(ada), id, -1)).rejects.toThrow('shutting down');
    });
  });

  describe('end', () => {
    it.each([
      ['here', 'here'],
      ['here', 'elsewhere'],
    ])('when another stream of the queue begins: the first %s, the second %s', async (_, where) => {
      const { id, stream } = await open();
      const next = stream.next();
      await here.hanging(1);
      toy.clock.advance(1_000);
      const second = await (where === 'here' ? here : there).stream(as(ada), id, -1);
      expect(await next).toEqual(ENDED);
      expect([stream.end, second.end]).toEqual(['replaced', null]);
      await here.happens(posted(general, 'for the second'));
      expect(contents(await take(second))).toEqual(['for the second']);
    });

    it('when a poll of the queue begins, and a stream ends a poll', async () => {
      const { id, stream } = await open();
      const poll = here.poll(as(ada), id, -1);
      await here.hanging(1);
      expect(stream.end).toBe('replaced');
      await here.stream(as(ada), id, -1);
      expect(await poll).toEqual([]);
    });

    it('also when nobody takes, so that a client that stopped reading is disconnected', async () => {
      const { id, stream } = await open();
      await here.happens(posted(general, 'not taken'));
      await here.feed.dispatcher.delete(as(ada), id);
      expect([stream.end, await stream.next()]).toEqual(['queue_gone', ENDED]);
      expect(here.feed.dispatcher.streaming).toBe(0);
    });

    it('when the queue is deleted in another process', async () => {
      const { id, stream } = await open();
      const next = stream.next();
      await here.hanging(1);
      await hears(here, there);
      await there.feed.dispatcher.delete(as(ada), id);
      expect([await next, stream.end]).toEqual([ENDED, 'queue_gone']);
    });

    it('when the queue no longer exists, at the latest when activity is stored', async () => {
      const { stream } = await open();
      const next = stream.next();
      await here.hanging(1);
      await here.kernel.database.pool.query('DELETE FROM client_queues');
      await here.feed.dispatcher.writeActivity();
      expect([await next, stream.end]).toEqual([ENDED, 'queue_gone']);
    });

    it('when the account is deactivated', async () => {
      const { stream } = await open(here, as(bob));
      const next = stream.next();
      await here.hanging(1);
      await here.happens(departed(bob));
      await here.translation.catchUp();
      expect([await next, stream.end]).toEqual([ENDED, 'queue_gone']);
    });

    it('when a key of the account is revoked, after what happened before', async () => {
      const { stream } = await open(here, as(bob));
      const next = stream.next();
      await here.hanging(1);
      await here.happens(posted(general, 'before'), keysRevoked(bob));
      await here.happens(posted(general, 'after'));
      await here.translation.catchUp();
      expect(contents((await next).value ?? [])).toEqual(['before']);
      expect([await stream.next(), stream.end]).toEqual([ENDED, 'login_changed']);
    });

    it('when an event cannot be written for the queue', async () => {
      const { queue_id: id } = await here.register(as(ada), messages);
      const stream = await here.stream(as(ada), id, -1);
      await here.happens(posted(secret, 'poison'));
      expect([await stream.next(), stream.end]).toEqual([ENDED, 'queue_gone']);
    });

    it('when the process stops', async () => {
      const { stream } = await open();
      const next = stream.next();
      await here.hanging(1);
      await here.feed.dispatcher.close();
      expect([await next, stream.end]).toEqual([ENDED, 'unavailable']);
    });

    it('when the client disconnects, and the queue remains', async () => {
      const { queue_id: id } = await here.register(as(ada));
      const client = new AbortController();
      const stream = await here.stream(as(ada), id, -1, { disconnected: client.signal });
      const next = stream.next();
      await here.hanging(1);
      client.abort();
      expect(await next).toEqual(ENDED);
      expect([here.feed.dispatcher.waiting, here.feed.dispatcher.streaming]).toEqual([0, 0]);
      await here.happens(posted(general, 'later'));
      expect(contents(await here.poll(as(ada), id, -1))).toEqual(['later']);
    });
  });
});
