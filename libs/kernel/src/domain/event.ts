import type { Static, TSchema } from './schema';
import type { Instant, Position, RealmId, UserId } from './ids';

/**
 * What an event is about, for audit, erasure and the life of a thing: `['message', 412]`. `['person', 7]` says more than
 * `['user', 7]`: that the event's words are those of that person and go with them; so does `['quoted', 412]` of a message.
 */
export type Subject = readonly [kind: string, id: number];

/** Events whose words are forgotten together: those of a stream, `['stream', 'message-412']`, or about a subject. */
export type Forgettable = Subject | readonly ['stream', string];

/** A declared kind of event. Its name is the contract and is written out, never derived from a class. */
export interface EventDefinition<Type extends string = string, Data = unknown, Sealed = unknown> {
  readonly type: Type;
  /** Version of the shape; a changed shape raises it and adds an upcaster. */
  readonly v: number;
  readonly data: TSchema;
  /** Schema of what people wrote or are; null when the event holds nothing of that kind. */
  readonly sealed: TSchema | null;
  subjects(data: Data, position: Position): readonly Subject[];
  /**
   * What is to be forgotten because of this event, after a time of grace: the sealed parts of all events of a stream, or
   * about a subject. The event itself takes their words out of every read model.
   */
  erases(data: Data): readonly Forgettable[];
  /** `upcasters[n]` turns version n into n + 1. */
  readonly upcasters: Readonly<Record<number, Upcaster>>;
  /** Fields of `data` that may name an event of the same append by distance (`+1`); readers get the id. */
  readonly references: readonly string[];
  /** Present for types only. */
  readonly _types?: { data: Data; sealed: Sealed };
}

/** A pure function from one version of an event to the next; `sealed` is `'erased'` or null where it is so. */
export type Upcaster = (old: { data: unknown; sealed: unknown }) => { data: unknown; sealed: unknown };

interface Declaration<D extends TSchema, S extends TSchema | null> {
  v?: number;
  data: D;
  sealed?: S;
  subjects?: (data: Static<D>, position: Position) => readonly Subject[];
  erases?: (data: Static<D>) => readonly Forgettable[];
  upcasters?: Readonly<Record<number, Upcaster>>;
  references?: readonly (keyof Static<D> & string)[];
}

/** Declares an event type. `data` holds facts, `sealed` what may have to be forgotten one day. */
export function defineEvent<const Type extends string, D extends TSchema, S extends TSchema | null = null>(
  type: Type,
  declaration: Declaration<D, S>,
): EventDefinition<Type, Static<D>, S extends TSchema ? Static<S> : null> {
  return {
    type,
    v: declaration.v ?? 1,
    data: declaration.data,
    sealed: declaration.sealed ?? null,
    subjects: (declaration.subjects as EventDefinition<Type, Static<D>>['subjects'] | undefined) ?? (() => []),
    erases: (declaration.erases as EventDefinition<Type, Static<D>>['erases'] | undefined) ?? (() => []),
    upcasters: declaration.upcasters ?? {},
    references: declaration.references ?? [],
  };
}

/** What happened, as a decision states it: not yet stored. */
export interface Fact<Type extends string = string, Data = unknown, Sealed = unknown> {
  readonly type: Type;
  readonly data: Data;
  readonly sealed: Sealed;
}

/** The fact type of a definition: `type MessageSent = FactOf<typeof MessageSent>`. */
export type FactOf<D> =
  D extends EventDefinition<infer Type, infer Data, infer Sealed> ? Fact<Type, Data, Sealed> : never;

/** What the kernel adds to a stored event. */
export interface Metadata {
  readonly realmId: RealmId;
  readonly position: Position;
  readonly stream: string;
  /** Version in the stream: 1, 2, 3 … */
  readonly version: number;
  /** Never decreases within a realm. */
  readonly at: Instant;
  /** Null for acts of the system itself. */
  readonly actorId: UserId | null;
  readonly commandId: string;
  readonly correlation: string;
  readonly causation: string | null;
  readonly client: string;
}

/** A stored event, in its newest shape. Every reader says what it does when the sealed part is erased. */
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
 * Names the event so many places further on in the same append, before anybody knows its position; only for fields the
 * event type declares as `references`.
 */
export const following = <T extends number>(distance: number): T => `+${distance}` as unknown as T;
