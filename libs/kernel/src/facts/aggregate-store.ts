import type { Aggregate, Fact, RealmId, Recorded } from '../domain/index';
import type { EventLog } from '../log/event-log';
import type { Memory, Section } from './memory';
import type { Tail } from './tail';
import { memoryOf } from './memory';

/** A state and the stream version that it was folded up to. */
export interface Versioned<State> {
  readonly state: State;
  readonly version: number;
}

interface Entry extends Versioned<unknown> {
  readonly aggregate: Aggregate<unknown, Fact>;
  /** The bytes of the state when they were last measured, and the number of events folded into it since then. */
  readonly bytes: number;
  readonly bytesSince: number;
}

/** Folded aggregates by stream and version, advanced by the events that this process receives. */
export class AggregateStore {
  private readonly entries: Section<Entry>;
  private readonly loading = new Map<RealmId, Map<string, object>>();

  constructor(
    private readonly events: EventLog,
    tail: Tail,
    memory: Memory,
  ) {
    this.entries = memory.section();
    tail.listen((realmId, heard) => this.receive(realmId, heard));
  }

  /** Streams whose read is in progress. */
  get loads(): number {
    let loads = 0;
    for (const marks of this.loading.values()) loads += marks.size;
    return loads;
  }

  async load<State, Event extends Fact>(
    realmId: RealmId,
    aggregate: Aggregate<State, Event>,
    stream: string,
  ): Promise<Versioned<State>> {
    const kept = this.kept(realmId, stream, aggregate);
    if (kept) return kept;
    const mark = this.mark(realmId, stream);
    const history = await this.events.stream(realmId, stream).catch((error: unknown) => {
      this.takeBack(realmId, stream, mark);
      throw error;
    });
    return this.keep(realmId, stream, aggregate, mark, history);
  }

  /** Several streams in their order, with one query for those that are not cached. */
  async loadAll<State, Event extends Fact>(
    realmId: RealmId,
    aggregate: Aggregate<State, Event>,
    streams: readonly string[],
  ): Promise<Versioned<State>[]> {
    const asked = streams.map((stream) => {
      const kept = this.kept(realmId, stream, aggregate);
      return kept ? { stream, kept } : { stream, mark: this.mark(realmId, stream) };
    });
    const missing = asked.flatMap(({ stream, kept }) => (kept ? [] : [stream]));
    const histories = await this.events.streams(realmId, missing).catch((error: unknown) => {
      for (const { stream, mark } of asked) if (mark) this.takeBack(realmId, stream, mark);
      throw error;
    });
    return asked.map(({ stream, kept, mark }) =>
      mark ? this.keep(realmId, stream, aggregate, mark, histories.get(stream) ?? []) : kept,
    );
  }

  /** Drops a stream whose cached state was found to be outdated. */
  forget(realmId: RealmId, stream: string): void {
    this.entries.delete(realmId, stream);
  }

  private kept<State, Event extends Fact>(
    realmId: RealmId,
    stream: string,
    aggregate: Aggregate<State, Event>,
  ): Versioned<State> | undefined {
    const kept = this.entries.get(realmId, stream);
    return kept && kept.aggregate === (aggregate as unknown) ? (kept as Versioned<State>) : undefined;
  }

  /** Makes it known later whether the stream was touched while it was read. */
  private mark(realmId: RealmId, stream: string): object {
    const mark = {};
    const marks = this.loading.get(realmId) ?? new Map<string, object>();
    this.loading.set(realmId, marks.set(stream, mark));
    return mark;
  }

  /** Removes the mark. @returns whether the stream was not touched meanwhile */
  private takeBack(realmId: RealmId, stream: string, mark: object): boolean {
    const marks = this.loading.get(realmId);
    if (marks?.get(stream) !== mark) return false;
    marks.delete(stream);
    if (marks.size === 0) this.loading.delete(realmId);
    return true;
  }

  private keep<State, Event extends Fact>(
    realmId: RealmId,
    stream: string,
    aggregate: Aggregate<State, Event>,
    mark: object,
    history: readonly Recorded[],
  ): Versioned<State> {
    const events = history as unknown as readonly Recorded<Event>[];
    const state = events.reduce((folded, event) => aggregate.evolve(folded, event), aggregate.initial);
    const folded = { aggregate: aggregate as unknown as Aggregate<unknown, Fact>, state, version: history.length };
    // The stream was touched while it was read. The state is good enough for this caller, whose append depends on its
    // version, but not for later ones.
    if (this.takeBack(realmId, stream, mark)) this.put(realmId, stream, counted(folded));
    return folded;
  }

  private put(realmId: RealmId, stream: string, entry: Entry): void {
    this.entries.set(realmId, stream, entry, entry.bytes + entry.bytesSince);
  }

  private receive(realmId: RealmId, events: readonly Recorded[] | null): void {
    if (!events) {
      this.entries.forget(realmId);
      this.loading.delete(realmId);
      return;
    }
    for (const event of events) {
      const { stream, version } = event;
      this.loading.get(realmId)?.delete(stream);
      const entry = this.entries.get(realmId, stream);
      if (!entry || version <= entry.version) continue;
      if (version === entry.version + 1) this.put(realmId, stream, movedOn(entry, event));
      else this.entries.delete(realmId, stream);
    }
  }
}

const counted = (folded: Omit<Entry, 'bytes' | 'bytesSince'>): Entry => ({
  ...folded,
  bytes: memoryOf(folded.state),
  bytesSince: 0,
});

/** Measured again when it may have doubled, since traversing a large state for each event would be slow. */
function movedOn(entry: Entry, event: Recorded): Entry {
  const { aggregate, bytes } = entry;
  const moved = { aggregate, state: aggregate.evolve(entry.state, event), version: event.version };
  const bytesSince = entry.bytesSince + memoryOf(event.data) + memoryOf(event.sealed);
  return bytesSince > bytes ? counted(moved) : { ...moved, bytes, bytesSince };
}
