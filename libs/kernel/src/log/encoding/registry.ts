import type { TypeCheck } from '@sinclair/typebox/compiler';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { TSchema } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import type { EventDefinition, Metadata, Recorded } from '../../domain/index';
import type { CanonicalWriter } from './canonical-writer';
import { canonicalWriter } from './canonical-writer';

/** A row of the log, as text: parsed only when somebody needs it. */
export interface StoredEvent extends Metadata {
  readonly type: string;
  readonly v: number;
  readonly dataText: string;
  /** Null when the event never had a sealed part, or when it was erased: only then there is a commitment. */
  readonly sealedText: string | null;
  readonly salt: Buffer | null;
  readonly commitment: Buffer | null;
  readonly leafHash: Buffer;
}

/** What is kept in the sealed column: the words, and the address the request came from. */
export interface SealedEnvelope {
  readonly words?: unknown;
  readonly address?: string;
}

/** An event that does not fit its declared shape; a bug of the code that decided it, never the caller's fault. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}

/** An event of a type, or of a version of a type, that this code does not know: a newer release has stored it. */
export class UnknownEventType extends InvalidEvent {
  constructor(type: string) {
    super(`event type ${type} is not registered`);
  }
}

/** The type under which `decodeAny` returns an event of a version newer than this code: no code registers such a type. */
const unknownVersion = (type: string, v: number): string => `${type} v${v}`;

/** Whether `decodeAny` gave the event this type because its version is newer than this code. */
export const isUnknownVersion = (type: string): boolean => / v\d+$/.test(type);

/** How the two texts of an event are written: its data, and what is kept in the sealed column. */
export interface EventWriters {
  readonly data: CanonicalWriter;
  readonly sealed: CanonicalWriter;
}

/** Every event type that exists, with its schema; nothing else may enter the log or leave it. */
export class EventRegistry {
  private readonly definitions = new Map<string, EventDefinition>();
  private readonly writers = new Map<string, EventWriters>();

  constructor(definitions: readonly EventDefinition[]) {
    for (const definition of definitions) this.add(definition);
  }

  get types(): readonly string[] {
    return [...this.definitions.keys()];
  }

  definition(type: string): EventDefinition {
    const definition = this.definitions.get(type);
    if (!definition) throw new UnknownEventType(type);
    return definition;
  }

  /** Made with the registry, before anything is written. */
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
   * @throws UnknownEventType for a type or version of a newer release: its shape is not known here
   */
  decode(stored: StoredEvent): Recorded {
    const definition = this.definition(stored.type);
    if (stored.v > definition.v) throw new UnknownEventType(unknownVersion(stored.type, stored.v));
    const envelope = stored.sealedText === null ? null : (JSON.parse(stored.sealedText) as SealedEnvelope);
    let data: unknown = JSON.parse(stored.dataText);
    let sealed: unknown = wordsOf(envelope, stored.commitment);
    for (let v = stored.v; v < definition.v; v++) {
      const upcast = definition.upcasters[v];
      if (!upcast) throw new InvalidEvent(`${stored.type}: no upcaster from version ${v}`);
      ({ data, sealed } = upcast({ data, sealed }));
    }
    if (!definition.sealed) sealed = null;
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
    return known && stored.v > known.v
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

const writersFor = ({ data, sealed }: EventDefinition): EventWriters => ({
  data: canonicalWriter(data),
  sealed: canonicalWriter(
    Type.Object({ address: Type.Optional(Type.String()), words: Type.Optional(sealed ?? Type.Null()) }),
  ),
});

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** Compiled when it is first needed, and once for all: no process writes events of every type. */
function checkOf(schema: TSchema): TypeCheck<TSchema> {
  const known = checks.get(schema);
  if (known) return known;
  const check = TypeCompiler.Compile(schema);
  checks.set(schema, check);
  return check;
}

const undecoded = (stored: StoredEvent, type: string): Recorded =>
  recorded({ ...stored, type }, JSON.parse(stored.dataText) as unknown, null);

/** The event object that readers see; `type`, `data` and `sealed` beside the kernel's own fields. */
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

/** A distance such as `+1` names another event of the same append; a reader gets that event's position. */
export function resolveReferences(definition: EventDefinition, data: unknown, position: number): unknown {
  if (definition.references.length === 0) return data;
  const fields = { ...(data as Record<string, unknown>) };
  for (const name of definition.references) {
    const value = fields[name];
    if (typeof value === 'string') fields[name] = position + Number(value);
  }
  return fields;
}

/** A position that has others before and after it. */
const ANYWHERE = 1_000_000;

/** For the schema a reference counts as the id it will become. */
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
