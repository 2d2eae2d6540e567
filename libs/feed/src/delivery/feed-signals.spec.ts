import type { Audience } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { OpenedQueue, ToyFeed, ToyProcess } from '../spec-support/toy-feed';
import { eventId } from '../domain/event-id';
import { joined, left, posted } from '../spec-support/toy-events';
import { as, realm } from '../spec-support/toy-feed';
import { ada, after, bob, general, guest, secret, types } from '../spec-support/toy-scenario';
import {
  adaAndBob,
  everyone,
  nothingCame,
  nudgedBy,
  nudges,
  openForEachCase,
  waitingPoll,
} from '../spec-support/toy-signals';

describe('signals', () => {
  let toy: ToyFeed;
  let here: ToyProcess;
  openForEachCase((opened) => ([toy, here] = [opened, opened.first]));

  const head = async () => (await here.kernel.events.heads([realm])).get(realm);
  /**
   * Resolves when a signal that is sent here is received there: a process that has just started may not be connected
   * yet.
   */
  async function reaches(there: ToyProcess): Promise<void> {
    let isHeard = false;
    const end = there.kernel.signals.onSignal(() => (isHeard = true));
    while (!isHeard) {
      await here.nudge('are you there?', { kind: 'users', users: [] });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    end();
  }

  it('answer the waiting polls of their audience, above their cursor, and write nothing', async () => {
    const [one, other, third] = [
      await waitingPoll(here, ada),
      await waitingPoll(here, bob),
      await waitingPoll(here, guest, {}, Role.guest),
    ];
    await here.nudge('bob', adaAndBob);
    for (const { poll } of [one, other]) {
      expect(await poll).toEqual([{ type: 'nudge', by: 'bob', id: eventId(7, 32_768) }]);
    }
    await nothingCame(here, [third.poll]);
    expect(await head()).toBe(7);
  });

  it('are for the users whom the facts name at their position of the log', async () => {
    const members: Audience = { kind: 'members', channel: secret };
    await here.happens(joined(secret, bob));
    await here.translation.catchUp();
    const [one, other, third] = [
      await waitingPoll(here, ada, nudges),
      await waitingPoll(here, bob, nudges),
      await waitingPoll(here, guest, nudges),
    ];
    await here.nudge('in the secret channel', members);
    expect(nudgedBy(await one.poll)).toEqual(['in the secret channel']);
    expect(nudgedBy(await other.poll)).toEqual(['in the secret channel']);
    await here.happens(left(secret, bob));
    await here.translation.catchUp();
    const next = await waitingPoll(here, bob, nudges);
    await here.nudge('bob is out', { kind: 'any', of: [members, { kind: 'but', these: everyone, not: everyone }] });
    await nothingCame(here, [third.poll, next.poll]);
  });

  it('are for queues that ask for their type', async () => {
    const { poll } = await waitingPoll(here, ada, { eventTypes: ['message'] });
    const other = await waitingPoll(here, ada, nudges);
    await here.nudge('bob', everyone);
    expect(nudgedBy(await other.poll)).toEqual(['bob']);
    await nothingCame(here, [poll]);
  });

  it('of one realm are not delivered in another', async () => {
    const { poll } = await waitingPoll(here, ada);
    await here.nudge('somebody else', everyone, 2 as typeof realm);
    await nothingCame(here, [poll]);
  });

  it('wait for a queue that polls again within a minute, in order, and are delivered once', async () => {
    const { queue, poll } = await waitingPoll(here, ada);
    await here.nudge('first', adaAndBob);
    const next = after(queue, await poll);
    for (const name of ['second', 'third', 'fourth']) await here.nudge(name, adaAndBob);
    const again = await here.poll(as(ada), next.queue_id, next.last_event_id);
    expect(nudgedBy(again)).toEqual(['second', 'third', 'fourth']);
    expect(again.map(({ id }) => id)).toEqual([1, 2, 3].map((k) => eventId(7, 32_768 + k)));
    const last = here.poll(as(ada), next.queue_id, after(next, again).last_event_id);
    await here.hanging(1);
    await nothingCame(here, [last]);
  });

  it('that have waited for a minute are dropped', async () => {
    const { queue, poll } = await waitingPoll(here, ada);
    await here.nudge('first', adaAndBob);
    const next = after(queue, await poll);
    await here.nudge('long ago', adaAndBob);
    toy.clock.advance(30_000);
    await here.nudge('lately', adaAndBob);
    toy.clock.advance(30_000);
    expect(nudgedBy(await here.poll(as(ada), next.queue_id, next.last_event_id))).toEqual(['lately']);
  });

  it('are stored for a queue up to a thousand', async () => {
    const { queue, poll } = await waitingPoll(here, ada);
    await here.nudge('first', adaAndBob);
    const next = after(queue, await poll);
    for (let n = 1; n <= 1_100; n++) await here.nudge(String(n), adaAndBob);
    const got = nudgedBy(await here.poll(as(ada), next.queue_id, next.last_event_id));
    expect([got.length, got[0], got.at(-1)]).toEqual([1_000, '101', '1100']);
  });

  it('are delivered again after a lost answer', async () => {
    const { queue, poll } = await waitingPoll(here, ada);
    await here.nudge('first', adaAndBob);
    const lost = await poll;
    await here.nudge('second', adaAndBob);
    const again = await here.poll(as(ada), queue.queue_id, queue.last_event_id);
    expect(nudgedBy(again)).toEqual(['first', 'second']);
    expect(again[0]).toEqual(lost[0]);
  });

  it('are delivered to a poll that does not block, too', async () => {
    const { queue, poll } = await waitingPoll(here, ada);
    await here.nudge('first', adaAndBob);
    const next = after(queue, await poll);
    const ask = (lastEventId: number) => here.poll(as(ada), queue.queue_id, lastEventId, { dontBlock: true });
    await here.nudge('second', adaAndBob);
    const second = await ask(next.last_event_id);
    expect(nudgedBy(second)).toEqual(['second']);
    await here.nudge('not for her', { kind: 'users', users: [bob] });
    expect(await ask(after(next, second).last_event_id)).toEqual([]);
  });

  it('of a queue that is polled in two processes in turn are delivered at most once', async () => {
    const there = await toy.another();
    await reaches(there);
    await there.kernel.fence.reach(realm);
    const queue = await here.register(as(ada), nudges);
    const texts: unknown[] = [];
    let last = queue.last_event_id;
    for (let n = 0; n < 20; n++) {
      const process = n % 2 === 0 ? here : there;
      toy.clock.advance(1);
      const poll = process.poll(as(ada), queue.queue_id, last);
      await process.hanging(1);
      toy.clock.advance(1);
      await here.nudge(String(n), adaAndBob);
      const events = await poll;
      expect(events.length).toBeGreaterThan(0);
      for (const { id } of events) expect(id).toBeGreaterThan(last);
      texts.push(...nudgedBy(events));
      last = events.at(-1)?.id ?? last;
    }
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toHaveLength(20);
  });

  describe('for a queue that has not polled yet', () => {
    const register = () => here.register(as(ada), nudges);
    const ask = async (process: ToyProcess, { queue_id: id, last_event_id: last }: OpenedQueue) =>
      process.poll(as(ada), id, last, { dontBlock: true });

    it('are those that were sent since it was registered', async () => {
      await here.nudge('before', adaAndBob);
      const queue = await register();
      await here.nudge('after', adaAndBob);
      const first = await ask(here, { ...queue, last_event_id: -1 });
      expect(nudgedBy(first)).toEqual(['after']);
      expect(nudgedBy(await ask(here, queue))).toEqual(['after']);
      expect(await ask(here, after(queue, first))).toEqual([]);
    });

    it('are those that were sent since then, in another process too', async () => {
      const there = await toy.another();
      await reaches(there);
      await here.nudge('before', adaAndBob);
      toy.clock.advance(1);
      const queue = await register();
      toy.clock.advance(1);
      await here.nudge('after', adaAndBob);
      const first = await there.poll(as(ada), queue.queue_id, -1);
      expect(nudgedBy(first)).toEqual(['after']);
      // The answer was lost, and its client polls again from the registration.
      expect(nudgedBy(await ask(here, queue))).toEqual(['after']);
      for (const process of [there, here]) expect(await ask(process, after(queue, first))).toEqual([]);
    });

    it('are dropped after a minute', async () => {
      const queue = await register();
      await here.nudge('long ago', adaAndBob);
      toy.clock.advance(60_000);
      await here.feed.dispatcher.tick();
      expect(await ask(here, queue)).toEqual([]);
    });
  });

  it('that cannot be written are dropped, and events of the log are still delivered', async () => {
    const { queue, poll } = await waitingPoll(here, ada);
    await here.nudge('poison', adaAndBob);
    await nothingCame(here, [poll]);
    here.kernel.wakeUps.signal('client-event', realm, { nonsense: true });
    here.kernel.wakeUps.signal('client-event', realm, null);
    await nothingCame(here, [poll]);
    await here.nudge('fine', adaAndBob);
    const fine = await poll;
    expect(nudgedBy(fine)).toEqual(['fine']);
    await here.happens(posted(general, 'hello'));
    expect(types(await here.take(as(ada), after(queue, fine)))).toEqual(['message']);
  });
});
