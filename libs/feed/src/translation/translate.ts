import type { Recorded } from '@annals/kernel/domain';
import type { Feed } from '@annals/kernel';
import type { StoredClientEvent } from './client-event';

/** A feed, with the facts that it gathered for these events. */
export interface PreparedFeed {
  readonly feed: Feed;
  readonly facts: unknown;
}

/**
 * Turns domain events into client events. Each translation sees all events of its append; what several feeds say of one
 * event is numbered in the order of the feeds.
 *
 * @param events whole appends, in order
 */
export function translate(feeds: readonly PreparedFeed[], events: readonly Recorded[]): StoredClientEvent[] {
  return appendsOf(events).flatMap((append) =>
    append.flatMap((event) => {
      const said = feeds.flatMap(({ feed, facts }) => feed.translations.get(event.type)?.(event, facts, append) ?? []);
      return said.map((clientEvent, k) => ({ ...clientEvent, position: event.position, k, at: event.at }));
    }),
  );
}

/** Events that were written together stand together and share their command. */
function appendsOf(events: readonly Recorded[]): Recorded[][] {
  const appends: Recorded[][] = [];
  for (const event of events) {
    const append = appends.at(-1);
    if (append?.[0]?.commandId === event.commandId) append.push(event);
    else appends.push([event]);
  }
  return appends;
}
