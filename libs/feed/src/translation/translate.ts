import type { ClientEvent, Recorded } from '@annals/kernel/domain';
import type { Feed, PlacedClientEvent } from '@annals/kernel';

/** A feed, with the facts that it gathered for these events. */
export interface PreparedFeed {
  readonly feed: Feed;
  readonly facts: unknown;
}

/**
 * Turns domain events into client events. Each translation sees all events of its append; what several contexts say of
 * one event is numbered in the order of the feeds, except what has to come last.
 *
 * @param events whole appends, in order
 */
export function translate(feeds: readonly PreparedFeed[], events: readonly Recorded[]): PlacedClientEvent[] {
  return appendsOf(events).flatMap((append) =>
    append.flatMap((event) => place(event, translateOne(feeds, event, append))),
  );
}

function translateOne(
  feeds: readonly PreparedFeed[],
  event: Recorded,
  append: readonly Recorded[],
): readonly ClientEvent[] {
  const said = feeds.flatMap(({ feed, facts }) => feed.translations.get(event.type)?.(event, facts, append) ?? []);
  return said.some(({ last }) => last)
    ? [...said.filter(({ last }) => !last), ...said.filter(({ last }) => last)]
    : said;
}

const place = ({ position }: Recorded, said: readonly ClientEvent[]): PlacedClientEvent[] =>
  said.map((clientEvent, k) => ({ ...clientEvent, position, k }));

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
