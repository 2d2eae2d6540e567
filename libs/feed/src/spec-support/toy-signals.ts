import { Role } from '@annals/kernel/domain';
import type { Audience } from '@annals/kernel/domain';
import type { WireEvent } from '../domain/flag-events';
import type { OpenedQueue, ToyFeed, ToyProcess } from './toy-feed';
import { as } from './toy-feed';
import { ada, bob, openToyScenario } from './toy-scenario';

export const adaAndBob: Audience = { kind: 'users', users: [ada, bob] };
export const everyone: Audience = { kind: 'everyone' };
export const nudges = { eventTypes: ['nudge'] };

/** The users who sent the nudges among these events. */
export const nudgedBy = (events: readonly WireEvent[]) =>
  events.filter(({ type }) => type === 'nudge').map((event) => event['by']);

/** Opens the toy scenario for every case of a block, translated up to its head. */
export function openForEachCase(use: (toy: ToyFeed) => void): void {
  let toy: ToyFeed;
  beforeEach(async () => {
    toy = await openToyScenario();
    await toy.first.translation.catchUp();
    use(toy);
  });
  afterEach(() => toy.close());
}

/** A waiting poll, and a queue that has polled here before. */
export async function waitingPoll(
  here: ToyProcess,
  who = ada,
  input: Parameters<ToyProcess['register']>[1] = {},
  role: Role = Role.member,
): Promise<{ queue: OpenedQueue; poll: Promise<readonly WireEvent[]> }> {
  const queue = await here.register(as(who, role), input);
  const before = here.feed.dispatcher.waiting;
  const poll = here.poll(as(who, role), queue.queue_id, queue.last_event_id);
  await here.hanging(before + 1);
  return { queue, poll };
}

/** Resolves when it is certain that these polls would have been answered. None of them is. */
export async function nothingCame(here: ToyProcess, polls: readonly Promise<unknown>[]): Promise<void> {
  let answered = 0;
  for (const poll of polls) void poll.then(() => (answered += 1));
  await here.feed.dispatcher.settled();
  await new Promise((resolve) => setImmediate(resolve));
  expect(answered).toBe(0);
}
