import fc from 'fast-check';
import type { Audience } from '@annals/kernel/domain';
import type { WireEvent } from '../domain/flag-events';
import type { ToyFeed, ToyProcess } from '../spec-support/toy-feed';
import { eventId, positionOf } from '../domain/event-id';
import { keysRevoked, posted, renamed } from '../spec-support/toy-events';
import { as, realm } from '../spec-support/toy-feed';
import { ada, after, bob, general, secret, types } from '../spec-support/toy-scenario';
import { adaAndBob, everyone, nothingCame, nudgedBy, openForEachCase, waitingPoll } from '../spec-support/toy-signals';

/** A client that polls one queue of Ada, and what it received. */
class Listener {
  readonly types: string[] = [];
  readonly posts: number[] = [];
  readonly nudges: unknown[] = [];

  private constructor(
    private readonly queue: string,
    private last: number,
  ) {}

  static async registered(here: ToyProcess): Promise<Listener> {
    const { queue_id: queue, last_event_id: last } = await here.register(as(ada), { eventTypes: ['nudge', 'message'] });
    return new Listener(queue, last);
  }

  /** @param isLost whether the answer does not arrive */
  async poll(process: ToyProcess, isLost = false): Promise<void> {
    const events = await process.poll(as(ada), this.queue, this.last, { dontBlock: true });
    const top = (await process.kernel.events.heads([realm])).get(realm) ?? 0;
    let previous = this.last;
    for (const event of events) {
      expect(event.id).toBeGreaterThan(previous);
      expect(positionOf(event.id)).toBeLessThanOrEqual(top);
      previous = event.id;
      if (!isLost) this.receive(event);
    }
    if (!isLost) this.last = previous;
  }

  private receive(event: WireEvent): void {
    this.types.push(event.type);
    if (event.type === 'message') this.posts.push(positionOf(event.id));
    else this.nudges.push(event['by']);
  }
}

describe('signals and the log', () => {
  let toy: ToyFeed;
  let here: ToyProcess;
  openForEachCase((opened) => ([toy, here] = [opened, opened.first]));

  it('wait until the queue has received the log up to their place in it', async () => {
    const { poll } = await waitingPoll(here, ada);
    const position = await here.happens(renamed(general, 'new'));
    await here.nudge('after the name', adaAndBob);
    await nothingCame(here, [poll]);
    await here.translation.catchUp();
    const [name, ...signalled] = await poll;
    expect(name).toMatchObject({ type: 'stream', id: eventId(position, 0) });
    expect(signalled).toEqual([{ type: 'nudge', by: 'after the name', id: eventId(position, 32_768) }]);
  });

  it.each(['now and then', 'far behind'])(
    'are delivered in order with events of the log, for a queue that polls %s',
    async (how) => {
      const { queue, poll } = await waitingPoll(here, ada, { eventTypes: ['nudge', 'message'] });
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
      expect(nudgedBy(got)).toHaveLength(3);
    },
  );

  it('are delivered in order when they arrive while a poll is served from the log', async () => {
    const { queue, poll } = await waitingPoll(here, ada);
    await here.happens(renamed(general, 'x'));
    const { keepUp } = here.kernel;
    const reach = keepUp.reach.bind(keepUp);
    const served = async (positions: Parameters<typeof reach>[0]) => {
      await here.nudge('while it is served', adaAndBob);
      return reach(positions);
    };
    // First in the translation, then in the delivery.
    jest.spyOn(keepUp, 'reach').mockImplementationOnce(reach).mockImplementationOnce(served);
    await here.translation.catchUp();
    const answer = await poll;
    expect(types(answer)).toEqual(['stream']);
    const next = await here.poll(as(ada), queue.queue_id, after(queue, answer).last_event_id);
    expect(nudgedBy(next)).toEqual(['while it is served']);
  });

  it('are not delivered to a poll whose key was revoked before, but to the next one', async () => {
    const { queue, poll } = await waitingPoll(here, bob);
    await here.happens(posted(general, 'before'), keysRevoked(bob));
    await here.nudge('after', adaAndBob);
    await here.translation.catchUp();
    const before = await poll;
    expect(types(before)).toEqual(['message']);
    const next = after(queue, before);
    expect(nudgedBy(await here.poll(as(bob), next.queue_id, next.last_event_id))).toEqual(['after']);
  });

  it('and events of the log and heartbeats have increasing ids, and no event of the log is missed', async () => {
    const acts = fc.array(fc.constantFrom('signal', 'post', 'wait', 'lose', 'elsewhere'), { maxLength: 12 });
    const there = await toy.another();
    await fc.assert(
      fc.asyncProperty(acts, async (happened) => {
        const listener = await Listener.registered(here);
        const [said, written, inOrder]: [string[], number[], string[]] = [[], [], []];
        for (const [n, act] of happened.entries()) {
          if (act === 'signal') {
            inOrder.push('nudge');
            said.push(String(n));
            await here.nudge(String(n), adaAndBob);
          } else if (act === 'post') {
            inOrder.push('message');
            written.push(await here.happens(posted(general, 'x')));
            await here.translation.catchUp();
          } else await listener.poll(act === 'elsewhere' ? there : here, act === 'lose');
        }
        await listener.poll(here);
        await listener.poll(here);
        expect(listener.posts).toEqual(written);
        // A change of process may lose signals. None is delivered twice or out of order.
        expect(listener.nudges).toEqual(said.filter((name) => listener.nudges.includes(name)));
        if (happened.includes('elsewhere')) return;
        expect(listener.nudges).toEqual(said);
        expect(listener.types).toEqual(inOrder);
      }),
      { numRuns: 25 },
    );
  });
});
