import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import { FIELD, FORUM, choices, newField, profileOf, say } from '../../support/requests/profile-fields';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let other: Person;
let guest: Person;
/** A field of each type, by the number of the type. */
let fields: Readonly<Record<number, number>>;
/** A field that people do not fill in themselves. */
let locked: number;
beforeAll(async () => {
  ({ server, owner, administrator, member, other, guest } = await startWithUsers());
  const given: Record<number, object> = { [FIELD.dropdown]: choices('a', 'b'), [FIELD.externalAccount]: FORUM };
  const made: Record<number, number> = {};
  for (const type of Object.values(FIELD)) made[type] = await newField(owner, type, { field_data: given[type] });
  fields = made;
  locked = await newField(owner, FIELD.shortText, { name: 'Number', editable_by_user: false });
});
afterAll(() => server.close());

const refused = (code = 'BAD_REQUEST') => ({ status: 400, body: { result: 'error', code } });
const eventsAfter = async (act: () => Promise<unknown>, by: Person = guest) =>
  (await by.receive(act, 'realm_user')).map(({ id: _, ...event }) => event);
const received = (user_id: number, custom_profile_field: object) => ({
  type: 'realm_user',
  op: 'update',
  person: { user_id, custom_profile_field },
});
const own = (by: Person) => profileOf(guest, by.id);
const clear = (by: Person, ids: readonly number[]) => by.delete('/users/me/profile_data', { data: ids });

describe('values of custom profile fields', () => {
  it.each<[number, unknown, string, string | undefined]>([
    [FIELD.shortText, 'all **well**', 'all **well**', '<p>all <strong>well</strong></p>'],
    [FIELD.longText, 'one\ntwo', 'one\ntwo', '<p>one<br>\ntwo</p>'],
    [FIELD.dropdown, 'b', 'b', undefined],
    [FIELD.date, '1999-12-31', '1999-12-31', undefined],
    [FIELD.link, 'https://example.com/*me*', 'https://example.com/*me*', undefined],
    [FIELD.externalAccount, '*mia*', '*mia*', undefined],
    [FIELD.pronouns, 'she/her', 'she/her', undefined],
  ])('of type %i is shown as text, rendered where it is text', async (type, value, text, html) => {
    const id = fields[type] ?? 0;
    const shown = { value: text, ...(html !== undefined && { rendered_value: html }) };
    expect(await eventsAfter(async () => granted(await say(member, { [id]: value })))).toEqual([
      received(member.id, { id, ...shown }),
    ]);
    expect(await own(member)).toEqual({ [id]: shown });
    expect(await eventsAfter(async () => granted(await say(member, { [id]: value })))).toEqual([]);
    expect(await eventsAfter(async () => granted(await say(member, { [id]: null })), member)).toEqual([
      received(member.id, { id, value: null }),
    ]);
    expect(await eventsAfter(async () => granted(await say(member, { [id]: null })))).toEqual([]);
    expect(await own(member)).toEqual({});
  });

  it('for users are ids, as JSON', async () => {
    const id = fields[FIELD.users] ?? 0;
    const value = `[${guest.id},${owner.id}]`;
    expect(await eventsAfter(() => say(member, { [id]: [guest.id, owner.id] }))).toEqual([
      received(member.id, { id, value }),
    ]);
    expect(await own(member)).toEqual({ [id]: { value } });
    expect(await eventsAfter(async () => granted(await say(member, { [id]: [guest.id, owner.id, guest.id] })))).toEqual(
      [],
    );
    const bot = await server.bot(owner);
    const deactivated = await server.person();
    granted(await owner.delete(`/users/${deactivated.id}`));
    for (const wrong of [[bot.id], [deactivated.id], [999_999], [2 ** 53 - 1], [0], ['1'], 'x']) {
      expect(await say(member, { [id]: wrong })).toMatchObject(refused());
    }
    expect(await own(member)).toEqual({ [id]: { value } });
    granted(await say(member, { [id]: [] }));
    expect(await own(member)).toEqual({});
  });

  it('are rendered as safe HTML', async () => {
    const id = fields[FIELD.longText] ?? 0;
    granted(await say(guest, { [id]: '<img src=x onerror=alert(1)> [x](javascript:alert(1))' }));
    const { [id]: shown } = (await own(guest)) as Record<number, { rendered_value: string }>;
    expect(shown?.rendered_value).toBe('<p>&lt;img src=x onerror=alert(1)&gt; [x](javascript:alert(1))</p>');
    granted(await clear(guest, [id]));
  });

  it.each<[string, number, unknown]>([
    ['a long text', FIELD.shortText, 'x'.repeat(51)],
    ['a very long text', FIELD.longText, 'x'.repeat(501)],
    ['a list', FIELD.shortText, [1]],
    ['a number', FIELD.shortText, 1],
    ['an object', FIELD.shortText, {}],
    ['no choice', FIELD.dropdown, 'c'],
    ['no date', FIELD.date, '2023-02-29'],
    ['no link', FIELD.link, 'example.com'],
    ['a long name of an account', FIELD.externalAccount, 'x'.repeat(51)],
    ['long pronouns', FIELD.pronouns, 'x'.repeat(51)],
  ])('is refused that is %s, with everything beside it', async (_, type, value) => {
    const first = type === FIELD.pronouns ? FIELD.shortText : FIELD.pronouns;
    const data = [
      { id: fields[first], value: 'they' },
      { id: fields[type], value },
    ];
    expect(await member.patch('/users/me/profile_data', { data })).toMatchObject(refused());
    expect(await own(member)).toEqual({});
  });

  it.each<[string, unknown]>([
    ['a value without its field', [{ value: 'x' }]],
    ['a field without a value', [{ id: 1 }]],
    ['more than both', [{ id: 1, value: 'x', name: 'y' }]],
    ['an unknown field', [{ id: 999, value: 'x' }]],
    ['the removal of an unknown one', [{ id: 999, value: null }]],
    ['a field that cannot be', [{ id: 2 ** 53 - 1, value: null }]],
    ['a field below all', [{ id: -1, value: null }]],
    ['no list', { id: 1, value: 'x' }],
    ['too many', Array.from({ length: 201 }, () => ({ id: 1, value: 'x' }))],
  ])('is refused in a request with %s', async (_, data) => {
    expect(await member.patch('/users/me/profile_data', { data })).toMatchObject(refused());
    expect(await own(member)).toEqual({});
  });

  it('are requested by name', async () => {
    for (const method of ['patch', 'delete'] as const) {
      const answer = await member[method]('/users/me/profile_data');
      expect(answer).toMatchObject({ ...refused('REQUEST_VARIABLE_MISSING'), body: { var_name: 'data' } });
      for (const wrong of ['x', { id: 1 }, ['x']]) {
        expect(await member[method]('/users/me/profile_data', { data: wrong })).toMatchObject(refused());
      }
    }
  });

  it('are removed by the ids of fields', async () => {
    const [text, pronouns] = [fields[FIELD.shortText] ?? 0, fields[FIELD.pronouns] ?? 0];
    granted(await say(member, { [text]: 'x', [pronouns]: 'she' }));
    for (const unknown of [[text, 999], [2 ** 53 - 1]]) expect(await clear(member, unknown)).toMatchObject(refused());
    expect(Object.keys(await own(member))).toHaveLength(2);
    const cleared = (id: number) => received(member.id, { id, value: null });
    expect(await eventsAfter(() => clear(member, [pronouns, text, fields[FIELD.date] ?? 0]))).toEqual([
      cleared(pronouns),
      cleared(text),
    ]);
    expect(await own(member)).toEqual({});
  });

  it('are not available to bots', async () => {
    const bot = await server.bot(owner);
    const data = [{ id: fields[FIELD.shortText], value: 'x' }];
    expect(await bot.patch('/users/me/profile_data', { data })).toMatchObject(refused());
    expect(await bot.delete('/users/me/profile_data', { data: [fields[FIELD.shortText]] })).toMatchObject(refused());
    expect(await owner.patch(`/users/${bot.id}`, { profile_data: data })).toMatchObject(refused());
    granted(await owner.patch(`/users/${bot.id}`, { profile_data: [] }));
  });
});

describe('a field that users may not edit', () => {
  it('is set by administrators, for themselves and others', async () => {
    granted(await say(administrator, { [locked]: '17' }));
    granted(await administrator.patch(`/users/${member.id}`, { profile_data: [{ id: locked, value: '18' }] }));
    for (const by of [member, guest]) {
      expect(await say(by, { [locked]: '19' })).toMatchObject(refused());
      expect(await say(by, { [locked]: null })).toMatchObject(refused());
      expect(await clear(by, [locked])).toMatchObject(refused());
    }
    expect(await own(member)).toEqual({ [locked]: { value: '18', rendered_value: '<p>18</p>' } });
    for (const by of [owner, administrator]) {
      granted(await owner.patch(`/users/${member.id}`, { profile_data: [{ id: locked, value: null }] }));
      granted(await clear(by, [locked]));
    }
    expect(await own(administrator)).toEqual({});
  });
});

describe('profile_data in PATCH /users/{user_id}', () => {
  const update = (profile_data: unknown, { by = administrator, ...more }: { by?: Person; full_name?: string } = {}) =>
    by.patch(`/users/${other.id}`, { profile_data, ...more });

  it('is allowed to administrators, by id and by email', async () => {
    const id = fields[FIELD.shortText] ?? 0;
    for (const by of [member, other, guest])
      expect(await update([{ id, value: 'x' }], { by })).toMatchObject(refused());
    const shown = { value: 'x', rendered_value: '<p>x</p>' };
    expect(await eventsAfter(() => update([{ id, value: 'x' }]))).toEqual([received(other.id, { id, ...shown })]);
    granted(await owner.patch(`/users/${other.email}`, { profile_data: [{ id, value: 'y' }] }));
    expect(await own(other)).toMatchObject({ [id]: { value: 'y' } });
  });

  it('removes a value with any empty input', async () => {
    const empties = [null, '', []];
    for (const type of [FIELD.shortText, FIELD.date, FIELD.users]) {
      const id = fields[type] ?? 0;
      const value = { [FIELD.shortText]: 'x', [FIELD.date]: '2020-02-02', [FIELD.users]: [owner.id] }[type];
      for (const empty of empties) {
        granted(await update([{ id, value }]));
        expect(Object.keys(await own(other))).toEqual([`${id}`]);
        granted(await update([{ id, value: empty }]));
        expect(await own(other)).toEqual({});
      }
    }
  });

  it('is applied together with the other parameters, or not at all', async () => {
    const [text, date] = [fields[FIELD.shortText] ?? 0, fields[FIELD.date] ?? 0];
    const wrong = [
      { id: text, value: 'x' },
      { id: date, value: 'soon' },
    ];
    expect(await update(wrong, { full_name: 'Otto the Second' })).toMatchObject(refused());
    expect(await update([{ id: 999, value: 'x' }])).toMatchObject(refused());
    expect(await update([{ id: text, value: 'x', name: 'y' }])).toMatchObject(refused());
    expect(await own(other)).toEqual({});
    const events = await eventsAfter(() => update([{ id: text, value: 'x' }], { full_name: 'Otto the Third' }));
    expect(events.map(({ person }) => Object.keys(person as object)[1])).toEqual(['full_name', 'custom_profile_field']);
    granted(await update([{ id: text, value: null }], { full_name: 'Otto' }));
  });

  it('may change a deactivated user', async () => {
    const deactivated = await server.person();
    granted(await owner.delete(`/users/${deactivated.id}`));
    const id = fields[FIELD.shortText] ?? 0;
    granted(await owner.patch(`/users/${deactivated.id}`, { profile_data: [{ id, value: 'was here' }] }));
    expect(await own(deactivated)).toMatchObject({ [id]: { value: 'was here' } });
  });
});
