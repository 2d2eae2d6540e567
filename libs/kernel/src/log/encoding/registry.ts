import type { TypeCheck } from '@sinclair/typebox/compiler';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { TSchema } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import type { EventDefinition, Metadata, Recorded, Subject } from '../../domain/index';
import { withDefaults } from '../../domain/index';
import type { CanonicalWriter } from './canonical-writer';
import { canonicalWriter } from './canonical-writer';
import type { SubjectField, SubjectPlaces } from './subject-kinds';
import { placesOf, subjectFieldsOf } from './subject-kinds';

/** A row of the log, as text. It is parsed when it is used. */
export interface StoredEvent extends Metadata {
  readonly type: string;
  readonly v: number;
  readonly dataText: string;
  /**
   * Null when the event never had a sealed part, or when it was erased. Only in the second case there is a commitment.
   */
  readonly sealedText: string | null;
  readonly salt: Buffer | null;
  readonly commitment: Buffer | null;
  readonly leafHash: Buffer;
}

/** The content of the sealed column: the sealed part of the event, and the IP address of the request. */
export interface SealedEnvelope {
  readonly words?: unknown;
  readonly address?: string;
}

/**
 * An event that does not fit its declared shape. This is a bug of the code that decided it, never the caller's fault.
 */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}

/** An event of a type, or of a version of a type, that this code does not know. A newer release has stored it. */
export class UnknownEventType extends InvalidEvent {
  constructor(type: string) {
    super(`event type ${type} is not registered`);
  }
}

/**
 * The type under which `decodeAny` returns an event of a version newer than this code. No code registers such a type.
 */
const unknownVersion = (type: string, v: number): string => `${type} v${v}`;

/** Whether `decodeAny` gave the event this type because its version is newer than this code. */
export const isUnknownVersion = (type: string): boolean => / v\d+$/.test(type);

/** How the two texts of an event are written: its data, and the content of the sealed column. */
export interface EventWriters {
  readonly data: CanonicalWriter;
  readonly sealed: CanonicalWriter;
}

/** Every event type that exists, with its schema. The log accepts and returns no others. */
export class EventRegistry {
  private readonly definitions = new Map<string, EventDefinition>();
  private readonly writers = new Map<string, EventWriters>();
  private knownFields: ReadonlyMap<string, readonly SubjectField[]> | null = null;
  private knownPlaces: ReadonlyMap<string, SubjectPlaces> | null = null;

  constructor(definitions: readonly EventDefinition[]) {
    for (const definition of definitions) this.add(definition);
  }

  get types(): readonly string[] {
    return [...this.definitions.keys()];
  }

  /** The types whose events withdraw erasures. */
  get typesThatWithdraw(): string[] {
    return [...this.definitions.values()].flatMap(({ type, mayWithdraw }) => (mayWithdraw ? [type] : []));
  }

  /** The types whose events may refer to others of their append by distance. */
  get typesWithReferences(): string[] {
    return [...this.definitions.values()].flatMap(({ type, references }) => (references.length > 0 ? [type] : []));
  }

  /** Whether this code knows the type. */
  knows(type: string): boolean {
    return this.definitions.has(type);
  }

  /** The kinds of things that events of a type may be about. */
  kindsOf(type: string): readonly string[] {
    return [...new Set((this.fields.get(type) ?? []).map(({ kind }) => kind))];
  }

  /** The types of events that may be about a thing of this kind. */
  typesAbout(kind: string): string[] {
    return this.types.filter((type) => this.fields.get(type)?.some((field) => field.kind === kind));
  }

  /**
   * Texts of which at least one is in the stored data of every event about a thing, unless its id is the position, or
   * the type refers to other events.
   */
  textsAbout([kind, id]: Subject): string[] {
    const { names, isInLists } = this.places.get(kind) ?? { names: [], isInLists: false };
    const inLists = [`[${id},`, `[${id}]`, `,${id},`, `,${id}]`];
    return [...names.flatMap((name) => [`"${name}":${id},`, `"${name}":${id}}`]), ...(isInLists ? inLists : [])];
  }

  /** Where types of events have the ids of their subjects. Found at the first use: few processes need it. */
  private get fields(): ReadonlyMap<string, readonly SubjectField[]> {
    return (this.knownFields ??= new Map([...this.definitions].map(([type, one]) => [type, subjectFieldsOf(one)])));
  }

  /** Where events of any type have the ids of subjects of a kind. Found at the first use, too. */
  private get places(): ReadonlyMap<string, SubjectPlaces> {
    return (this.knownPlaces ??= placesOf([...this.fields.values()].flat()));
  }

  definition(type: string): EventDefinition {
    const definition = this.definitions.get(type);
    if (!definition) throw new UnknownEventType(type);
    return definition;
  }

  /** Created with the registry, before any event is written. */
  writersOf(type: string): EventWriters {
    const writers = this.writers.get(type);
    if (!writers) throw new UnknownEventType(type);
    return writers;
  }

  /** @throws InvalidEvent when the fact is unknown or does not fit its schema */
  check(type: string, data: unknown, words: unknown): EventDefinition {
    const definition = this.definition(type);
    const shape = checkOf(definition.data);
    if (!shape.Check(withoutReferences(definition, data))) {
      throw new InvalidEvent(`${type}: data ${explain(shape, data)}`);
    }
    const sealed = definition.sealed && checkOf(definition.sealed);
    if (sealed ? !sealed.Check(words) : words !== null) {
      throw new InvalidEvent(`${type}: sealed part ${sealed ? explain(sealed, words) : 'is not declared'}`);
    }
    return definition;
  }

  /**
   * A stored row in its newest shape, with references resolved to ids.
   *
   * @throws UnknownEventType for a type or version of a newer release, whose shape is not known here
   */
  decode(stored: StoredEvent): Recorded {
    const definition = this.definition(stored.type);
    if (stored.v > definition.reads) throw new UnknownEventType(unknownVersion(stored.type, stored.v));
    const envelope = stored.sealedText === null ? null : (JSON.parse(stored.sealedText) as SealedEnvelope);
    let data: unknown = JSON.parse(stored.dataText);
    let sealed: unknown = wordsOf(envelope, stored.commitment);
    for (let v = stored.v; v < definition.v; v++) {
      const upcast = definition.upcasters[v];
      if (!upcast) throw new InvalidEvent(`${stored.type}: no upcaster from version ${v}`);
      ({ data, sealed } = upcast({ data, sealed }));
    }
    if (!definition.sealed) sealed = null;
    data = withDefaults(definition.defaults, data);
    return recorded(stored, resolveReferences(definition, data, stored.position), sealed);
  }

  /**
   * The same for readers that ignore types that they do not know: such an event is returned as it is stored.
   * @throws UnknownEventType for a newer version of a known type, which a reader must not ignore
   */
  decodeKnown(stored: StoredEvent): Recorded {
    return this.definitions.has(stored.type) ? this.decode(stored) : undecoded(stored, stored.type);
  }

  /** The same without an error: a newer version of a known type gets a type that no code knows (`isUnknownVersion`). */
  decodeAny(stored: StoredEvent): Recorded {
    const known = this.definitions.get(stored.type);
    return known && stored.v > known.reads
      ? undecoded(stored, unknownVersion(stored.type, stored.v))
      : this.decodeKnown(stored);
  }

  private add(definition: EventDefinition): void {
    if (this.definitions.has(definition.type)) throw new Error(`event type ${definition.type} is registered twice`);
    for (let v = 1; v < definition.v; v++) {
      if (!definition.upcasters[v]) throw new Error(`event type ${definition.type} has no upcaster from version ${v}`);
    }
    this.definitions.set(definition.type, definition);
    this.writers.set(definition.type, writersFor(definition));
  }
}

const writersFor = ({ v, data, sealed, defaults }: EventDefinition): EventWriters => ({
  data: canonicalWriter(data, defaults && v >= defaults.since ? defaults.values : {}),
  sealed: canonicalWriter(
    Type.Object({ address: Type.Optional(Type.String()), words: Type.Optional(sealed ?? Type.Null()) }),
  ),
});

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** Compiled at the first use, once for all: no process writes events of every type. */
function checkOf(schema: TSchema): TypeCheck<TSchema> {
  const known = checks.get(schema);
  if (known) return known;
  const check = TypeCompiler.Compile(schema);
  checks.set(schema, check);
  return check;
}

const undecoded = (stored: StoredEvent, type: string): Recorded =>
  recorded({ ...stored, type }, JSON.parse(stored.dataText) as unknown, null);

/** The event object that readers see: `type`, `data` and `sealed` beside the kernel's own fields. */
export function recorded(from: Metadata & { type: string }, data: unknown, sealed: unknown): Recorded {
  return {
    realmId: from.realmId,
    position: from.position,
    stream: from.stream,
    version: from.version,
    type: from.type,
    actorId: from.actorId,
    at: from.at,
    commandId: from.commandId,
    correlation: from.correlation,
    causation: from.causation,
    client: from.client,
    data,
    sealed,
  };
}

/** A distance such as `+1` refers to another event of the same append. A reader gets that event's position. */
export function resolveReferences(definition: EventDefinition, data: unknown, position: number): unknown {
  if (definition.references.length === 0) return data;
  const fields = { ...(data as Record<string, unknown>) };
  for (const name of definition.references) {
    const value = fields[name];
    if (typeof value === 'string') fields[name] = position + Number(value);
  }
  return fields;
}

/** A position with others before and after it. */
const ANYWHERE = 1_000_000;

/** For the schema a reference counts as the id that it is resolved to. */
function withoutReferences(definition: EventDefinition, data: unknown): unknown {
  return definition.references.length === 0 ? data : resolveReferences(definition, data, ANYWHERE);
}

function wordsOf(envelope: SealedEnvelope | null, commitment: Buffer | null): unknown {
  if (envelope) return envelope.words ?? null;
  return commitment ? 'erased' : null;
}

function explain(check: TypeCheck<TSchema>, value: unknown): string {
  const first = check.Errors(value).First();
  return first ? `${first.path || '/'}: ${first.message}` : 'does not fit';
}
