import { Role } from '@annals/kernel/domain';
import { given, recorded } from '../../../../../test/support/events/recorded-events';
import type { FieldChange, NewField } from './profile-field-decisions';
import { MAX_PROFILE_FIELDS, changeField, createField, deleteField, reorderFields } from './profile-field-decisions';
import { MAX_CHOICES, fieldDataText } from './profile-field-data';
import type { ProfileFieldEvent, ProfileFieldId } from './profile-events';
import { FieldType } from './profile-events';
import { profileFieldsAggregate } from './profile-fields';

const known = { github: { name: 'GitHub username', hint: '' } };
const administrator = { actor: { role: Role.administrator }, known };
const options = { displayInSummary: false, required: false, editableByUser: true, useForMatching: false };
const input: NewField = { type: FieldType.shortText, name: 'Phone', hint: '', fieldData: undefined, options };
const id = (n: number) => n as ProfileFieldId;
const after = (...events: ProfileFieldEvent[]) => given(profileFieldsAggregate, ...events);
const make = (n: number, more: Partial<NewField> = {}, ...before: ProfileFieldEvent[]) =>
  createField(after(...before), id(n), { ...input, name: `Field number ${n}`, ...more }, administrator);
const inSummary = { options: { ...options, displayInSummary: true } };
const choices = (...keys: string[]) =>
  Object.fromEntries(keys.map((key, place) => [key, { text: `Text ${key}`, order: `${place}` }]));
const dropdown = (...keys: string[]): Partial<NewField> => ({ type: FieldType.dropdown, fieldData: choices(...keys) });
const account = (fieldData: unknown): Partial<NewField> => ({ type: FieldType.externalAccount, fieldData });
const change = (before: readonly ProfileFieldEvent[], requested: Partial<FieldChange>, n = 1) =>
  changeField(after(...before), n, { options: {}, ...requested }, administrator);
const types = (events: readonly ProfileFieldEvent[]) =>
  events.map(({ type }) => type.replace('users.ProfileField', ''));

describe('a new profile field', () => {
  it('has the given properties, with a trimmed name', () => {
    const [event] = make(3, { name: ' Phone ', hint: 'with +', options: { ...options, required: true } });
    expect(event).toEqual({
      type: 'users.ProfileFieldCreated',
      data: { fieldId: 3, fieldType: 1, subtype: null, choiceIds: [], ...options, required: true },
      sealed: { name: 'Phone', hint: 'with +', choices: [], urlPattern: null },
    });
    const field = after(event!).get(3);
    expect(field).toMatchObject({ id: 3, type: 1, name: 'Phone', hint: 'with +', order: 3, required: true });
  });

  it('requires an administrator', () => {
    for (const role of [Role.owner, Role.administrator]) {
      expect(createField(after(), id(1), input, { actor: { role }, known })).toHaveLength(1);
    }
    for (const role of [Role.moderator, Role.member, Role.guest]) {
      const actor = { role };
      const refused = /administrator/;
      expect(() => createField(after(), id(1), input, { actor, known })).toThrow(refused);
      expect(() => changeField(after(...make(1)), 1, { options: {} }, { actor, known })).toThrow(refused);
      expect(() => deleteField(after(...make(1)), 1, actor)).toThrow(refused);
      expect(() => reorderFields(after(...make(1)), [1], actor)).toThrow(refused);
    }
  });

  it.each([
    ['without a name', { name: ' ' }, /blank/],
    ['with a long name', { name: 'x'.repeat(41) }, /40/],
    ['with an unprintable name', { name: 'a\u0007' }, /characters/],
    ['with a long hint', { hint: 'x'.repeat(81) }, /80/],
    ['of an unknown type', { type: 9 }, /type/],
    ['of no type', { type: 0 }, /type/],
    ['in a summary that cannot show it', { type: FieldType.users, ...inSummary }, /summary/],
  ])('is refused %s', (_, more, reason) => expect(() => make(1, more)).toThrow(reason));

  it('limits its texts in code points', () => {
    expect(make(1, { name: '😀'.repeat(40), hint: '😀'.repeat(80) })).toHaveLength(1);
  });

  it('has a unique name among fields that are not deleted', () => {
    const taken = make(1, { name: 'Phone' });
    expect(() => make(2, { name: ' Phone' }, ...taken)).toThrow(/already exists/);
    expect(make(2, { name: 'phone' }, ...taken)).toHaveLength(1);
    const freed = [...taken, ...deleteField(after(...taken), 1, { role: Role.owner })];
    expect(make(2, { name: 'Phone' }, ...freed)).toHaveLength(1);
    const renamed = [...taken, ...change(taken, { name: 'Mobile' })];
    expect(make(2, { name: 'Phone' }, ...renamed)).toHaveLength(1);
  });

  it('can be used to find people if it is a text or an external account', () => {
    const found = { options: { ...options, useForMatching: true } };
    for (const type of Object.values(FieldType)) {
      const more = type === FieldType.dropdown ? dropdown('a') : account({ subtype: 'github' });
      const made = () => make(1, { ...more, type, ...found });
      if (type === FieldType.shortText || type === FieldType.externalAccount) expect(made()).toHaveLength(1);
      else expect(made).toThrow(/matching/);
    }
  });

  it('is limited in number', () => {
    const many = Array.from({ length: MAX_PROFILE_FIELDS }, (_, n) => make(n + 1)).flat();
    expect(() => make(MAX_PROFILE_FIELDS + 1, {}, ...many)).toThrow(/as many/);
    const fewer = [...many, ...deleteField(after(...many), 7, { role: Role.owner })];
    expect(make(MAX_PROFILE_FIELDS + 1, {}, ...fewer)).toHaveLength(1);
  });

  it('is in the summary of profiles with at most one other', () => {
    const two = [...make(1, inSummary), ...make(2, inSummary)];
    expect(() => make(3, inSummary, ...two)).toThrow(/Only 2/);
    expect(make(3, {}, ...two)).toHaveLength(1);
    expect(() => change([...two, ...make(3)], inSummary, 3)).toThrow(/Only 2/);
    expect(change(two, { options: { displayInSummary: true, required: true } })).toHaveLength(1);
    const freed = [...two, ...deleteField(after(...two), 1, { role: Role.owner })];
    expect(make(3, inSummary, ...freed)).toHaveLength(1);
  });
});

describe('a dropdown', () => {
  it.each([
    ['nothing', undefined, /at least one/],
    ['no choice', {}, /at least one/],
    ['a blank key', choices(' '), /choice/],
    ['a choice that is none', { a: 'A' }, /choice/],
    ['a choice without a text', { a: { order: '1' } }, /choice/],
    ['a choice without an order', { a: { text: 'A' } }, /choice/],
    ['a blank text', { a: { text: ' ', order: '1' } }, /choice/],
    ['a blank order', { a: { text: 'A', order: '' } }, /choice/],
    ['an order that is no text', { a: { text: 'A', order: 1 } }, /choice/],
    ['more in a choice', { a: { text: 'A', order: '1', color: 'red' } }, /choice/],
    ['a long text', { a: { text: 'x'.repeat(101), order: '1' } }, /choice/],
    ['two choices alike', { a: { text: 'A', order: '1' }, b: { text: 'A', order: '2' } }, /duplicate/],
    ['too many', choices(...Array.from({ length: MAX_CHOICES + 1 }, (_, n) => `k${n}`)), /too many/],
  ])('is refused with %s', (_, fieldData, reason) => {
    expect(() => make(1, { type: FieldType.dropdown, fieldData })).toThrow(reason);
    expect(() => change(make(1, dropdown('a')), { fieldData: fieldData ?? {} })).toThrow(reason);
  });

  it('identifies its choices by numbers that are never given again', () => {
    const made = make(1, dropdown('a', 'b'));
    const fewer = [...made, ...change(made, { fieldData: choices('a') })];
    expect(fewer.at(-1)).toMatchObject({ data: { choiceIds: [1], removed: [2] } });
    const more = [...fewer, ...change(fewer, { fieldData: choices('a', 'b', 'c') })];
    expect(more.at(-1)).toMatchObject({ data: { choiceIds: [1, 3, 4], removed: [] } });
    const other = [...more, ...change(more, { fieldData: { b: { text: 'Bee', order: '0' } } })];
    expect(other.at(-1)).toMatchObject({ data: { choiceIds: [3], removed: [1, 4] } });
    expect(change(other, { fieldData: choices('a') })).toMatchObject([{ data: { choiceIds: [5], removed: [3] } }]);
    expect(change(other, { fieldData: { b: { text: 'Bee', order: '0' } } })).toEqual([]);
    expect(fieldDataText(FieldType.dropdown, after(...other).get(1)!)).toBe('{"b":{"text":"Bee","order":"0"}}');
  });
});

describe('an external account', () => {
  const pattern = 'https://example.com/%(username)s';

  it('has predefined texts if the server supports it', () => {
    const [event] = make(1, { ...account({ subtype: 'github' }), name: '', hint: 'x'.repeat(99) });
    expect(event).toMatchObject({ data: { subtype: 'github' }, sealed: { name: 'GitHub username', hint: '' } });
    expect(fieldDataText(FieldType.externalAccount, after(event!).get(1)!)).toBe('{"subtype":"github"}');
    expect(() => make(2, account({ subtype: 'github' }), event!)).toThrow(/already exists/);
  });

  it('allows only its options to change then, and accepts its own data', () => {
    const made = make(1, account({ subtype: 'github' }));
    const same = { name: 'GitHub username', hint: '', fieldData: { subtype: 'github' } };
    expect(types(change(made, { ...same, options: { displayInSummary: true, required: true } }))).toEqual([
      'OptionsChanged',
    ]);
    expect(change(made, same)).toEqual([]);
    const custom = { subtype: 'custom', url_pattern: pattern };
    for (const other of [{ name: 'Git' }, { hint: 'yours' }, { fieldData: custom }]) {
      expect(() => change(made, other)).toThrow(/Default/);
    }
  });

  it('has its own texts and URL otherwise', () => {
    const made = make(1, { ...account({ subtype: 'custom', url_pattern: pattern }), name: 'Forum' });
    expect(made).toMatchObject([{ data: { subtype: 'custom' }, sealed: { name: 'Forum', urlPattern: pattern } }]);
    const moved = { subtype: 'custom', url_pattern: 'https://example.org/%(username)s/about' };
    const later = [...made, ...change(made, { fieldData: moved })];
    expect(later.at(-1)).toMatchObject({ sealed: { urlPattern: moved.url_pattern } });
    expect(fieldDataText(FieldType.externalAccount, after(...later).get(1)!)).toBe(JSON.stringify(moved));
    expect(change(later, { fieldData: moved })).toEqual([]);
    expect(() => change(later, { fieldData: { subtype: 'github' } })).toThrow(/type of an external account/);
  });

  it.each([
    ['nothing', undefined],
    ['no subtype', { url_pattern: pattern }],
    ['a subtype that is no text', { subtype: 1 }],
    ['an unknown one', { subtype: 'myspace' }],
    ['a word of the language', { subtype: 'constructor' }],
    ['more than it needs', { subtype: 'custom', url_pattern: pattern, icon: 'x' }],
    ['no pattern', { subtype: 'custom' }],
    ['a pattern that is no text', { subtype: 'custom', url_pattern: 1 }],
    ['a pattern without a name', { subtype: 'custom', url_pattern: 'https://example.com/' }],
    ['a pattern with two', { subtype: 'custom', url_pattern: `${pattern}/%(username)s` }],
    ['a pattern of no URL', { subtype: 'custom', url_pattern: 'example.com/%(username)s' }],
    ['a pattern that runs', { subtype: 'custom', url_pattern: 'javascript:alert(%(username)s)' }],
  ])('is refused with %s', (_, fieldData) => {
    expect(() => make(1, { ...account(fieldData), name: 'Forum' })).toThrow();
  });
});

describe('a profile field', () => {
  it('records only changes', () => {
    const made = make(1, { name: 'Phone', hint: 'yours' });
    expect(change(made, { name: ' Phone', hint: 'yours', options: { ...options } })).toEqual([]);
    const requested = { name: 'Mobile', hint: '', options: { required: true } };
    expect(types(change(made, requested))).toEqual(['Renamed', 'HintChanged', 'OptionsChanged']);
    expect(after(...made, ...change(made, requested)).get(1)).toMatchObject({
      name: 'Mobile',
      hint: '',
      required: true,
      editableByUser: true,
    });
    expect(change(made, { fieldData: { a: { text: 'A', order: '1' } } })).toEqual([]);
  });

  it('refuses the same as a new one', () => {
    const both = [...make(1), ...make(2, { name: 'Phone' })];
    for (const wrong of [{ name: '' }, { name: 'Phone' }, { hint: 'x'.repeat(81) }]) {
      expect(() => change(both, wrong)).toThrow();
    }
    expect(() => change(both, { options: { useForMatching: true } }, 3)).toThrow(/not found/);
    expect(() => deleteField(after(...both), 3, { role: Role.owner })).toThrow(/not found/);
  });

  it('is in the order of its number, and after a change of the order in that', () => {
    const three = [...make(1), ...make(2), ...make(5)];
    const reorder = (order: number[], ...more: ProfileFieldEvent[]) =>
      reorderFields(after(...three, ...more), order, { role: Role.owner });
    const [event] = reorder([5, 99, 1, 2]);
    expect(event).toMatchObject({ data: { order: [5, 1, 2] } });
    const places = [...after(...three, event!).values()].map(({ id, order }) => [id, order]);
    expect(places).toEqual([
      [1, 1],
      [2, 2],
      [5, 0],
    ]);
    expect(reorder([5, 1, 2], event!)).toEqual([]);
    expect(reorder([1, 5, 2, 1])).toMatchObject([{ data: { order: [5, 2, 1] } }]);
    for (const incomplete of [[], [1, 2], [1, 2, 3]]) expect(() => reorder(incomplete)).toThrow(/order/);
    expect(reorderFields(after(), [], { role: Role.owner })).toEqual([]);
  });

  it('still exists after its texts were erased', () => {
    const [created] = make(1, dropdown('a', 'b'));
    const erased = { ...recorded(created!), sealed: 'erased' } as never;
    const fields = profileFieldsAggregate.evolve(new Map(), erased);
    expect(fields.get(1)).toMatchObject({ name: null, hint: '', choices: [{ id: 1 }, { id: 2 }] });
    expect(createField(fields, id(2), { ...input, name: 'Field 1' }, administrator)).toHaveLength(1);
  });
});
