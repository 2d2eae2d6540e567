import type { Recorded } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { ContextDefinition, Feed, FeedReader } from '@annals/kernel';
import { isTermination } from '../domain/terminations';
import type { StoredClientEvent } from './client-event';

/** The translation of one type of domain event by one feed. */
interface Listener {
  readonly type: string;
  readonly feed: Feed;
  readonly translate: NonNullable<ReturnType<Feed['translations']['get']>>;
  readonly concerns: (event: Recorded) => boolean;
}

type FactsOf = ReadonlyMap<Feed, unknown>;

const NO_FACTS: FactsOf = new Map();
const always = () => true;

/**
 * Translates domain events with the feeds of all contexts. A domain event is *stored* when a feed needs facts for it: a
 * worker translates it with the facts of that time and stores the result. All others are *direct*: the result follows from
 * the log alone, so the delivering process translates them (decision 21).
 */
export class Translations {
  private readonly listeners: ReadonlyMap<string, readonly Listener[]>;
  private readonly presented: ReadonlySet<string>;

  constructor(contexts: readonly ContextDefinition[]) {
    const feeds = contexts.flatMap((context) => context.feeds);
    // The results of several feeds for one event are numbered in the order of the feeds.
    const listeners = feeds.flatMap((feed) =>
      [...feed.translations].map(([type, translate]): Listener => {
        return { type, feed, translate, concerns: feed.concerns.get(type) ?? always };
      }),
    );
    this.listeners = grouped(listeners, ({ type }) => type);
    this.presented = new Set(contexts.flatMap((context) => context.presenters.map(({ type }) => type)));
  }

  /** The same in every process and at every time. */
  isStored(event: Recorded): boolean {
    return this.listenersTo(event).some(({ feed, concerns }) => feed.facts !== null && concerns(event));
  }

  /**
   * The client events of those events that are direct.
   *
   * @param events whole appends, in order
   * @throws when one of them cannot be translated
   */
  direct(events: readonly Recorded[]): StoredClientEvent[] {
    return this.translate(events, NO_FACTS, (event) => !this.isStored(event));
  }

  /**
   * The client events of those events that are stored. Facts are read once per feed.
   *
   * @param events whole appends, in order
   * @throws when one of them cannot be translated
   */
  async stored(reader: FeedReader, events: readonly Recorded[]): Promise<StoredClientEvent[]> {
    const stored = new Set(events.filter((event) => this.isStored(event)));
    const concerned = [...stored].flatMap((event) => {
      const listening = this.listenersTo(event).filter(({ concerns }) => concerns(event));
      return listening.map(({ feed }) => ({ feed, event }));
    });
    const facts = new Map<Feed, unknown>();
    const heard = grouped(
      concerned,
      ({ feed }) => feed,
      ({ event }) => event,
    );
    for (const [feed, its] of heard) facts.set(feed, await feed.facts?.(reader, its));
    return this.translate(events, facts, (event) => stored.has(event));
  }

  /** Each translation sees all events of its append. */
  private translate(
    events: readonly Recorded[],
    facts: FactsOf,
    isWanted: (event: Recorded) => boolean,
  ): StoredClientEvent[] {
    const translated: StoredClientEvent[] = [];
    for (const append of appendsOf(events)) {
      for (const event of append) {
        if (!isWanted(event)) continue;
        let k = 0;
        for (const { feed, translate, concerns } of this.listenersTo(event)) {
          const said = concerns(event) ? translate(event, facts.get(feed) ?? null, append) : [];
          for (const one of said) translated.push({ ...one, position: event.position, k: k++, at: event.at });
        }
      }
    }
    const unknown = translated.find(({ type }) => !isTermination(type) && !this.presented.has(type));
    if (unknown) throw new Error(`nobody presents client events of type ${unknown.type}`);
    return translated;
  }

  private listenersTo({ type }: Recorded): readonly Listener[] {
    return this.listeners.get(type) ?? [];
  }
}

/** Events of one append are adjacent and have the same command. */
export function appendsOf(events: readonly Recorded[]): readonly (readonly Recorded[])[] {
  const appends: Recorded[][] = [];
  for (const event of events) {
    const append = appends.at(-1);
    if (append?.[0]?.commandId === event.commandId) append.push(event);
    else appends.push([event]);
  }
  return appends;
}
