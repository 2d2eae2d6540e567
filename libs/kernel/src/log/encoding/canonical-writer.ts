import type { TSchema } from '@sinclair/typebox';
import { KindGuard } from '@sinclair/typebox';
import canonicalize from 'canonicalize';
import { ensureExact } from './canonical';

/** Writes a JSON value as canonical text, like `canonicalText`. @throws TypeError like `canonicalText` */
export type CanonicalWriter = (value: unknown) => string;

/** Writes a part of a value. The text of the whole value is checked afterwards. */
type Writer = (value: unknown) => string;

/**
 * A writer for values of one schema. The schema says what to expect, which saves the sorting of keys and the check of
 * each value's type. A value that does not fit it is written by the general writer. For every JSON value both write the
 * same text.
 *
 * @param defaults fields of an object that are left out where they have these values and the object fits its schema
 */
export function canonicalWriter(schema: TSchema, defaults: Readonly<Record<string, unknown>> = {}): CanonicalWriter {
  const write = KindGuard.IsObject(schema) ? objectWriter(schema.properties, defaults) : writerOf(schema);
  return (value) => ensureExact(write(value));
}

/** Any value. */
const writeAny: Writer = (value) => canonicalize(value) as string;

function writerOf(schema: TSchema): Writer {
  if (KindGuard.IsString(schema)) return writeString;
  if (KindGuard.IsInteger(schema) || KindGuard.IsNumber(schema)) return writeNumber;
  if (KindGuard.IsBoolean(schema)) return writeBoolean;
  if (KindGuard.IsArray(schema)) return arrayWriter(schema.items);
  if (KindGuard.IsObject(schema)) return objectWriter(schema.properties, {});
  if (KindGuard.IsUnion(schema)) return unionWriter(schema.anyOf);
  if (KindGuard.IsLiteral(schema)) return writerOfKind(typeof schema.const);
  return writeAny;
}

const writeString: Writer = (value) => (typeof value === 'string' ? JSON.stringify(value) : writeAny(value));
const writeNumber: Writer = (value) => (Number.isFinite(value) ? String(value) : writeAny(value));
const writeBoolean: Writer = (value) => (value === true ? 'true' : value === false ? 'false' : writeAny(value));

const writerOfKind = (kind: string): Writer =>
  kind === 'string' ? writeString : kind === 'number' ? writeNumber : writeBoolean;

function arrayWriter(items: TSchema): Writer {
  const write = writerOf(items);
  return (value) => {
    if (!Array.isArray(value)) return writeAny(value);
    let text = '[';
    for (const item of value as readonly unknown[]) {
      if (text.length > 1) text += ',';
      text += isLeftOut(item) ? 'null' : write(item);
    }
    return `${text}]`;
  };
}

/** Values that JSON cannot represent and leaves out of objects. */
const isLeftOut = (value: unknown): boolean => value === undefined || typeof value === 'symbol';

function objectWriter(
  properties: Readonly<Record<string, TSchema>>,
  defaults: Readonly<Record<string, unknown>>,
): Writer {
  const fields = Object.keys(properties)
    .sort()
    .map((name) => ({
      name,
      key: `${JSON.stringify(name)}:`,
      write: writerOf(properties[name] as TSchema),
      unwritten: writeAny(defaults[name]),
    }));
  // Properties that every object inherits.
  if (fields.some(({ name }) => name in Object.prototype)) return writeAny;
  return (value) => {
    if (!isPlain(value)) return writeAny(value);
    let text = '{';
    let known = 0;
    for (const { name, key, write, unwritten } of fields) {
      const field = value[name];
      if (isLeftOut(field)) continue;
      known += 1;
      const written = write(field);
      if (written === unwritten) continue;
      text += text.length > 1 ? `,${key}${written}` : `${key}${written}`;
    }
    // Other keys are sorted between these.
    return countOf(value) === known ? `${text}}` : writeAny(value);
  };
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function countOf(value: object): number {
  let count = 0;
  for (const _ in value) count += 1;
  return count;
}

/** Takes the first alternative that resembles the value. Each of them writes every value correctly. */
function unionWriter(alternatives: readonly TSchema[]): Writer {
  const objects = alternatives.filter((one) => KindGuard.IsObject(one)).map((one) => objectChoice(one));
  const array = alternatives.find((one) => KindGuard.IsArray(one));
  const writeArray = array ? writerOf(array) : writeAny;
  return (value) => {
    if (value === null) return 'null';
    if (typeof value !== 'object') return typeof value === 'string' ? writeString(value) : writeAny(value);
    if (Array.isArray(value)) return writeArray(value);
    const choice = objects.find(({ required }) => required.every((name) => name in value));
    return choice ? choice.write(value) : writeAny(value);
  };
}

const objectChoice = (schema: TSchema) => ({
  required: (schema['required'] as readonly string[] | undefined) ?? [],
  write: writerOf(schema),
});
