import type { Static, TSchema } from './schema';
import type { Instant, Position, RealmId, UserId } from './ids';

/**
 * A thing that an event is about, for audit, erasure and the history of the thing: `['message', 412]`. `['person', 7]` says
 * more than `['user', 7]`: the sealed part of the event is about that person and is erased with the person. `['quoted', 412]`
 * says the same of a message.
 */
export type Subject = readonly [kind: string, id: number];

/** The subjects of an event about the organization itself. */
export const aboutRealm = (): readonly Subject[] => [['realm', 0]];

/**
 * Events whose sealed parts are erased together: those of a stream, `['stream', 'message-412']`, or those about a
 * subject.
 */
export type Erasable = Subject | readonly ['stream', string];

/** A part of the erasures that an event ordered: the position of that event, and what is not to be erased. */
export interface Withdrawn {
  readonly order: number;
  readonly erasable: Erasable;
}

/** A declared event type. Its name is the contract and is written out, never derived from a class. */
export interface EventDefinition<Type extends string = string, Data = unknown, Sealed = unknown> {
  readonly type: Type;
  /** Version of the shape. A changed shape raises it and adds an upcaster. */
  readonly v: number;
  /** The newest version that is understood: `v`, or a later one that only the next release writes. */
  readonly reads: number;
  readonly data: TSchema;
  readonly defaults: Defaults<Data> | null;
  /** Schema of the sealed part: what people wrote or are. Null for an event without one. */
  readonly sealed: TSchema | null;
  subjects(data: Data, position: Position): readonly Subject[];
  /**
   * The sealed parts that are erased because of this event, after a grace period: those of all events of a stream, or about
   * a subject. The event itself removes their texts from every read model.
   */
  erases(data: Data): readonly Erasable[];
  /** The erasures that this event withdraws. Texts that are erased already stay so. */
  withdraws(data: Data): readonly Withdrawn[];
  /** Whether events of this type may withdraw any. */
  readonly mayWithdraw: boolean;
  /** `upcasters[n]` turns version n into n + 1. */
  readonly upcasters: Readonly<Record<number, Upcaster>>;
  /** Fields of `data` that may refer to an event of the same append by distance (`+1`). Readers get its id. */
  readonly references: readonly string[];
  /** For types only. */
  readonly _types?: { data: Data; sealed: Sealed };
}

/** Facts that are not stored while they have these values. All readers see them. */
export interface Defaults<Data> {
  /** The version from which on they are left out. One more than `v` in a release that only reads such events. */
  readonly since: number;
  readonly values: Readonly<Partial<Data>>;
}

/** A pure function from one version of an event to the next. `sealed` is `'erased'` or null where the event's is. */
export type Upcaster = (old: { data: unknown; sealed: unknown }) => { data: unknown; sealed: unknown };

interface Declaration<D extends TSchema, S extends TSchema | null> {
  v?: number;
  data: D;
  defaults?: Defaults<Static<D>>;
  sealed?: S;
  subjects?: (data: Static<D>, position: Position) => readonly Subject[];
  erases?: (data: Static<D>) => readonly Erasable[];
  withdraws?: (data: Static<D>) => readonly Withdrawn[];
  upcasters?: Readonly<Record<number, Upcaster>>;
  references?: readonly (keyof Static<D> & string)[];
}

/** Declares an event type. `data` holds facts, `sealed` what may have to be erased one day. */
export function defineEvent<const Type extends string, D extends TSchema, S extends TSchema | null = null>(
  type: Type,
  declaration: Declaration<D, S>,
): EventDefinition<Type, Static<D>, S extends TSchema ? Static<S> : null> {
  const { v = 1, defaults = null } = declaration;
  return {
    type,
    v,
    reads: Math.max(v, defaults?.since ?? 0),
    data: declaration.data,
    defaults,
    sealed: declaration.sealed ?? null,
    subjects: (declaration.subjects as EventDefinition<Type, Static<D>>['subjects'] | undefined) ?? (() => []),
    erases: (declaration.erases as EventDefinition<Type, Static<D>>['erases'] | undefined) ?? (() => []),
    withdraws: (declaration.withdraws as EventDefinition<Type, Static<D>>['withdraws'] | undefined) ?? (() => []),
    mayWithdraw: declaration.withdraws !== undefined,
    upcasters: declaration.upcasters ?? {},
    references: declaration.references ?? [],
  };
}

/**
 * Adds the facts that were left out because they have their defaults. The object itself is changed, because a copy costs
 * more than parsing it.
 *
 * @param parsed the data of a stored event, which nobody else has yet
 */
export function withDefaults<Data>(defaults: Defaults<Data> | null, parsed: unknown): Data {
  const data = parsed as Data & object;
  for (const name in defaults?.values) {
    if (!(name in data)) data[name] = defaults.values[name] as (Data & object)[typeof name];
  }
  return data;
}

/** An event that a decision returned. It is not stored yet. */
export interface Fact<Type extends string = string, Data = unknown, Sealed = unknown> {
  readonly type: Type;
  readonly data: Data;
  readonly sealed: Sealed;
}

/** The fact type of a definition: `type MessageSent = FactOf<typeof MessageSent>`. */
export type FactOf<D> =
  D extends EventDefinition<infer Type, infer Data, infer Sealed> ? Fact<Type, Data, Sealed> : never;

/** The fields that the kernel adds to a stored event. */
export interface Metadata {
  readonly realmId: RealmId;
  readonly position: Position;
  readonly stream: string;
  /** Version in the stream: 1, 2, 3 … */
  readonly version: number;
  /** Never decreases within a realm. */
  readonly at: Instant;
  /** Null for commands of the system itself. */
  readonly actorId: UserId | null;
  readonly commandId: string;
  readonly correlation: string;
  readonly causation: string | null;
  readonly client: string;
}

/** A stored event, in its newest shape. Every reader handles an erased sealed part. */
export type Recorded<F extends Fact = Fact> =
  F extends Fact<infer Type, infer Data, infer Sealed>
    ? Metadata & {
        readonly type: Type;
        readonly data: Data;
        readonly sealed: Sealed extends null ? null : Sealed | 'erased';
      }
    : never;

/** Makes a fact of this type, checked by the compiler. */
export function fact<Type extends string, Data, Sealed>(
  definition: EventDefinition<Type, Data, Sealed>,
  data: Data,
  ...[sealed]: Sealed extends null ? [] : [sealed: Sealed]
): Fact<Type, Data, Sealed> {
  return { type: definition.type, data, sealed: (sealed ?? null) as Sealed };
}

/**
 * Refers to the event so many places further in the same append, before its position is known. For fields only that the
 * event type declares as `references`.
 */
export const following = <T extends number>(distance: number): T => `+${distance}` as unknown as T;
