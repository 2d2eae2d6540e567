import { Role } from '@annals/kernel/domain';
import type { WireEvent } from '../domain/flag-events';
import { arrived, joined, opened } from './toy-events';
import type { OpenedQueue, ToyFeed } from './toy-feed';
import { channel, openToyFeed, user } from './toy-feed';

export const [ada, bob, guest] = [user(1), user(2), user(3)];
export const [general, secret] = [channel(1), channel(2)];

/** The registration of a queue that receives only messages. */
export const messages = { eventTypes: ['message'] };

/**
 * A feed whose first realm has three people and two channels: Ada and Bob are in the public one, Ada alone in the
 * private one, the guest in none. Its log ends at 7; that of the second realm is empty.
 */
export async function openToyScenario(): Promise<ToyFeed> {
  const toy = await openToyFeed({ realms: 2 });
  const people = [arrived(ada), arrived(bob), arrived(guest, Role.guest)];
  await toy.first.happens(...people, opened(general), opened(secret, true));
  await toy.first.happens(joined(general, ada, bob), joined(secret, ada));
  return toy;
}

export const types = (events: readonly WireEvent[]) => events.map(({ type }) => type);

export const contents = (events: readonly WireEvent[]) =>
  events.map(({ message }) => (message as { content: string } | undefined)?.content);

/** The queue as its client polls it after these events. */
export const after = (queue: OpenedQueue, events: readonly WireEvent[]): OpenedQueue => ({
  ...queue,
  last_event_id: events.at(-1)?.id ?? queue.last_event_id,
});
