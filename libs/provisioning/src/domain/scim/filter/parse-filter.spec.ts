import fc from 'fast-check';
import { Rejected } from '@annals/kernel/domain';
import type { Filter } from './filter';
import { COMPARISONS } from './filter';
import { parseFilter, parsePatchPath } from './parse-filter';

const path = (attribute: string, sub: string | null = null, schema: string | null = null) => ({
  schema,
  attribute,
  sub,
});
const refusalOf = (read: () => unknown): string => {
  try {
    read();
    return 'none';
  } catch (error) {
    if (error instanceof Rejected) return error.code;
    throw error;
  }
};

describe('a filter', () => {
  it.each<[string, Filter]>([
    ['userName eq "ada"', { kind: 'compare', path: path('username'), operator: 'eq', value: 'ada' }],
    [
      'USERNAME EQ "Ada \\"A\\" \\u00e9"',
      { kind: 'compare', path: path('username'), operator: 'eq', value: 'Ada "A" é' },
    ],
    ['active eq true', { kind: 'compare', path: path('active'), operator: 'eq', value: true }],
    ['age gt -1.5e2', { kind: 'compare', path: path('age'), operator: 'gt', value: -150 }],
    ['externalId eq null', { kind: 'compare', path: path('externalid'), operator: 'eq', value: null }],
    ['name.familyName pr', { kind: 'present', path: path('name', 'familyname') }],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName sw "L"',
      {
        kind: 'compare',
        path: path('name', 'familyname', 'urn:ietf:params:scim:schemas:core:2.0:user'),
        operator: 'sw',
        value: 'L',
      },
    ],
    [
      'emails[type eq "work"]',
      {
        kind: 'element',
        path: path('emails'),
        condition: { kind: 'compare', path: path('type'), operator: 'eq', value: 'work' },
      },
    ],
  ])('%s is read', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter);
  });

  const present = (name: string): Filter => ({ kind: 'present', path: path(name) });

  it('binds `not` before `and`, and `and` before `or`', () => {
    const a = present('a');
    const [b, c, d] = [present('b'), present('c'), present('d')];
    expect(parseFilter('a pr or b pr and c pr or d pr')).toEqual({
      kind: 'or',
      terms: [a, { kind: 'and', terms: [b, c] }, d],
    });
    expect(parseFilter('not (a pr) and b pr')).toEqual({ kind: 'and', terms: [{ kind: 'not', term: a }, b] });
    expect(parseFilter('(a pr or b pr) and c pr')).toEqual({ kind: 'and', terms: [{ kind: 'or', terms: [a, b] }, c] });
  });

  it('may go on after brackets, for the same element', () => {
    expect(parseFilter('emails[type eq "work"].value co "@"')).toEqual({
      kind: 'element',
      path: path('emails'),
      condition: {
        kind: 'and',
        terms: [
          { kind: 'compare', path: path('type'), operator: 'eq', value: 'work' },
          { kind: 'compare', path: path('value'), operator: 'co', value: '@' },
        ],
      },
    });
  });

  it.each([
    '',
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq "x',
    'userName eq "\\q"',
    'userName eq "a\\u0000"',
    'userName eq "a\\ud800"',
    'userName eq x',
    'userName eq constructor',
    '(userName pr',
    'userName pr)',
    'userName pr and',
    'userName pr or or userName pr',
    'not userName pr',
    '[userName pr]',
    'emails[type pr',
    'emails[emails[type pr]]',
    'emails[type pr].a.b eq "x"',
    'a.b.c pr',
    '.a pr',
    '1 pr',
    '"userName" pr',
    'user;name pr',
    'userName pr; DROP TABLE events',
    'x:userName pr',
    `${'('.repeat(21)}a pr${')'.repeat(21)}`,
    Array(101).fill('a pr').join(' and '),
    `a eq "${'x'.repeat(4_000)}"`,
  ])('%p is refused', (text) => {
    expect(refusalOf(() => parseFilter(text))).toBe('INVALID_FILTER');
  });

  it('is the one that was written, whatever it is', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(parseFilter(written(filter))).toEqual(filter);
      }),
      { numRuns: 200 },
    );
  });

  it('that is no filter is refused at once, whatever it is', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      ' and ',
      ' or ',
      'not',
      ' eq ',
      ' pr',
      'a',
      '.b',
      '"x"',
      '"',
      '\\',
      '\n',
      '1',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        expect(['none', 'INVALID_FILTER']).toContain(refusalOf(() => parseFilter(parts.join(''))));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a path of a change', () => {
  it.each([
    ['displayName', path('displayname'), null],
    ['name.givenName', path('name', 'givenname'), null],
    ['members[value eq "5"]', path('members'), 'compare'],
    ['emails[type eq "work" and primary eq true].value', path('emails', 'value'), 'and'],
  ])('%s is read', (text, expected, kind) => {
    const found = parsePatchPath(text);
    expect([found.path, found.condition?.kind ?? null]).toEqual([expected, kind]);
  });

  it.each(['', 'a b', 'a[', 'a[b pr]c', 'a.b[c pr]', 'a[b pr] eq "x"', '[b pr]'])('%p is refused', (text) => {
    expect(refusalOf(() => parsePatchPath(text))).toBe('INVALID_PATH');
  });
});

const names = fc.constantFrom('username', 'name', 'x-1', '$ref');
const leaves = fc.oneof(
  fc.record({ kind: fc.constant('present' as const), path: names.map((name) => path(name)) }),
  fc.record({
    kind: fc.constant('compare' as const),
    path: fc.tuple(names, fc.option(names)).map(([name, sub]) => path(name, sub)),
    operator: fc.constantFrom(...COMPARISONS),
    value: fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null)),
  }),
);

/** Operators alternate, because a chain of equal ones is one list. */
function within(depth: number, outer: 'and' | 'or' | null): fc.Arbitrary<Filter> {
  if (depth === 0) return leaves;
  const groups = (['and', 'or'] as const)
    .filter((kind) => kind !== outer)
    .map((kind) =>
      fc.record({
        kind: fc.constant(kind),
        terms: fc.array(within(depth - 1, kind), { minLength: 2, maxLength: 3 }),
      }),
    );
  const negations = within(depth - 1, null).map((term): Filter => ({ kind: 'not', term }));
  return fc.oneof(leaves, negations, ...groups);
}
const filters = within(3, null);

function written(filter: Filter): string {
  switch (filter.kind) {
    case 'present':
      return `${nameOf(filter.path)} pr`;
    case 'compare':
      return `${nameOf(filter.path)} ${filter.operator} ${JSON.stringify(filter.value)}`;
    case 'not':
      return `not (${written(filter.term)})`;
    case 'element':
      return `${nameOf(filter.path)}[${written(filter.condition)}]`;
    default:
      return filter.terms
        .map((term) => (filter.kind === 'and' && term.kind === 'or' ? `(${written(term)})` : written(term)))
        .join(` ${filter.kind} `);
  }
}

const nameOf = ({ attribute, sub }: { readonly attribute: string; readonly sub: string | null }) =>
  sub === null ? attribute : `${attribute}.${sub}`;
