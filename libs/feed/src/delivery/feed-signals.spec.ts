import fc from 'fast-check';
import type { Audience } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { WireEvent } from '../domain/flag-events';
import type { OpenedQueue, ToyFeed, ToyProcess } from '../spec-support/toy-feed';
import { eventId, positionOf } from '../domain/event-id';
import { joined, keysRevoked, left, posted, renamed } from '../spec-support/toy-events';
import { as, realm } from '../spec-support/toy-feed';
import { ada, after, bob, general, guest, openToyScenario, secret, types } from '../spec-support/toy-scenario';

const adaAndBob: Audience = { kind: 'users', users: [ada, bob] };
const everyone: Audience = { kind: 'everyone' };
const nudges = { eventTypes: ['nudge'] };
const by = (events: readonly WireEvent[]) => events.filter(({ type }) => type === 'nudge').map((event) => event['by']);

describe('signals', () => {
  let toy: ToyFeed;
  let here: ToyProcess;
  beforeEach(async () => {
    toy = await openToyScenario();
    here = toy.first;
    await here.translation.catchUp();
  });
  afterEach(() => toy.close());

  const head = async () => (await here.kernel.events.heads([realm])).get(realm);
  /** A poll that hangs, and a queue whose poll has been here before. */
  async function waiting(who = ada, wish: Parameters<ToyProcess['register']>[1] = {}, role: Role = Role.member) {
    const queue = await here.register(as(who, role), wish);
    const before = here.feed.dispatcher.waiting;
    const poll = here.poll(as(who, role), queue.queue_id, queue.last_event_id);
    await here.hanging(before + 1);
    return { queue, poll };
  }
  /** Resolves when what is sent here is heard there: a process that has just begun may not be connected yet. */
  async function reaches(there: ToyProcess): Promise<void> {
    let isHeard = false;
    const end = there.kernel.signals.onSignal(() => (isHeard = true));
    while (!isHeard) {
      await here.nudge('are you there?', { kind: 'users', users: [] });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    end();
  }
  /** Nobody hangs for these; resolves when it is sure that they would have been answered. */
  async function nothingCame(polls: readonly Promise<unknown>[]): Promise<void> {
    let answered = 0;
    for (const poll of polls) void poll.then(() => (answered += 1));
    await here.feed.dispatcher.settled();
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(0);
  }

  it('answer the polls that hang of those they are for, above their cursor, and write nothing', async () => {
    const [one, other, third] = [await waiting(ada), await waiting(bob), await waiting(guest, {}, Role.guest)];
    await here.nudge('bob', adaAndBob);
    for (const { poll } of [one, other]) {
      expect(await poll).toEqual([{ type: 'nudge', by: 'bob', id: eventId(7, 32_768) }]);
    }
    await nothingCame([third.poll]);
    expect(await head()).toBe(7);
  });

  it('are for whoever the facts name at their place in the log', async () => {
    const members: Audience = { kind: 'members', channel: secret };
    await here.happens(joined(secret, bob));
    await here.translation.catchUp();
    const [one, other, third] = [await waiting(ada, nudges), await waiting(bob, nudges), await waiting(guest, nudges)];
    await here.nudge('in the secret channel', members);
    expect(by(await one.poll)).toEqual(['in the secret channel']);
    expect(by(await other.poll)).toEqual(['in the secret channel']);
    await here.happens(left(secret, bob));
    await here.translation.catchUp();
    const next = await waiting(bob, nudges);
    await here.nudge('bob is out', { kind: 'any', of: [members, { kind: 'but', these: everyone, not: everyone }] });
    await nothingCame([third.poll, next.poll]);
  });

  it('are for queues that want their type', async () => {
    const { poll } = await waiting(ada, { eventTypes: ['message'] });
    const other = await waiting(ada, nudges);
    await here.nudge('bob', everyone);
    expect(by(await other.poll)).toEqual(['bob']);
    await nothingCame([poll]);
  });

  it('of one realm are not for another', async () => {
    const { poll } = await waiting(ada);
    await here.nudge('somebody else', everyone, 2 as typeof realm);
    await nothingCame([poll]);
  });

  it('wait for a queue that polls again within a minute, in order, and are given once', async () => {
    const { queue, poll } = await waiting(ada);
    await here.nudge('first', adaAndBob);
    const next = after(queue, await poll);
    for (const name of ['second', 'third', 'fourth']) await here.nudge(name, adaAndBob);
    const again = await here.poll(as(ada), next.queue_id, next.last_event_id);
    expect(by(again)).toEqual(['second', 'third', 'fourth']);
    expect(again.map(({ id }) => id)).toEqual([1, 2, 3].map((k) => eventId(7, 32_768 + k)));
    const last = here.poll(as(ada), next.queue_id, after(next, again).last_event_id);
    await here.hanging(1);
    await nothingCame([last]);
  });

  it('that have waited for a minute are gone', async () => {
    const { queue, poll } = await waiting(ada);
    await here.nudge('first', adaAndBob);
    const next = after(queue, await poll);
    await here.nudge('long ago', adaAndBob);
    toy.clock.advance(30_000);
    await here.nudge('lately', adaAndBob);
    toy.clock.advance(30_000);
    expect(by(await here.poll(as(ada), next.queue_id, next.last_event_id))).toEqual(['lately']);
  });

  it('are kept for a thousand at most', async () => {
    const { queue, poll } = await waiting(ada);
    await here.nudge('first', adaAndBob);
    const next = after(queue, await poll);
    for (let n = 1; n <= 1_100; n++) await here.nudge(String(n), adaAndBob);
    const got = by(await here.poll(as(ada), next.queue_id, next.last_event_id));
    expect([got.length, got[0], got.at(-1)]).toEqual([1_000, '101', '1100']);
  });

  it('are given again where the answer was lost', async () => {
    const { queue, poll } = await waiting(ada);
    await here.nudge('first', adaAndBob);
    const lost = await poll;
    await here.nudge('second', adaAndBob);
    const again = await here.poll(as(ada), queue.queue_id, queue.last_event_id);
    expect(by(again)).toEqual(['first', 'second']);
    expect(again[0]).toEqual(lost[0]);
  });

  it('are delivered to a poll that does not block, too', async () => {
    const { queue, poll } = await waiting(ada);
    await here.nudge('first', adaAndBob);
    const next = after(queue, await poll);
    const ask = (lastEventId: number) => here.poll(as(ada), queue.queue_id, lastEventId, { dontBlock: true });
    await here.nudge('second', adaAndBob);
    const second = await ask(next.last_event_id);
    expect(by(second)).toEqual(['second']);
    await here.nudge('not for her', { kind: 'users', users: [bob] });
    expect(await ask(after(next, second).last_event_id)).toEqual([]);
  });

  it('of a queue that is polled in two processes in turn are given once, or lost', async () => {
    const there = await toy.another();
    await there.kernel.fence.reach(realm);
    const queue = await here.register(as(ada), nudges);
    const told: unknown[] = [];
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
      told.push(...by(events));
      last = events.at(-1)?.id ?? last;
    }
    expect(new Set(told).size).toBe(told.length);
    expect(told).toHaveLength(20);
  });

  it('wait until the queue has been served up to where they came about', async () => {
    const { poll } = await waiting(ada);
    const position = await here.happens(renamed(general, 'new'));
    await here.nudge('after the name', adaAndBob);
    await nothingCame([poll]);
    await here.translation.catchUp();
    const [name, ...signalled] = await poll;
    expect(name).toMatchObject({ type: 'stream', id: eventId(position, 0) });
    expect(signalled).toEqual([{ type: 'nudge', by: 'after the name', id: eventId(position, 32_768) }]);
  });

  it.each(['now and then', 'far behind'])(
    'come in order with events of the log, for a queue that polls %s',
    async (how) => {
      const { queue, poll } = await waiting(ada, { eventTypes: ['nudge', 'message'] });
      await here.nudge('first', adaAndBob);
      const next = after(queue, await poll);
      await here.nudge('before the one', adaAndBob);
      const one = await here.happens(posted(general, 'one'));
      await here.nudge('before the other', everyone);
      await here.nudge('only for Bob', { kind: 'users', users: [bob] });
      const members: Audience = { kind: 'members', channel: secret };
      await here.nudge('for members', { kind: 'but', these: everyone, not: members });
      const other = await here.happens(posted(general, 'other'));
      if (how === 'far behind') await here.happens(...Array.from({ length: 1_100 }, () => posted(secret, 'x')));
      await here.translation.catchUp();
      await here.nudge('at last', adaAndBob);
      const got: WireEvent[] = [];
      for (let last = next.last_event_id; got.at(-1)?.['by'] !== 'at last'; last = got.at(-1)?.id ?? last) {
        got.push(...(await here.poll(as(ada), queue.queue_id, last)));
      }
      expect(got.slice(0, 4).map(({ type, by: who, id }) => [type, who, id])).toEqual([
        ['nudge', 'before the one', eventId(7, 32_769)],
        ['message', undefined, eventId(one, 0)],
        ['nudge', 'before the other', eventId(one, 32_768)],
        ['message', undefined, eventId(other, 0)],
      ]);
      expect(by(got)).toHaveLength(3);
    },
  );

  it('come in order where they arrive while a poll is served from the log', async () => {
    const { queue, poll } = await waiting(ada);
    await here.happens(renamed(general, 'x'));
    const { keepUp } = here.kernel;
    const reach = keepUp.reach.bind(keepUp);
    const served = async (positions: Parameters<typeof reach>[0]) => {
      await here.nudge('while it is served', adaAndBob);
      return reach(positions);
    };
    // First by the translation, then by who serves the poll.
    jest.spyOn(keepUp, 'reach').mockImplementationOnce(reach).mockImplementationOnce(served);
    await here.translation.catchUp();
    const answer = await poll;
    expect(types(answer)).toEqual(['stream']);
    const next = await here.poll(as(ada), queue.queue_id, after(queue, answer).last_event_id);
    expect(by(next)).toEqual(['while it is served']);
  });

  it('are not delivered to a poll whose key was revoked before, but to the next one', async () => {
    const { queue, poll } = await waiting(bob);
    await here.happens(posted(general, 'before'), keysRevoked(bob));
    await here.nudge('after', adaAndBob);
    await here.translation.catchUp();
    const before = await poll;
    expect(types(before)).toEqual(['message']);
    const next = after(queue, before);
    expect(by(await here.poll(as(bob), next.queue_id, next.last_event_id))).toEqual(['after']);
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
      expect(by(first)).toEqual(['after']);
      expect(by(await ask(here, queue))).toEqual(['after']);
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
      expect(by(first)).toEqual(['after']);
      // The answer was lost, and its client comes back to where it registered.
      expect(by(await ask(here, queue))).toEqual(['after']);
      for (const process of [there, here]) expect(await ask(process, after(queue, first))).toEqual([]);
    });

    it('are gone after a minute', async () => {
      const queue = await register();
      await here.nudge('long ago', adaAndBob);
      toy.clock.advance(60_000);
      await here.feed.dispatcher.tick();
      expect(await ask(here, queue)).toEqual([]);
    });
  });

  it('that cannot be written are dropped, and events of the log go on', async () => {
    const { queue, poll } = await waiting(ada);
    await here.nudge('poison', adaAndBob);
    await nothingCame([poll]);
    here.kernel.wakeUps.signal('client-event', realm, { nonsense: true });
    here.kernel.wakeUps.signal('client-event', realm, null);
    await nothingCame([poll]);
    await here.nudge('fine', adaAndBob);
    const fine = await poll;
    expect(by(fine)).toEqual(['fine']);
    await here.happens(posted(general, 'hello'));
    expect(types(await here.take(as(ada), after(queue, fine)))).toEqual(['message']);
  });

  it('and events of the log and heartbeats have ids that increase, and miss nothing of the log', async () => {
    const acts = fc.array(fc.constantFrom('signal', 'post', 'wait', 'lose', 'elsewhere'), { maxLength: 12 });
    const there = await toy.another();
    await fc.assert(
      fc.asyncProperty(acts, async (happened) => {
        const queue = await here.register(as(ada), { eventTypes: ['nudge', 'message'] });
        let last = queue.last_event_id;
        const [said, heard, posts, told]: [string[], unknown[], number[], string[]] = [[], [], [], []];
        const poll = async (process: ToyProcess, isLost = false) => {
          const events = await process.poll(as(ada), queue.queue_id, last, { dontBlock: true });
          const top = (await head()) ?? 0;
          let previous = last;
          for (const event of events) {
            expect(event.id).toBeGreaterThan(previous);
            expect(positionOf(event.id)).toBeLessThanOrEqual(top);
            previous = event.id;
            if (isLost) continue;
            told.push(event.type);
            if (event.type === 'message') posts.push(positionOf(event.id));
            else heard.push(event['by']);
          }
          if (!isLost) last = previous;
        };
        const written: number[] = [];
        const inOrder: string[] = [];
        for (const [n, act] of happened.entries()) {
          if (act === 'signal') {
            inOrder.push('nudge');
            said.push(String(n));
            await here.nudge(String(n), adaAndBob);
          } else if (act === 'post') {
            inOrder.push('message');
            written.push(await here.happens(posted(general, 'x')));
            await here.translation.catchUp();
          } else await poll(act === 'elsewhere' ? there : here, act === 'lose');
        }
        await poll(here);
        await poll(here);
        expect(posts).toEqual(written);
        // What is lost is lost to a change of process; nothing is heard twice or out of order.
        expect(heard).toEqual(said.filter((name) => heard.includes(name)));
        if (happened.includes('elsewhere')) return;
        expect(heard).toEqual(said);
        expect(told).toEqual(inOrder);
      }),
      { numRuns: 25 },
    );
  });
});
