import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import { FIELD, FORUM, choices, createField, fieldsOf, newField } from '../../support/requests/profile-fields';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, administrator, member, guest } = await startWithUsers()));
afterAll(() => server.close());

const refused = (code = 'BAD_REQUEST') => ({ status: 400, body: { result: 'error', code } });
const path = (id: number) => `/realm/profile_fields/${id}`;
const change = (id: number, params: Params, by: Person = owner) => by.patch(path(id), params);
const remove = async (id: number) => granted(await owner.delete(path(id)));
const field = async (id: number) => (await fieldsOf(member)).find((one) => one.id === id);
const eventsAfter = async (act: () => Promise<unknown>, by: Person = guest) =>
  (await by.receive(act, 'custom_profile_fields')).map(({ id: _, ...event }) => event);

describe('custom profile fields', () => {
  it('are created by administrators, and shown to all users', async () => {
    for (const by of [member, guest]) {
      expect(await createField(by, FIELD.shortText)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    }
    let id = 0;
    const events = await eventsAfter(async () => {
      const input = { name: ' Phone ', hint: 'with *+*', required: true, display_in_profile_summary: true };
      id = await newField(administrator, FIELD.shortText, { ...input, use_for_user_matching: true });
    });
    const shown = {
      id,
      type: 1,
      order: id,
      name: 'Phone',
      hint: 'with *+*',
      field_data: '',
      required: true,
      editable_by_user: true,
      display_in_profile_summary: true,
      use_for_user_matching: true,
    };
    for (const by of [owner, member, guest]) expect(await fieldsOf(by)).toEqual([shown]);
    expect(events).toEqual([{ type: 'custom_profile_fields', fields: [shown] }]);
    const { custom_profile_fields } = await guest.register({ fetch_event_types: ['custom_profile_fields'] });
    expect(custom_profile_fields).toEqual([shown]);
    await remove(id);
  });

  it('require what their type needs', async () => {
    const given = [
      ...[FIELD.shortText, FIELD.longText, FIELD.date, FIELD.link, FIELD.users, FIELD.pronouns].map(
        (type) => [type, undefined, ''] as const,
      ),
      [FIELD.dropdown, choices('a', 'b'), JSON.stringify(choices('a', 'b'))] as const,
      [FIELD.externalAccount, FORUM, JSON.stringify(FORUM)] as const,
    ];
    const ids: number[] = [];
    for (const [type, field_data, text] of given) {
      const id = await newField(owner, type, { field_data, editable_by_user: false });
      ids.push(id);
      const shown = { id, type, order: id, name: `Type ${type}`, hint: '', field_data: text };
      expect(await field(id)).toEqual({ ...shown, required: false, editable_by_user: false });
    }
    for (const id of ids) await remove(id);
    expect(await fieldsOf(owner)).toEqual([]);
  });

  it('of known external accounts have predefined texts', async () => {
    const known = { name: undefined, field_data: { subtype: 'github' } };
    const id = await newField(owner, FIELD.externalAccount, known);
    const shown = { name: 'GitHub username', hint: '', field_data: '{"subtype":"github"}' };
    expect(await field(id)).toMatchObject(shown);
    expect(await createField(owner, FIELD.externalAccount, known)).toMatchObject(refused());
    for (const params of [{ name: 'Git' }, { hint: 'x' }, { field_data: FORUM }]) {
      expect(await change(id, params)).toMatchObject(refused());
    }
    const options = { display_in_profile_summary: true, required: true, editable_by_user: false };
    granted(await change(id, { ...options, name: 'GitHub username', field_data: known.field_data }));
    expect(await field(id)).toMatchObject({ ...shown, ...options });
    await remove(id);
  });

  it.each<[string, Params]>([
    ['without a name', { name: undefined }],
    ['with a blank name', { name: ' ' }],
    ['with a long name', { name: 'x'.repeat(41) }],
    ['with an unprintable name', { name: 'a\u0007' }],
    ['with a long hint', { hint: 'x'.repeat(81) }],
    ['of type 0', { field_type: 0 }],
    ['of type 9', { field_type: 9 }],
    ['of a type in words', { field_type: 'text' }],
    ['with data that is no object', { field_data: [] }],
    ['with data that is no JSON', { field_data: '{' }],
    ['as a dropdown without choices', { field_type: 3 }],
    ['as a dropdown with a blank key', { field_type: 3, field_data: choices(' ') }],
    ['as a dropdown with an odd choice', { field_type: 3, field_data: { a: 'A' } }],
    ['as a dropdown of choices alike', { field_type: 3, field_data: { ...choices('a'), b: choices('a')['a'] } }],
    ['as an account of nobody', { field_type: 7 }],
    ['as an unknown account', { field_type: 7, field_data: { subtype: 'myspace' } }],
    ['as an account without a pattern', { field_type: 7, field_data: { subtype: 'custom' } }],
    ['as an account without a URL', { field_type: 7, field_data: { ...FORUM, url_pattern: '%(username)s' } }],
    ['in a summary that cannot show it', { field_type: 6, display_in_profile_summary: true }],
    ['for matching what cannot be matched', { field_type: 2, use_for_user_matching: true }],
    ['with an option that is no boolean', { required: 1 }],
  ])('are refused %s', async (_, params) => {
    expect(await createField(owner, FIELD.shortText, params)).toMatchObject(refused());
    expect(await fieldsOf(owner)).toEqual([]);
  });

  it('require a type', async () => {
    const answer = await owner.post('/realm/profile_fields', { name: 'Phone' });
    expect(answer).toMatchObject({ ...refused('REQUEST_VARIABLE_MISSING'), body: { var_name: 'field_type' } });
  });

  it('change only the given properties, with one event for each request', async () => {
    const id = await newField(owner, FIELD.dropdown, { name: 'Office', field_data: choices('a', 'b') });
    expect(await change(id, { name: 'Place' }, member)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    const input = { name: 'Place', hint: 'yours', required: true, field_data: choices('b', 'c') };
    const events = await eventsAfter(() => change(id, input), member);
    const shown = { ...(await field(id)) };
    expect(shown).toMatchObject({ ...input, field_data: JSON.stringify(input.field_data), order: id });
    expect(events).toEqual([{ type: 'custom_profile_fields', fields: [shown] }]);
    expect(await eventsAfter(() => change(id, input))).toEqual([]);
    expect(await eventsAfter(() => change(id, {}))).toEqual([]);
    const other = await newField(owner, FIELD.date, { name: 'Birthday' });
    for (const params of [{ name: 'Birthday' }, { name: '' }, { field_data: {} }, { use_for_user_matching: true }]) {
      expect(await change(id, params)).toMatchObject(refused());
    }
    for (const unknown of [999, 2 ** 40, 2 ** 53 - 1]) {
      expect(await change(unknown, { name: 'no' })).toMatchObject(refused());
      expect(await owner.delete(path(unknown))).toMatchObject(refused());
    }
    expect(await field(id)).toEqual(shown);
    for (const one of [id, other]) await remove(one);
  });

  it('show at most two in the summary', async () => {
    const summary = { display_in_profile_summary: true };
    const [first, second] = [
      await newField(owner, FIELD.shortText, { ...summary, name: 'one' }),
      await newField(owner, FIELD.longText, { ...summary, name: 'two' }),
    ];
    expect(await createField(owner, FIELD.date, summary)).toMatchObject(refused());
    const third = await newField(owner, FIELD.date);
    expect(await change(third, summary)).toMatchObject(refused());
    granted(await change(first, { ...summary, hint: 'still there' }));
    await remove(second);
    granted(await change(third, summary));
    for (const one of [first, third]) await remove(one);
  });

  it('are reordered all together, new ones last', async () => {
    const ids = [];
    for (const type of [FIELD.shortText, FIELD.date, FIELD.link]) ids.push(await newField(owner, type));
    const order = [...ids].reverse();
    const reorder = (input: readonly number[], by: Person = owner) =>
      by.patch('/realm/profile_fields', { order: input });
    expect(await reorder(order, member)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    for (const wrong of [order.slice(1), []]) expect(await reorder(wrong)).toMatchObject(refused());
    const [event] = await eventsAfter(() => reorder([...order, 999]));
    const listed = await fieldsOf(member);
    expect(listed.map((one) => [one.id, one.order])).toEqual(order.map((id, place) => [id, place]));
    expect(event).toEqual({ type: 'custom_profile_fields', fields: listed });
    expect(await eventsAfter(() => reorder(order))).toEqual([]);
    const last = await newField(owner, FIELD.pronouns);
    expect((await fieldsOf(member)).at(-1)?.id).toBe(last);
    for (const id of [...ids, last]) await remove(id);
  });

  it('are deleted once, by administrators', async () => {
    const id = await newField(owner, FIELD.shortText);
    expect(await member.delete(path(id))).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    expect(await eventsAfter(() => administrator.delete(path(id)))).toEqual([
      { type: 'custom_profile_fields', fields: [] },
    ]);
    expect(await owner.delete(path(id))).toMatchObject(refused());
    expect(await newField(owner, FIELD.shortText)).toBeGreaterThan(id);
  });

  it('have eight types, which POST /register lists', async () => {
    const { custom_profile_field_types: types } = await guest.register({
      fetch_event_types: ['custom_profile_fields'],
    });
    expect(Object.entries(types as Record<string, { id: number }>).map(([name, { id }]) => [name, id])).toEqual([
      ['SHORT_TEXT', 1],
      ['LONG_TEXT', 2],
      ['SELECT', 3],
      ['DATE', 4],
      ['URL', 5],
      ['USER', 6],
      ['EXTERNAL_ACCOUNT', 7],
      ['PRONOUNS', 8],
    ]);
  });
});
