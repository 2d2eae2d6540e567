import type { TSchema } from '@sinclair/typebox';
import { Type as t } from '@sinclair/typebox';
import fc from 'fast-check';
import { canonicalText } from './canonical';
import { canonicalWriter } from './canonical-writer';

const NAMES = ['a', 'b', 'Z', 'é', 'a b', '"', '\\', '10', '9', 'constructor'];
const name = fc.constantFrom(...NAMES);

/** The text, or the error. */
function outcome(write: (value: unknown) => string, value: unknown): string {
  try {
    return write(value);
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

/** A schema, and values most of which fit it. */
interface Described {
  readonly schema: TSchema;
  readonly values: fc.Arbitrary<unknown>;
}

const leaves: fc.Arbitrary<Described> = fc.constantFrom(
  { schema: t.String(), values: fc.string({ unit: 'binary' }) },
  { schema: t.Integer(), values: fc.oneof(fc.maxSafeInteger(), fc.constant(-0), fc.constant('+1')) },
  { schema: t.Number(), values: fc.double() },
  { schema: t.Boolean(), values: fc.boolean() },
  { schema: t.Null(), values: fc.constant(null) },
  { schema: t.Literal('x'), values: fc.constant('x') },
  { schema: t.Literal(7), values: fc.constant(7) },
  { schema: t.Literal(true), values: fc.constant(true) },
  { schema: t.Unknown(), values: fc.jsonValue() },
  { schema: t.Record(t.String(), t.Integer()), values: fc.dictionary(name, fc.integer()) },
);

const { described } = fc.letrec<{ described: Described }>((tie) => ({
  described: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaves,
    tie('described').map(({ schema, values }) => ({
      schema: t.Array(schema),
      values: fc.array(values, { maxLength: 4 }),
    })),
    fc.dictionary(name, fc.tuple(tie('described'), fc.boolean()), { maxKeys: 5 }).map(objectOf),
    fc.array(tie('described'), { minLength: 1, maxLength: 3 }).map((all) => ({
      schema: t.Union(all.map(({ schema }) => schema)),
      values: fc.oneof(...all.map(({ values }) => values)),
    })),
  ),
}));

/** Some fields are optional, and some objects have one more. */
function objectOf(fields: Record<string, [Described, boolean]>): Described {
  const entries = Object.entries(fields);
  const properties = entries.map(([key, [{ schema }, isOptional]]) => [key, isOptional ? t.Optional(schema) : schema]);
  const record = fc.record(Object.fromEntries(entries.map(([key, [{ values }]]) => [key, values])), {
    requiredKeys: entries.filter(([, [, isOptional]]) => !isOptional).map(([key]) => key),
    noNullPrototype: true,
  });
  const more = fc.option(fc.tuple(name, fc.oneof(fc.jsonValue(), fc.constant(undefined))));
  const values = fc.tuple(record, more).map(([value, extra]) => (extra ? { [extra[0]]: extra[1], ...value } : value));
  return { schema: t.Object(Object.fromEntries(properties) as Record<string, TSchema>), values };
}

describe('a writer for a schema', () => {
  it('writes what fits it like the general writer', () => {
    const cases = described.chain(({ schema, values }) => values.map((value) => ({ schema, value })));
    fc.assert(
      fc.property(cases, ({ schema, value }) => {
        expect(outcome(canonicalWriter(schema), value)).toBe(outcome(canonicalText, value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('writes what does not fit it like the general writer', () => {
    fc.assert(
      fc.property(described, fc.jsonValue(), ({ schema }, value) => {
        expect(outcome(canonicalWriter(schema), value)).toBe(outcome(canonicalText, value));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['a field that is not declared', { b: 1, a: 2, c: [{ z: 1, y: 2 }] }, '{"a":2,"b":1,"c":[{"y":2,"z":1}]}'],
    ['an optional field that is left out', { a: 2 }, '{"a":2}'],
    ['a field without a value', { a: 2, b: undefined }, '{"a":2}'],
    ['an instant, which is no plain object', new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])('writes %s', (_, value, text) => {
    expect(canonicalWriter(t.Object({ b: t.Optional(t.Integer()), a: t.Integer() }))(value)).toBe(text);
  });

  it.each([
    ['leaves out fields with their defaults', { a: 2, b: { c: [] }, d: false }, '{"a":2}'],
    ['writes them with other values', { a: 2, b: { c: [1] }, d: true }, '{"a":2,"b":{"c":[1]},"d":true}'],
    ['leaves nothing out of a value that does not fit', { d: false, a: 2, e: 1 }, '{"a":2,"d":false,"e":1}'],
    ['may leave out all', { b: { c: [] }, d: false }, '{}'],
  ])('%s', (_, value, text) => {
    const schema = t.Object({ a: t.Integer(), b: t.Object({ c: t.Array(t.Integer()) }), d: t.Boolean() });
    expect(canonicalWriter(schema, { b: { c: [] }, d: false })(value)).toBe(text);
  });

  it.each([[undefined], ['a\0b'], ['\ud800'], [NaN]])('refuses %j like the general writer', (value) => {
    for (const schema of [t.String(), t.Number(), t.Unknown()]) expect(() => canonicalWriter(schema)(value)).toThrow();
  });
});
