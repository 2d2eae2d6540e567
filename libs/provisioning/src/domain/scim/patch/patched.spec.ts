import { Rejected } from '@annals/kernel/domain';
import fc from 'fast-check';
import type { JsonValue, JsonObject } from '../json';
import { attribute, resourceType } from '../resource/attribute';
import { USER } from '../resource/user-type';
import { operationsOf } from './operations';
import { patched } from './patched';

const ADA: JsonObject = {
  userName: 'ada@example.com',
  name: { formatted: 'Ada Lovelace', givenName: 'Ada', familyName: 'Lovelace' },
  displayName: 'Ada Lovelace',
  active: true,
  role: 'member',
  roles: [{ value: 'member', primary: true }],
};

const patch = (...operations: JsonValue[]) => patched(ADA, operationsOf({ Operations: operations }), USER);
const changedBy = (...operations: JsonValue[]) => {
  const after = patch(...operations);
  const names = [...new Set([...Object.keys(ADA), ...Object.keys(after)])];
  return Object.fromEntries(names.filter((name) => after[name] !== ADA[name]).map((name) => [name, after[name]]));
};
const refusalOf = (change: () => unknown): string => {
  try {
    change();
    return 'none';
  } catch (error) {
    if (error instanceof Rejected) return error.code;
    throw error;
  }
};

describe('a change of a user', () => {
  it.each<[string, JsonValue, object]>([
    ['replaces a value', { op: 'replace', path: 'userName', value: 'a@b.c' }, { userName: 'a@b.c' }],
    ['has no letter case', { OP: 'Replace', Path: 'USERNAME', Value: 'a@b.c' }, { userName: 'a@b.c' }],
    ['may name the schema', { op: 'add', path: `${USER.schema}:userName`, value: 'x' }, { userName: 'x' }],
    ['adds a value', { op: 'add', path: 'locale', value: 'de' }, { locale: 'de' }],
    ['reads truth values in words', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['reads a list with one value', { op: 'replace', path: 'active', value: [{ value: false }] }, { active: false }],
    [
      'replaces a part',
      { op: 'replace', path: 'name.familyName', value: 'King' },
      { name: { formatted: 'Ada Lovelace', givenName: 'Ada', familyName: 'King' } },
    ],
    [
      'removes a part',
      { op: 'remove', path: 'name.familyName' },
      { name: { formatted: 'Ada Lovelace', givenName: 'Ada' } },
    ],
    [
      'keeps the parts that it does not name',
      { op: 'replace', path: 'name', value: { givenName: 'A.' } },
      { name: { formatted: 'Ada Lovelace', givenName: 'A.', familyName: 'Lovelace' } },
    ],
    [
      'may have no path',
      { op: 'replace', value: { active: false, 'name.givenName': 'A.', locale: 'en', title: 'Countess' } },
      { active: false, locale: 'en', name: { formatted: 'Ada Lovelace', givenName: 'A.', familyName: 'Lovelace' } },
    ],
    ['without a path ignores what it has no value for', { op: 'add', value: { displayName: null, active: '' } }, {}],
    ['ignores what only the server changes, in an object', { op: 'replace', value: { id: '5', meta: {} } }, {}],
    ['ignores attributes of others', { op: 'add', path: 'phoneNumbers[type eq "work"].value', value: '1' }, {}],
    [
      'ignores schemas of others',
      { op: 'add', value: { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'x' } } },
      {},
    ],
    ['ignores emails', { op: 'replace', path: 'emails[type eq "work"].value', value: 'x@y.z' }, {}],
    ['replaces a role', { op: 'replace', path: 'roles', value: [{ value: 'guest' }] }, { roles: [{ value: 'guest' }] }],
    [
      'replaces a part of an element',
      { op: 'replace', path: 'roles[primary eq "True"].value', value: 'guest' },
      { roles: [{ value: 'guest', primary: true }] },
    ],
    [
      'adds an element that meets a condition',
      { op: 'add', path: 'roles[value eq "guest"].primary', value: true },
      {
        roles: [
          { value: 'member', primary: false },
          { value: 'guest', primary: true },
        ],
      },
    ],
    [
      'adds an element',
      { op: 'add', path: 'roles', value: { value: 'owner' } },
      { roles: [{ value: 'member', primary: true }, { value: 'owner' }] },
    ],
  ])('%s', (_, operation, changed) => {
    expect(changedBy(operation)).toEqual(changed);
  });

  it('is one operation after another', () => {
    const operations = ['x', 'y', null].map((value) => ({ op: 'replace', path: 'locale', value }));
    expect(changedBy(...operations.slice(0, 2))).toEqual({ locale: 'y' });
    expect(changedBy(...operations)).toEqual({});
  });

  it.each<[string, JsonValue, string]>([
    ['an unknown operation', { op: 'move', path: 'active', value: true }, 'INVALID_SYNTAX'],
    ['no operation', {}, 'INVALID_SYNTAX'],
    ['a text', 'replace', 'INVALID_SYNTAX'],
    ['two paths', { op: 'add', path: 'active', Path: 'active', value: true }, 'INVALID_SYNTAX'],
    ['a removal without a path', { op: 'remove' }, 'NO_TARGET'],
    ['no path and no object', { op: 'add', value: 'x' }, 'INVALID_VALUE'],
    ['a path that is none', { op: 'add', path: 'a b', value: 'x' }, 'INVALID_PATH'],
    ['a path that is no text', { op: 'add', path: 5, value: 'x' }, 'INVALID_PATH'],
    ['brackets after a single value', { op: 'add', path: 'name[givenName pr]', value: {} }, 'INVALID_PATH'],
    ['a condition that no value meets', { op: 'replace', path: 'roles[value eq "x"].value', value: 'y' }, 'NO_TARGET'],
    ['a condition that is none', { op: 'replace', path: 'roles[primary gt true]', value: {} }, 'INVALID_FILTER'],
    ['a text for a truth value', { op: 'replace', path: 'active', value: 'maybe' }, 'INVALID_VALUE'],
    ['a number for a text', { op: 'replace', path: 'userName', value: 5 }, 'INVALID_VALUE'],
    ['a text for an object', { op: 'replace', path: 'name', value: 'Ada' }, 'INVALID_VALUE'],
    ['a long text', { op: 'replace', path: 'locale', value: 'x'.repeat(1_001) }, 'INVALID_VALUE'],
    ['many values', { op: 'replace', path: 'roles', value: Array(101).fill({ value: 'x' }) }, 'TOO_MANY'],
    ['a removal of what always has a value', { op: 'remove', path: 'displayName' }, 'MUTABILITY'],
    ['an id', { op: 'replace', path: 'id', value: '7' }, 'MUTABILITY'],
    ['a part of meta', { op: 'replace', path: 'meta.version', value: '7' }, 'MUTABILITY'],
  ])('with %s is refused', (_, operation, code) => {
    expect(refusalOf(() => patch(operation))).toBe(code);
  });

  it('without operations, or with too many, is refused', () => {
    expect(refusalOf(() => operationsOf({}))).toBe('INVALID_SYNTAX');
    expect(refusalOf(() => operationsOf({ operations: [] }))).toBe('INVALID_SYNTAX');
    const many = Array<JsonValue>(1_001).fill({ op: 'add', path: 'locale', value: 'x' });
    expect(refusalOf(() => operationsOf({ Operations: many }))).toBe('TOO_MANY');
  });

  it('leaves at most a hundred values, however many operations add them', () => {
    const adding = (from: number) => ({
      op: 'add',
      path: 'roles',
      value: Array.from({ length: 60 }, (_, n) => ({ value: `r${from + n}` })),
    });
    expect(patch(adding(0)).roles).toHaveLength(61);
    expect(refusalOf(() => patch(adding(0), adding(60)))).toBe('TOO_MANY');
  });

  it('leaves one primary value, the last of those that the operation adds', () => {
    const value = ['a', 'b', 'a', 'c'].map((word, n) => ({ value: word, primary: n < 3 }));
    expect(patch({ op: 'add', path: 'roles', value }).roles).toEqual([
      { value: 'member', primary: false },
      { value: 'a', primary: true },
      { value: 'b', primary: false },
      { value: 'c', primary: false },
    ]);
  });
});

const TOY = resourceType({
  name: 'User',
  endpoint: '/Users',
  schema: 'urn:toy',
  about: 'A toy',
  attributes: [
    attribute('text', 'A text.'),
    attribute('whole', 'With parts.', { type: 'complex', parts: [attribute('a', 'A.'), attribute('b', 'B.')] }),
    attribute('list', 'A list.', {
      type: 'complex',
      multiValued: true,
      parts: [attribute('value', 'V.'), attribute('a', 'A.')],
    }),
  ],
});

interface Model {
  text: string | undefined;
  whole: Map<string, string>;
  /** `a` by `value`. */
  list: Map<string, string | undefined>;
}

describe('any sequence of changes', () => {
  it('gives what a plain model gives', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...steps()), { maxLength: 12 }), (chosen) => {
        const model: Model = { text: undefined, whole: new Map(), list: new Map() };
        for (const { change } of chosen) change(model);
        const operations = chosen.map(({ operation }) => operation);
        const result = operations.length === 0 ? {} : patched({}, operationsOf({ Operations: operations }), TOY);
        expect(result).toEqual(resourceOf(model));
      }),
      { numRuns: 200 },
    );
  });
});

interface Step {
  readonly operation: JsonValue;
  readonly change: (model: Model) => void;
}

function steps(): Step[] {
  const words = ['x', 'y'];
  return words.flatMap((word): Step[] => [
    ...['add', 'Replace'].map((op): Step => ({
      operation: { op, path: 'text', value: word },
      change: (model) => (model.text = word),
    })),
    { operation: { op: 'remove', path: 'text' }, change: (model) => (model.text = undefined) },
    { operation: { op: 'replace', path: 'whole.a', value: word }, change: ({ whole }) => whole.set('a', word) },
    { operation: { op: 'add', value: { whole: { b: word } } }, change: ({ whole }) => whole.set('b', word) },
    { operation: { op: 'remove', path: 'whole.b' }, change: ({ whole }) => whole.delete('b') },
    { operation: { op: 'remove', path: 'whole' }, change: ({ whole }) => whole.clear() },
    ...listSteps(word),
  ]);
}

const listSteps = (word: string): Step[] => [
  {
    operation: { op: 'add', path: 'list', value: [{ value: word }] },
    change: ({ list }) => list.set(word, list.get(word)),
  },
  {
    operation: { op: 'add', path: 'list', value: [{ value: word, a: '1' }] },
    change: ({ list }) => list.set(word, '1'),
  },
  {
    operation: { op: 'replace', path: 'list', value: [{ value: word }] },
    change: ({ list }) => {
      list.clear();
      list.set(word, undefined);
    },
  },
  {
    operation: { op: 'add', path: `list[value eq "${word}"].a`, value: '2' },
    change: ({ list }) => list.set(word, '2'),
  },
  { operation: { op: 'remove', path: `list[value eq "${word}"]` }, change: ({ list }) => list.delete(word) },
  { operation: { op: 'remove', path: 'list', value: [{ value: word }] }, change: ({ list }) => list.delete(word) },
  {
    operation: { op: 'remove', path: `list[value eq "${word}"].a` },
    change: ({ list }) => list.has(word) && list.set(word, undefined),
  },
  { operation: { op: 'remove', path: 'list' }, change: ({ list }) => list.clear() },
];

const resourceOf = ({ text, whole, list }: Model): JsonObject => ({
  ...(text !== undefined && { text }),
  ...(whole.size > 0 && { whole: Object.fromEntries(whole) }),
  ...(list.size > 0 && {
    list: [...list].map(([value, a]) => (a === undefined ? { value } : { value, a })),
  }),
});
