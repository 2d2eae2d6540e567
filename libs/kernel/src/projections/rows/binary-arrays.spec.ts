import fc from 'fast-check';
import { Client } from 'pg';
import type { TestDatabase } from '../../../../../test/support/server/database';
import { createTestDatabase } from '../../../../../test/support/server/database';
import type { Element, ElementType } from './binary-arrays';
import { binaryArray } from './binary-arrays';

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'NULL', '{}', '"', '\\', '😀é'));
const withoutNul = text.filter((value) => !value.includes('\0'));
const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('\\u0000'));

const values: Record<ElementType, fc.Arbitrary<Element>> = {
  int2: fc.integer({ min: -0x8000, max: 0x7fff }),
  int4: fc.integer(),
  int8: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(-1, 0, 2 ** 32, -(2 ** 32), 2 ** 31)),
  bool: fc.boolean(),
  text: withoutNul,
  json: json.map((value) => JSON.stringify(value)),
  jsonb: json.map((value) => JSON.stringify(value)),
  bytea: fc.uint8Array().map((value) => Buffer.from(value)),
  varbit: fc.uint8Array().map((value) => Buffer.from(value)),
  uuid: fc.uuid(),
  float8: fc.double({ noNaN: true }),
};

describe('a binary array', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** The same array as text literals, which PostgreSQL encodes itself. */
  const literal = (type: ElementType, value: Element): string | null => {
    if (value === null) return null;
    if (Buffer.isBuffer(value)) return type === 'varbit' ? `x${value.toString('hex')}` : `\\x${value.toString('hex')}`;
    return Object.is(value, -0) ? '-0' : String(value);
  };

  it.each(Object.keys(values) as ElementType[])('of %s is equal to its text form, also with nulls', async (type) => {
    const elements = fc.array(fc.option(values[type]), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(elements, async (array) => {
        const { rows } = await client.query<{ binary: string[]; text: string[]; shape: string | null }>(
          `SELECT $1::${type}[]::text[] AS binary, $2::text[]::${type}[]::text[] AS text, array_dims($1::${type}[]) AS shape`,
          [binaryArray(type, array), array.map((value) => literal(type, value))],
        );
        expect(rows[0]?.binary).toEqual(rows[0]?.text);
        expect(rows[0]?.shape).toBe(array.length === 0 ? null : `[1:${array.length}]`);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps json as it was written', async () => {
    const verbatim = '{"b":1,  "a":1.0,"b":2}';
    const { rows } = await client.query<{ text: string }>('SELECT ($1::json[])[1]::text AS text', [
      binaryArray('json', [verbatim]),
    ]);
    expect(rows).toEqual([{ text: verbatim }]);
  });

  it.each<[ElementType, Element]>([
    ['int2', 0x8000],
    ['int4', 2 ** 31],
    ['int4', 1.5],
    ['int8', 2 ** 53],
    ['int8', '1'],
    ['bool', 1],
    ['text', 1],
    ['jsonb', false],
    ['bytea', 'text'],
    ['varbit', '101'],
    ['uuid', 'no uuid'],
    ['float8', '1'],
  ])('of %s refuses %p', (type, value) => {
    expect(() => binaryArray(type, [null, value])).toThrow(/does not fit|out of range/);
  });
});
