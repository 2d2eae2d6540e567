import type { Params, Registered, WireEvent } from '../server/caller';
import type { Person } from '../server/organization';

/** A client with a queue. */
export interface ClientWithQueue {
  readonly person: Person;
  readonly queue: Registered;
}

/** Opens a queue, for which everything waits from now on. */
export async function openQueue(person: Person, request: Params = {}): Promise<ClientWithQueue> {
  return { person, queue: await person.register({ fetch_event_types: [], ...request }) };
}

/** The events of an act for each of these clients, without ids. */
export async function eventsAfter(clients: readonly ClientWithQueue[], act: () => Promise<unknown>) {
  await act();
  return Promise.all(
    clients.map(async ({ person, queue }) =>
      (await person.events(queue)).map(({ id: _, ...event }: WireEvent) => event),
    ),
  );
}
