import type {
  Actor,
  Aggregate,
  EventDefinition,
  Fact,
  FactOf,
  Instant,
  Position,
  RealmId,
  Recorded,
} from '../domain/index';
import type {
  Append,
  Appended,
  Guard,
  GuardUse,
  PreparedEvent,
  SecretChange,
  AppendTarget,
} from '../log/append/append';
import type { AggregateStore, Versioned } from '../facts/aggregate-store';
import type { EventRegistry } from '../log/encoding/registry';
import type { By, RunOptions } from './by';
import { ORGANIZATION_STREAM, accountStream, PENDING } from '../domain/index';
import { changeNamed, prepareEvent } from '../log/append/append';
import { Conflict } from '../log/errors';
import { recorded } from '../log/encoding/registry';

/** An event whose stream is named by its position. The id is known when the append has been stored. */
export class Opened {
  private position: Position | null = null;

  /** @throws Error while the unit of work is still running */
  get id(): Position {
    if (this.position === null) throw new Error('the id is known after the append only');
    return this.position;
  }

  /** For the unit of work. */
  assign(position: Position): void {
    this.position = position;
  }
}

/** State that parts of one unit of work share. A unit of work that runs again starts with new state. */
export class WorkState<T> {
  /** @param create makes the state at its first use */
  constructor(readonly create: () => T) {}
}

interface Loaded {
  state: unknown;
  /** Version the state was read at, before this unit of work added to it. */
  readonly version: number;
  written: boolean;
}

/** One running command: what it has read and what it will write, all of it or nothing. */
export class Work {
  private readonly loaded = new Map<string, Loaded>();
  private readonly events: PreparedEvent[] = [];
  private readonly opened = new Map<number, Opened>();
  private readonly guards: GuardUse[] = [];
  private readonly changes = new Set<string>();
  private readonly secrets: SecretChange[] = [];
  /** Versions of streams that an earlier unit of work stores, see `follow`. */
  private readonly following = new Map<string, number>();
  private readonly states = new Map<WorkState<unknown>, unknown>();
  private weight = 0;
  private appended: readonly Position[] = [];

  constructor(
    readonly by: By,
    /** The time of this decision. */
    readonly at: Instant,
    private readonly registry: EventRegistry,
    private readonly aggregates: AggregateStore,
  ) {}

  /**
   * The account that acts.
   *
   * @throws Error when the system itself acts
   */
  get actor(): Actor {
    if (this.by.userId === null) throw new Error('the system acts, not an account');
    return this.by;
  }

  get realmId(): RealmId {
    return this.by.realmId;
  }

  /**
   * A state that the decision depends on. If it has changed when the append is stored, the append is refused and
   * decided again.
   */
  async read<State, Event extends Fact, Key extends string | number>(
    aggregate: Aggregate<State, Event, Key>,
    key: Key,
  ): Promise<State> {
    return (await this.load(aggregate, key)).state as State;
  }

  /** A state on which the append does not depend, for rules that a few simultaneous commands may break together. */
  async peek<State, Event extends Fact, Key extends string | number>(
    aggregate: Aggregate<State, Event, Key>,
    key: Key,
  ): Promise<State> {
    const stream = aggregate.stream(key);
    const known = this.loaded.get(stream) ?? (await this.aggregates.load(this.by.realmId, aggregate, stream));
    return known.state as State;
  }

  /** The same as `read` for several keys in their order, with one query for those that are not cached. */
  async readAll<State, Event extends Fact, Key extends string | number>(
    aggregate: Aggregate<State, Event, Key>,
    keys: readonly Key[],
  ): Promise<State[]> {
    const streams = keys.map((key) => aggregate.stream(key));
    const unread = [...new Set(streams)].filter((stream) => !this.loaded.has(stream));
    const found = await this.aggregates.loadAll(this.by.realmId, aggregate, unread);
    found.forEach((one, index) => this.remember(unread[index] ?? '', one));
    return Promise.all(keys.map((key) => this.read(aggregate, key)));
  }

  /**
   * Makes a decision about one aggregate. Its events become part of the append, after the version that they were
   * decided on.
   */
  async decide<State, Event extends Fact, Key extends string | number>(
    aggregate: Aggregate<State, Event, Key>,
    key: Key,
    decision: (state: State) => readonly Event[],
  ): Promise<readonly Event[]> {
    const loaded = await this.load(aggregate, key);
    const events = decision(loaded.state as State);
    if (events.length === 0) return events;
    const stream = aggregate.stream(key);
    loaded.written = true;
    for (const event of events) {
      this.add({ stream, at: loaded.version }, event);
      const pending = this.pending(stream, event) as unknown as Recorded<Event>;
      loaded.state = aggregate.evolve(loaded.state as State, pending);
    }
    return events;
  }

  /** Declares that a stream is new, so that nothing has to be read of it. The append is refused if it exists. */
  begins<State, Event extends Fact, Key extends string | number>(aggregate: Aggregate<State, Event, Key>, key: Key) {
    this.remember(aggregate.stream(key), { state: aggregate.initial, version: 0 });
  }

  /** Appends to a stream of any version, for rules that do not depend on that stream. */
  append(stream: string, facts: readonly Fact[]): void {
    for (const one of facts) this.add({ stream, at: 'any' }, one);
  }

  /** Begins a new stream that is named by the position of its first event: `message-{position}`. */
  open(prefix: string, fact: FactOf<EventDefinition>): Opened {
    const opened = new Opened();
    this.opened.set(this.events.length, opened);
    this.add({ namedByPosition: prefix }, fact);
    return opened;
  }

  /** The state of one kind that belongs to this unit of work. */
  state<T>(kind: WorkState<T>): T {
    const found = this.states.get(kind) ?? kind.create();
    this.states.set(kind, found);
    return found as T;
  }

  /**
   * Requires that a rule about a set holds when the append is stored. A guard checks it under the lock of the realm.
   */
  guard(guard: Guard, key: string | number): void {
    this.guards.push({ guard, key: String(key) });
  }

  /** Declares that this append may affect a guard with this key, or one whose key `concerns` this. */
  changesGuard(guard: Guard, key: string | number): void {
    this.changes.add(changeNamed(guard, key));
  }

  /** Stores or deletes a secret with the event that names it by id. */
  secret(change: SecretChange): void {
    this.secrets.push(change);
  }

  /** Declares how many rows the events change if it is more than one each, for example for 20,000 new subscribers. */
  touchesRows(rows: number): void {
    this.weight += rows;
  }

  /**
   * Requires that another unit of work is stored first: otherwise the append is refused and decided again. So commands
   * that have an order can be decided at the same time.
   *
   * @param earlier has made its decisions. It must have decided about at least one aggregate
   */
  follow(earlier: Work): void {
    const [stream, loaded] = [...earlier.loaded].findLast(([, { written }]) => written) ?? [];
    if (stream === undefined || !loaded)
      throw new Error('a unit of work that decided about nothing cannot be followed');
    const added = earlier.events.filter(({ target }) => 'stream' in target && target.stream === stream).length;
    this.following.set(stream, loaded.version + added);
  }

  /** For the unit of work: the append, or null when there is nothing to store. */
  finish(commandId: string, options: RunOptions): Append | null {
    if (this.events.length === 0 && this.secrets.length === 0) return null;
    const { by } = this;
    const reads = new Map<string, number>();
    for (const [stream, { version, written }] of this.loaded) if (!written) reads.set(stream, version);
    for (const [stream, version] of this.following) this.dependOn(stream, version, reads);
    if (by.userId !== null) this.dependOnRights(by, reads);
    return {
      realmId: by.realmId,
      actorId: by.userId,
      commandId,
      correlation: by.origin.correlation,
      causation: options.causation ?? null,
      client: by.origin.client,
      at: this.at,
      events: this.events,
      reads,
      guards: this.guards,
      changes: [...this.changes],
      secrets: this.secrets,
      weight: this.events.length + this.weight,
      opensRealm: options.opensRealm ?? false,
    };
  }

  /** The rights of the actor count as they were read, and nothing is stored for an organization deactivated since. */
  private dependOnRights({ userId, version, organization }: Actor, reads: Map<string, number>): void {
    this.dependOn(accountStream(userId), version, reads);
    if (organization !== undefined) this.dependOn(ORGANIZATION_STREAM, organization, reads);
  }

  /** Refuses if this unit of work read another version of the stream. */
  private dependOn(stream: string, version: number, reads: Map<string, number>): void {
    const loaded = this.loaded.get(stream);
    if (loaded && loaded.version !== version) throw new Conflict(`another version of ${stream} was read`, stream);
    if (!loaded) reads.set(stream, version);
  }

  /** Positions of the events. None before they are stored. */
  get positions(): readonly Position[] {
    return this.appended;
  }

  /** For the unit of work: provides the ids. */
  stored(appended: Appended): void {
    this.appended = appended.events.map(({ position }) => position);
    for (const [index, opened] of this.opened) {
      const event = appended.events[index];
      if (event) opened.assign(event.position);
    }
  }

  private async load<State, Event extends Fact, Key extends string | number>(
    aggregate: Aggregate<State, Event, Key>,
    key: Key,
  ): Promise<Loaded> {
    const stream = aggregate.stream(key);
    const load = () => this.aggregates.load(this.by.realmId, aggregate, stream);
    return this.loaded.get(stream) ?? this.remember(stream, await load());
  }

  /** The state that was loaded first remains, because decisions may have used it. */
  private remember(stream: string, { state, version }: Versioned<unknown>): Loaded {
    const loaded = this.loaded.get(stream) ?? { state, version, written: false };
    this.loaded.set(stream, loaded);
    return loaded;
  }

  private add(target: AppendTarget, fact: Fact): void {
    this.events.push(prepareEvent(this.registry, target, fact, this.by.origin.address));
  }

  private pending(stream: string, fact: Fact): Recorded {
    const metadata = {
      realmId: this.by.realmId,
      position: PENDING,
      stream,
      version: 0,
      type: fact.type,
      at: this.at,
      actorId: this.by.userId,
      commandId: '',
      correlation: this.by.origin.correlation,
      causation: null,
      client: this.by.origin.client,
    };
    return recorded(metadata, fact.data, fact.sealed);
  }
}
