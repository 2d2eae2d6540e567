import type { EventDefinition, Recorded, Role, UserId } from '../domain/index';
import type { NamedThing, SentencePart } from './sentence-parts';

/** A value that an event gives to a property. Values are as JSON has them. */
export interface PropertyValue {
  readonly property: string;
  /** Null if it was erased. */
  readonly after: unknown;
  /** Of a stream about several things: which of them has the property. */
  readonly of?: number | string;
}

/** A property that an event changes. */
export interface PropertyChange extends PropertyValue {
  /**
   * The value before, if the event itself has it. If left out, it is the value that the last earlier event of the same
   * stream gave to the property.
   */
  readonly before?: unknown;
  /** The value before, if no earlier event gave one. Null if left out. */
  readonly initially?: unknown;
  /** The values are text of a person: readers without the right to it see null. */
  readonly isWords?: boolean;
  /** The values are names of this thing. They are shown to readers who may know its name. */
  readonly nameOf?: NamedThing;
}

/** What an event says about a thing that sentences name. Left out is what the event does not change. */
export interface Naming {
  readonly thing: NamedThing;
  /** Null if it was erased. */
  readonly name?: string | null;
  /** Of an account. */
  readonly role?: Role;
  /** Of an account. */
  readonly isBot?: boolean;
  /** Of a channel: others than its members may not know its name. */
  readonly isPrivate?: boolean;
}

/** The description of events of one type in the audit trail (contract/audit.md section 2). */
export interface EventDescription {
  readonly type: string;
  /** One sentence in English: what it means that such an event is in the log. */
  readonly meaning: string;
  /** Names of the commands that store it. */
  readonly commands: readonly string[];
  /** One English sentence about this event, after the name of its actor: "moved the topic … to …". No full stop. */
  readonly sentence: (event: Recorded) => readonly SentencePart[];
  /** The properties that it changes. */
  readonly changes: (event: Recorded) => readonly PropertyChange[];
  /** Values of properties that had none before. They are no changes, but the values before later changes. */
  readonly begins: (event: Recorded) => readonly PropertyValue[];
  /** The names that it gives to things. Null if events of this type give none. */
  readonly names: ((event: Recorded) => readonly Naming[]) | null;
  /** The user who wrote the words of this event. Null if that is not known. */
  readonly author: (event: Recorded) => UserId | null;
  /** Whether events of this type give values to properties. */
  readonly hasValues: boolean;
}

interface Declaration<E> {
  readonly meaning: string;
  readonly commands: readonly string[];
  readonly sentence: (event: E) => readonly SentencePart[];
  readonly changes?: (event: E) => readonly PropertyChange[];
  readonly begins?: (event: E) => readonly PropertyValue[];
  readonly names?: (event: E) => readonly Naming[];
  readonly author?: (event: E) => UserId | null;
}

/** The actor wrote the words, except in an undo, which repeats words of earlier acts. */
const authorIsActor = ({ actorId, causation }: Recorded): UserId | null => (causation === null ? actorId : null);

/** Declares what the audit trail says about an event type. Each type has one description, in its context. */
export function describeEvent<Type extends string, Data, Sealed>(
  definition: EventDefinition<Type, Data, Sealed>,
  declaration: Declaration<Recorded<{ readonly type: Type; readonly data: Data; readonly sealed: Sealed }>>,
): EventDescription {
  const { meaning, commands, sentence, changes, begins, names, author } =
    declaration as unknown as Declaration<Recorded>;
  return {
    type: definition.type,
    meaning,
    commands,
    sentence,
    changes: changes ?? (() => []),
    begins: begins ?? (() => []),
    names: names ?? null,
    author: author ?? authorIsActor,
    hasValues: changes !== undefined || begins !== undefined,
  };
}
