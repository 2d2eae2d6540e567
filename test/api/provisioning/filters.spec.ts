import fc from 'fast-check';
import { conditionOf } from '../../../libs/provisioning/src/domain/scim/filter/condition';
import { matches } from '../../../libs/provisioning/src/domain/scim/filter/matches';
import { parseFilter } from '../../../libs/provisioning/src/domain/scim/filter/parse-filter';
import type { JsonObject } from '../../../libs/provisioning/src/domain/scim/json';
import { USER } from '../../../libs/provisioning/src/domain/scim/resource/user-type';
import type { ScimBody, ScimCaller } from '../../support/provisioning/scim-caller';
import { directoryOf, scimError } from '../../support/provisioning/scim-caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
let directory: ScimCaller;
let everybody: ScimBody[];
beforeAll(async () => {
  users = await startWithUsers();
  directory = await directoryOf(users.owner);
  for (const body of [
    {
      userName: 'jo.ann@example.com',
      externalId: 'A1',
      name: { givenName: 'Jo Ann', familyName: 'van Dam' },
      locale: 'de',
    },
    { userName: 'jo@example.com', externalId: 'a1', displayName: 'jo', role: 'moderator', active: false },
    { userName: 'JO.dam@example.com', displayName: 'JO Dam', timezone: 'Europe/Berlin' },
  ])
    await directory.post('/Users', body);
  everybody = await directory.find('/Users', 'id pr');
});
afterAll(() => users.server.close());

const idsOf = (found: readonly ScimBody[]) => found.map(({ id }) => id);
const names = fc.constantFrom(
  ...['userName', 'displayName', 'name.givenName', 'name.familyName', 'externalId', 'locale', 'role', 'roles.value'],
  ...['emails.value', 'id', 'title', 'timezone', 'meta.version'],
);
const texts = fc.constantFrom('jo', 'Jo', 'dam', 'van Dam', 'A1', 'a', '@', 'member', '7', '', 'de', 'W/"9"');
const leaves = fc.oneof(
  fc
    .tuple(names, fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'), texts)
    .map(([name, operator, text]) => `${name} ${operator} ${JSON.stringify(text)}`),
  names.map((name) => `${name} pr`),
  fc.constantFrom('active eq true', 'active ne "True"', 'meta.created gt "2025-01-01T00:00:00Z"', 'externalId eq null'),
  texts.map((text) => `emails[type eq "work" and value co ${JSON.stringify(text)}]`),
);
const filters = fc
  .array(fc.tuple(leaves, fc.boolean(), fc.constantFrom('and', 'or')), { minLength: 1, maxLength: 3 })
  .map((parts) =>
    parts
      .map(([leaf, isNegated, word], n) => `${n === 0 ? '' : `${word} `}${isNegated ? `not (${leaf})` : leaf}`)
      .join(' '),
  );

describe('a filter of people', () => {
  it('finds in the database what it finds in the resources, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const condition = conditionOf(parseFilter(filter), USER);
        const expected = everybody.filter((user) => matches(condition, user as JsonObject));
        expect([filter, idsOf(await directory.find('/Users', filter))]).toEqual([filter, idsOf(expected)]);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    'userName',
    'active gt true',
    'name eq "x"',
    'meta.created co "2"',
    'active eq "x"',
    'userName eq "',
    '(',
    'emails[x]',
  ])('%p is refused', async (filter) => {
    const answer = await directory.get(`/Users?filter=${encodeURIComponent(filter)}`);
    expect(answer).toMatchObject({ status: 400, body: scimError(400, 'invalidFilter') });
  });
});

describe('a list of people', () => {
  it('has pages in the order of ids, or sorted', async () => {
    const ids: unknown[] = [];
    for (let startIndex = 1; startIndex <= everybody.length; startIndex += 3) {
      const { body } = await directory.get(`/Users?startIndex=${startIndex}&count=3`);
      expect(body).toMatchObject({ totalResults: everybody.length, startIndex });
      ids.push(...idsOf(body.Resources as ScimBody[]));
    }
    expect(ids).toEqual(idsOf(everybody));
    const sorted = await directory.get(
      '/Users?sortBy=displayName&sortOrder=descending&attributes=displayName&count=1000',
    );
    const shown = (sorted.body.Resources as ScimBody[]).map(({ displayName }) => String(displayName).toLowerCase());
    expect(shown).toEqual([...shown].sort().reverse());
  });

  it.each([
    ['count=0', { totalResults: expect.any(Number) as unknown, itemsPerPage: 0 }],
    ['count=-5&startIndex=-3', { startIndex: 1, itemsPerPage: 0 }],
    ['startIndex=100000', { itemsPerPage: 0 }],
    ['count=999999999', { itemsPerPage: expect.any(Number) as unknown }],
  ])('with %s', async (query, body) => {
    expect(await directory.get(`/Users?${query}`)).toMatchObject({ status: 200, body });
  });

  it.each([
    'count=x',
    'startIndex=1.5',
    'sortOrder=up',
    'attributes=a..b',
    `filter=${'x'.repeat(5_000)}`,
    'sortBy=a%20b',
  ])('with %s is refused', async (query) => {
    expect(await directory.get(`/Users?${query}`)).toMatchObject({ status: 400, body: { status: '400' } });
  });

  it('is the same by .search, which also finds groups with people', async () => {
    await directory.post('/Groups', { displayName: 'Jo’s group' });
    const search = { filter: 'displayName sw "jo"', attributes: ['displayName'], count: 50 };
    const { body } = await directory.post('/Users/.search', search);
    expect(idsOf(body.Resources as ScimBody[])).toEqual(idsOf(await directory.find('/Users', search.filter)));
    const all = await directory.post('/.search', search);
    expect(all.body.totalResults).toBe(Number(body.totalResults) + 1);
    expect((all.body.Resources as ScimBody[]).at(-1)).toMatchObject({ displayName: 'Jo’s group' });
  });
});

/** As a program writes it that knows no UTF-8: one byte, or two, for each UTF-16 unit. */
const escape = (text: string): string =>
  [...Buffer.from(text, 'utf16le')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('whatever a program sends', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const values = fc.oneof(json, fc.constantFrom('', null, true, 'False', [{ value: 'x' }], { value: 5 }));
  const paths = fc.oneof(
    names,
    fc.string({ maxLength: 20 }),
    fc.constantFrom('roles[value pr]', 'members', 'name', '__proto__'),
  );
  const operation = fc.record({ op: fc.constantFrom('add', 'Remove', 'replace', 'x'), path: paths, value: values });
  const patches = fc.record({ Operations: fc.oneof(fc.array(operation, { maxLength: 3 }), json) });

  it('is refused or done, and never an error of the server', async () => {
    const { body: group } = await directory.post('/Groups', { displayName: 'Fuzzed' });
    const { body: person } = await directory.post('/Users', { userName: 'fuzz@example.com', displayName: 'Fuzz' });
    const bodies = fc.oneof(patches, json, fc.string());
    await fc.assert(
      fc.asyncProperty(bodies, fc.constantFrom('PATCH', 'PUT', 'POST'), async (body, method) => {
        for (const path of [
          `/Users/${String(person.id)}`,
          `/Groups/${String(group.id)}`,
          '/Users',
          '/Groups',
          '/.search',
        ]) {
          const { status } = await directory.send(method, path, body);
          expect([method, path, status < 500]).toEqual([method, path, true]);
        }
      }),
      { numRuns: 30 },
    );
  });

  const BAD_TEXTS = ['a\0', '\ud800', '\udc00b'];

  it.each<[string, (text: string) => Promise<{ readonly status: number }>]>([
    ['a filter', (text) => directory.post('/Users/.search', { filter: `userName eq ${JSON.stringify(text)}` })],
    [
      'a filter with an escape',
      (text) => directory.get(`/Users?filter=${encodeURIComponent(`externalId eq ${JSON.stringify(text)}`)}`),
    ],
    [
      'a member in a filter',
      (text) => directory.post('/.search', { filter: `members[value co ${JSON.stringify(text)}]` }),
    ],
    ['sortBy', (text) => directory.post('/Users/.search', { sortBy: text })],
    ['attributes', (text) => directory.post('/Groups/.search', { attributes: [text] })],
    ['startIndex', (text) => directory.post('/.search', { startIndex: text })],
    ['userName', (text) => directory.post('/Users', { userName: `${text}@example.com` })],
    ['displayName', (text) => directory.post('/Users', { userName: 'nul@example.com', displayName: text })],
    ['externalId', (text) => directory.post('/Groups', { displayName: 'Nul', externalId: text })],
    ['an attribute', (text) => directory.post('/Users', { userName: 'nul@example.com', [text]: 'x' })],
    ['a member', (text) => directory.post('/Groups', { displayName: 'Nul', members: [{ value: text }] })],
    [
      'a path',
      (text) => directory.patch('/Groups/1', [{ op: 'remove', path: `members[value eq ${JSON.stringify(text)}]` }]),
    ],
    ['an operation', (text) => directory.patch('/Users/1', [{ op: text, path: 'active', value: true }])],
    ['the id of a change', (text) => directory.patch(`/Users/${escape(text)}`, [{ op: 'remove', path: 'locale' }])],
  ])('is refused for a NUL or half a surrogate pair in %s', async (_, send) => {
    for (const text of BAD_TEXTS) expect([text, (await send(text)).status]).toEqual([text, 400]);
    expect(await directory.find('/Users', 'userName eq "nul@example.com"')).toEqual([]);
  });

  it('may name versions that are none', async () => {
    for (const version of ['\xff\xfe', '"', 'W/', ',,,', 'W/"9999999999999999999999"', '"\\u0000"']) {
      const answer = await directory.patch('/Users/9999999', [{ op: 'remove', path: 'locale' }], {
        'if-match': version,
      });
      expect([version, answer.status]).toEqual([version, 404]);
    }
  });

  it('is answered in the form of SCIM', async () => {
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
    expect(await directory.send('POST', '/Users', deep)).toMatchObject({
      status: 400,
      body: scimError(400, 'invalidValue'),
    });
    expect(await directory.send('POST', '/Users', '{')).toMatchObject({
      status: 400,
      body: scimError(400, 'invalidSyntax'),
    });
    expect(await directory.send('POST', '/Users', `"${'x'.repeat(3_000_000)}"`)).toMatchObject({ status: 413 });
    expect(await directory.get('/Nothing')).toMatchObject({ status: 404, body: scimError(404) });
    expect(await directory.delete('/Users')).toMatchObject({ status: 405, body: scimError(405) });
    expect(await directory.get('/Users/%zz')).toMatchObject({ status: 400, body: scimError(400) });
    expect(await directory.get('/Me')).toMatchObject({ status: 501, body: scimError(501) });
    expect(await directory.post('/Bulk', {})).toMatchObject({ status: 501, body: scimError(501) });
  });
});
