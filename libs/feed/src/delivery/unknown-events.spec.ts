import { defineEvent, fact, t } from '@annals/kernel/domain';
import { defineContext, defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ToyFact } from '../spec-support/toy-events';
import type { ToyFeed, ToyProcess } from '../spec-support/toy-feed';
import { posted } from '../spec-support/toy-events';
import { as } from '../spec-support/toy-feed';
import { ada, bob, general, openToyScenario, types } from '../spec-support/toy-scenario';

const Waved = defineEvent('added.Waved', { data: t.Object({}) });
const waved = fact(Waved, {}) as unknown as ToyFact;
/** An event type of a newer release. */
const added = defineContext({
  name: 'added',
  events: [Waved],
  feeds: [
    defineFeed({
      name: 'added',
      translations: [translate(Waved, () => [{ type: 'wave', audience: { kind: 'everyone' }, payload: {} }])],
    }),
  ],
  presenters: [definePresenter({ type: 'wave', load: async () => null, present: () => [{ type: 'wave' }] })],
});
const input = { eventTypes: ['message', 'wave'] };
const LONGEST_POLL_MS = 56_000;

describe('an event that only a newer release can translate', () => {
  let toy: ToyFeed;
  let older: ToyProcess;
  let newer: ToyProcess;
  beforeEach(async () => {
    toy = await openToyScenario();
    older = toy.first;
    newer = await toy.another(added);
  });
  afterEach(() => toy.close());

  /** The answer to a poll that has waited for as long as it may. */
  async function nextEvents(process: ToyProcess, poll: ReturnType<ToyProcess['poll']>) {
    toy.clock.advance(LONGEST_POLL_MS);
    return process.ticking(poll);
  }

  it('makes polls of older processes wait, and is delivered by newer ones', async () => {
    const queue = await older.register(as(ada), input);
    await older.happens(posted(general, 'before'));
    await newer.happens(waved);
    await older.happens(posted(general, 'after'));
    const first = await older.take(as(ada), queue);
    expect(types(first)).toEqual(['message']);
    const poll = older.poll(as(ada), queue.queue_id, first.at(-1)?.id ?? 0);
    await older.hanging(1);
    const [heartbeat] = await nextEvents(older, poll);
    expect(heartbeat).toMatchObject({ type: 'heartbeat' });
    const there = await newer.take(as(ada), { ...queue, last_event_id: heartbeat?.id ?? 0 });
    expect(types(there)).toEqual(['wave', 'message']);
  });

  it('makes polls with an older cursor wait, and no poll beyond it', async () => {
    const queue = await older.register(as(ada), input);
    await newer.happens(waved);
    const late = await toy.another();
    const beyond = await late.register(as(bob), input);
    const listening = late.poll(as(bob), beyond.queue_id, -1);
    await late.hanging(1);
    const poll = late.poll(as(ada), queue.queue_id, -1);
    await late.hanging(2);
    await late.happens(posted(general, 'after'));
    expect(types(await listening)).toEqual(['message']);
    const [heartbeat] = await nextEvents(late, poll);
    expect(heartbeat).toMatchObject({ type: 'heartbeat' });
    const there = await newer.take(as(ada), { ...queue, last_event_id: heartbeat?.id ?? 0 });
    expect(types(there)).toEqual(['wave', 'message']);
  });
});
