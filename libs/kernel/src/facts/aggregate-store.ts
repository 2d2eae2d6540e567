import type { LRUCache } from 'lru-cache';
import { lastUsed } from '../last-used';
import type { Aggregate, Fact, RealmId, Recorded } from '../domain/index';
import type { EventLog } from '../log/event-log';
import type { Tail } from './tail';

/** A state and the version of the stream it was folded up to. */
export interface Versioned<State> {
  readonly state: State;
  readonly version: number;
}

interface Entry extends Versioned<unknown> {
  readonly aggregate: Aggregate<unknown, Fact>;
}

/** Folded aggregates, kept by stream and version and moved on by the events this process hears. */
export class AggregateStore {
  private readonly entries: LRUCache<string, Entry>;
  private readonly loading = new Map<string, object>();

  /** @param max most aggregates kept in this process */
  constructor(
    private readonly events: EventLog,
    tail: Tail,
    max = 50_000,
  ) {
    this.entries = lastUsed(max);
    tail.listen((realmId, heard) => this.hear(realmId, heard));
  }

  async load<State, Event extends Fact>(
    realmId: RealmId,
    aggregate: Aggregate<State, Event>,
    stream: string,
  ): Promise<Versioned<State>> {
    const place = `${realmId} ${stream}`;
    const kept = this.kept(place, aggregate);
    if (kept) return kept;
    const mark = this.mark(place);
    return this.keep(place, aggregate, mark, await this.events.stream(realmId, stream));
  }

  /** Several, with one query for those that are not kept; in the order of the streams. */
  async loadAll<State, Event extends Fact>(
    realmId: RealmId,
    aggregate: Aggregate<State, Event>,
    streams: readonly string[],
  ): Promise<Versioned<State>[]> {
    const asked = streams.map((stream) => {
      const place = `${realmId} ${stream}`;
      const kept = this.kept(place, aggregate);
      return { stream, place, kept, mark: kept ?? this.mark(place) };
    });
    const missing = asked.flatMap(({ stream, kept }) => (kept ? [] : [stream]));
    const histories = await this.events.streams(realmId, missing);
    return asked.map(
      ({ stream, place, kept, mark }) => kept ?? this.keep(place, aggregate, mark, histories.get(stream) ?? []),
    );
  }

  /** Forgets a stream whose cached state was found to be behind. */
  forget(realmId: RealmId, stream: string): void {
    this.entries.delete(`${realmId} ${stream}`);
  }

  private kept<State, Event extends Fact>(
    place: string,
    aggregate: Aggregate<State, Event>,
  ): Versioned<State> | undefined {
    const kept = this.entries.get(place);
    return kept && kept.aggregate === (aggregate as unknown) ? (kept as Versioned<State>) : undefined;
  }

  /** Tells later whether the stream was touched while it was read. */
  private mark(place: string): object {
    const mark = {};
    this.loading.set(place, mark);
    return mark;
  }

  private keep<State, Event extends Fact>(
    place: string,
    aggregate: Aggregate<State, Event>,
    mark: object,
    history: readonly Recorded[],
  ): Versioned<State> {
    const events = history as unknown as readonly Recorded<Event>[];
    const state = events.reduce((folded, event) => aggregate.evolve(folded, event), aggregate.initial);
    const entry = { aggregate: aggregate as unknown as Aggregate<unknown, Fact>, state, version: history.length };
    // Touched while it was read: good enough for this caller, whose append rests on the version, but not for later ones.
    if (this.loading.get(place) === mark) {
      this.loading.delete(place);
      this.entries.set(place, entry);
    }
    return entry;
  }

  private hear(realmId: RealmId, events: readonly Recorded[] | null): void {
    if (!events) {
      const prefix = `${realmId} `;
      for (const place of this.entries.keys()) if (place.startsWith(prefix)) this.entries.delete(place);
      this.loading.clear();
      return;
    }
    for (const event of events) {
      const place = `${realmId} ${event.stream}`;
      this.loading.delete(place);
      const entry = this.entries.get(place);
      if (!entry || event.version <= entry.version) continue;
      if (event.version === entry.version + 1) {
        this.entries.set(place, {
          aggregate: entry.aggregate,
          state: entry.aggregate.evolve(entry.state, event),
          version: event.version,
        });
      } else this.entries.delete(place);
    }
  }
}
