import type { TSchema } from '@sinclair/typebox';
import { KindGuard } from '@sinclair/typebox';
import type { EventDefinition, Position } from '../../domain/index';

/** Where the data of events of a type have the id of a thing that they are about. */
export interface SubjectField {
  readonly kind: string;
  /** Name of the property. Null if the id is no part of the data, such as the position. */
  readonly property: string | null;
  /** The property is a list of ids. */
  readonly isList: boolean;
}

/**
 * What events of a type may be about, and where their ids are. It is found by asking the declaration about sample data with
 * every optional field and, one after another, every alternative.
 */
export function subjectFieldsOf(definition: EventDefinition): SubjectField[] {
  return samplesOf(definition.data, { next: 1 }).flatMap((data) =>
    definition.subjects(data, POSITION).flatMap(([kind, id]): SubjectField[] => {
      const found = fieldsWith(data, id);
      return found.length === 0
        ? [{ kind, property: null, isList: false }]
        : found.map((field) => ({ kind, ...field }));
    }),
  );
}

/** Where the data of events of some types have the ids of things of one kind. */
export interface SubjectPlaces {
  /** Properties that are an id. */
  readonly names: string[];
  /** Some are in lists of ids. */
  readonly isInLists: boolean;
}

/** The places of each kind. */
export function placesOf(fields: readonly SubjectField[]): Map<string, SubjectPlaces> {
  const kinds = new Set(fields.map(({ kind }) => kind));
  const of = (kind: string): SubjectPlaces => {
    const its = fields.filter((field) => field.kind === kind);
    const names = its.flatMap(({ property, isList }) => (property === null || isList ? [] : [property]));
    return { names: [...new Set(names)], isInLists: its.some(({ isList }) => isList) };
  };
  return new Map([...kinds].map((kind) => [kind, of(kind)]));
}

/** Each number is in one place of a sample. */
function fieldsWith(data: unknown, id: number, property = '', isList = false): Omit<SubjectField, 'kind'>[] {
  if (data === id) return [{ property, isList }];
  if (Array.isArray(data)) return data.flatMap((item) => fieldsWith(item, id, property, true));
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([name, value]) => fieldsWith(value, id, name));
}

const POSITION = 1_000_000 as Position;

/** Numbers of samples differ from each other, since some events are about two things only if these differ. */
interface Counter {
  next: number;
}

function samplesOf(schema: TSchema, counter: Counter): unknown[] {
  if (KindGuard.IsUnion(schema)) return schema.anyOf.flatMap((one) => samplesOf(one, counter));
  if (KindGuard.IsLiteral(schema)) return [schema.const];
  if (KindGuard.IsArray(schema)) return samplesOf(schema.items, counter).map((item) => [item]);
  if (KindGuard.IsObject(schema)) return objectsOf(schema.properties, counter);
  if (KindGuard.IsString(schema)) return ['text'];
  if (KindGuard.IsBoolean(schema)) return [true, false];
  if (KindGuard.IsNull(schema)) return [null];
  if (KindGuard.IsInteger(schema) || KindGuard.IsNumber(schema)) return [counter.next++];
  return [{}];
}

/** As many as the property with the most samples has. */
function objectsOf(properties: Readonly<Record<string, TSchema>>, counter: Counter): unknown[] {
  const fields = Object.entries(properties).map(([name, schema]) => [name, samplesOf(schema, counter)] as const);
  const length = fields.reduce((most, [, samples]) => Math.max(most, samples.length), 1);
  return Array.from({ length }, (_, n) =>
    Object.fromEntries(fields.map(([name, samples]) => [name, samples[n % samples.length]])),
  );
}
