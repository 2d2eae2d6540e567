import type { Params, Registered, WireEvent } from './caller';
import type { Person } from './organization';

/** A client that can hear signals: its queue has been polled. */
export interface Listening {
  readonly person: Person;
  readonly queue: Registered;
}

/** Opens a queue and polls it, so that signals wait for it from now on. */
export async function listening(person: Person, wish: Params = {}): Promise<Listening> {
  const queue = await person.register({ fetch_event_types: [], ...wish });
  await person.events(queue);
  return { person, queue };
}

/** What each of these clients is told of an act, without ids. */
export async function told(clients: readonly Listening[], act: () => Promise<unknown>) {
  await act();
  return Promise.all(
    clients.map(async ({ person, queue }) =>
      (await person.events(queue)).map(({ id: _, ...event }: WireEvent) => event),
    ),
  );
}
