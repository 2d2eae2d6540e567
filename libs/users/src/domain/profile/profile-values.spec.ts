import type { Recorded, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { given, recorded } from '../../../../../test/support/events/recorded-events';
import { changeField, createField, deleteField } from './profile-field-decisions';
import type { ProfileFieldEvent, ProfileFieldId, ProfileValueEvent, ProfileValueSet } from './profile-events';
import { FieldType } from './profile-events';
import { profileFieldsAggregate } from './profile-fields';
import type { ValuePatch } from './profile-values';
import { changeProfile, peopleNamed, profileAggregate } from './profile-values';

const ANN = 7 as UserId;
const member = { role: Role.member };
const options = { displayInSummary: false, required: true, editableByUser: true, useForMatching: false };
const choices = (...keys: string[]) =>
  Object.fromEntries(keys.map((key, place) => [key, { text: `Text ${key}`, order: `${place}` }]));
const known = {};
const owner = { actor: { role: Role.owner }, known };

/** One field of each type under the number of its type, and one that users do not edit themselves. */
const LOCKED = 9;
const eight: ProfileFieldEvent[] = [...Object.values(FieldType), LOCKED].flatMap((n) => {
  const type = n === LOCKED ? FieldType.shortText : n;
  const account = { subtype: 'custom', url_pattern: 'https://example.com/%(username)s' };
  const fieldData = type === FieldType.dropdown ? choices('a', 'b') : account;
  const input = {
    type,
    name: `Field ${n}`,
    hint: '',
    fieldData,
    options: { ...options, editableByUser: n !== LOCKED },
  };
  return createField(new Map(), n as ProfileFieldId, input, owner);
});
const fields = (...more: ProfileFieldEvent[]) => given(profileFieldsAggregate, ...eight, ...more);
const people = new Set([3, 4]);
const profile = (...events: ProfileValueEvent[]) => given(profileAggregate, ...events);
const say = (
  fieldId: number,
  value: ValuePatch['value'],
  before: ProfileValueEvent[] = [],
  more: ProfileFieldEvent[] = [],
) => changeProfile(profile(...before), ANN, [{ fieldId, value }], { fields: fields(...more), actor: member, people });
const values = (events: readonly ProfileValueEvent[]) =>
  events.map((event) => (event.type === 'users.ProfileValueSet' ? event.sealed.value : null));

describe('a value', () => {
  it.each<[string, number, ValuePatch['value'], string]>([
    ['short text', FieldType.shortText, '😀'.repeat(50), '😀'.repeat(50)],
    ['text of blanks', FieldType.shortText, ' a ', ' a '],
    ['long text', FieldType.longText, 'x\n'.repeat(250), 'x\n'.repeat(250)],
    ['a choice', FieldType.dropdown, 'b', 'b'],
    ['a date', FieldType.date, '1999-12-31', '1999-12-31'],
    ['a day of a leap year', FieldType.date, '2000-02-29', '2000-02-29'],
    ['a link', FieldType.link, 'https://example.com/', 'https://example.com/'],
    ['people', FieldType.users, [4, 3], '[4,3]'],
    ['people, each once', FieldType.users, [4, 3, 4], '[4,3]'],
    ['an account', FieldType.externalAccount, 'ann', 'ann'],
    ['pronouns', FieldType.pronouns, 'she/her', 'she/her'],
  ])('is %s', (_, fieldId, value, stored) => {
    const [event, ...none] = say(fieldId, value);
    expect(none).toEqual([]);
    expect(event).toMatchObject({ data: { userId: ANN, fieldId, fieldType: fieldId }, sealed: { value: stored } });
    expect(say(fieldId, value, [event!])).toEqual([]);
    expect(say(fieldId, null, [event!])).toEqual([
      { type: 'users.ProfileValueCleared', data: { userId: ANN, fieldId }, sealed: null },
    ]);
  });

  it.each<[string, number, ValuePatch['value']]>([
    ['long', FieldType.shortText, 'x'.repeat(51)],
    ['long', FieldType.longText, 'x'.repeat(501)],
    ['long', FieldType.externalAccount, 'x'.repeat(51)],
    ['long', FieldType.pronouns, 'x'.repeat(51)],
    ['a list', FieldType.shortText, [3]],
    ['an empty list', FieldType.shortText, []],
    ['a list', FieldType.date, [3]],
    ['no choice', FieldType.dropdown, 'c'],
    ['the text of a choice', FieldType.dropdown, 'Text a'],
    ['empty', FieldType.dropdown, ''],
    ['empty', FieldType.date, ''],
    ['not of the calendar', FieldType.date, '2023-02-29'],
    ['not of the calendar', FieldType.date, '1900-02-29'],
    ['not of the calendar', FieldType.date, '2023-04-31'],
    ['not of the calendar', FieldType.date, '2023-13-01'],
    ['not of the calendar', FieldType.date, '2023-00-01'],
    ['not of the calendar', FieldType.date, '2023-01-00'],
    ['before all years', FieldType.date, '0000-01-01'],
    ['written otherwise', FieldType.date, '2023-1-1'],
    ['followed by more', FieldType.date, '2023-01-01T00:00'],
    ['followed by a line', FieldType.date, '2023-01-01\n'],
    ['no link', FieldType.link, 'example.com'],
    ['empty', FieldType.link, ''],
    ['a text', FieldType.users, '[3]'],
    ['nobody we know', FieldType.users, [3, 99]],
  ])('is refused that is %s (type of the field: %i)', (_, fieldId, value) => {
    expect(() => say(fieldId, value)).toThrow();
  });

  it('that is empty clears the present one', () => {
    for (const [fieldId, empty] of [
      [FieldType.shortText, ''],
      [FieldType.users, []],
      [FieldType.date, null],
    ] as const) {
      expect(say(fieldId, empty)).toEqual([]);
    }
    expect(values(say(FieldType.shortText, '', say(FieldType.shortText, 'x')))).toEqual([null]);
    expect(values(say(FieldType.users, [], say(FieldType.users, [3])))).toEqual([null]);
  });

  it('is in the sealed part', () => {
    for (const [fieldId, value] of [
      [FieldType.dropdown, 'b'],
      [FieldType.users, [3]],
    ] as const) {
      expect(say(fieldId, value)[0]?.data).toEqual({ userId: ANN, fieldId, fieldType: fieldId });
    }
  });
});

describe('a profile', () => {
  const both = (before: ProfileValueEvent[], ...inputs: ValuePatch[]) =>
    changeProfile(profile(...before), ANN, inputs, { fields: fields(), actor: member, people });

  it('applies all changes or none, and records only differences', () => {
    const input = { fieldId: 1, value: 'x' };
    const before = both([], input);
    const [event, ...none] = both(before, input, { fieldId: 8, value: 'they' });
    expect(event).toMatchObject({ data: { fieldId: 8 } });
    expect(none).toEqual([]);
    expect(() => both([], input, { fieldId: 4, value: 'tomorrow' })).toThrow(/date/);
    expect(() => both([], input, { fieldId: 99, value: null })).toThrow(/not found/);
  });

  it('uses the last of two values for one field', () => {
    expect(values(both([], { fieldId: 1, value: 'x' }, { fieldId: 1, value: 'y' }))).toEqual(['y']);
    expect(() => both([], { fieldId: 4, value: 'x' }, { fieldId: 4, value: null })).toThrow(/date/);
  });

  it('has fields that only administrators edit', () => {
    const input = (role: Role, value: string | null) =>
      changeProfile(profile(), ANN, [{ fieldId: LOCKED, value }], { fields: fields(), actor: { role }, people });
    for (const role of [Role.owner, Role.administrator]) expect(input(role, 'x')).toHaveLength(1);
    for (const role of [Role.moderator, Role.member, Role.guest]) {
      for (const value of ['x', null]) expect(() => input(role, value)).toThrow(/not allowed to change/);
    }
  });

  it('does not contain values of a deleted field', () => {
    const deleted = deleteField(fields(), 1, { role: Role.owner });
    expect(() => say(1, 'y', say(1, 'x'), deleted)).toThrow(/not found/);
    expect(() => say(1, null, say(1, 'x'), deleted)).toThrow(/not found/);
  });

  it('does not contain a removed choice, also when another one gets its key', () => {
    const chosen = say(FieldType.dropdown, 'b');
    const change = (before: ProfileFieldEvent[], ...keys: string[]) =>
      changeField(fields(...before), FieldType.dropdown, { fieldData: choices(...keys), options: {} }, owner);
    const removed = change([], 'a');
    expect(say(FieldType.dropdown, null, chosen, removed)).toEqual([]);
    const back = [...removed, ...change(removed, 'a', 'b')];
    expect(say(FieldType.dropdown, null, chosen, back)).toEqual([]);
    expect(values(say(FieldType.dropdown, 'b', chosen, back))).toEqual(['b']);
    expect(say(FieldType.dropdown, 'b', [...chosen, ...say(FieldType.dropdown, 'b', chosen, back)], back)).toEqual([]);
  });

  it('has no value if its text was erased', () => {
    const [set] = say(1, 'x') as [ProfileValueSet];
    const erased: Recorded<ProfileValueSet> = { ...recorded(set), sealed: 'erased' };
    expect(profileAggregate.evolve(new Map(), erased)).toEqual(new Map());
    expect(profileAggregate.evolve(profile(...say(1, 'before')), erased)).toEqual(new Map());
  });

  it('returns the users in values', () => {
    const inputs: ValuePatch[] = [1, 2].map((fieldId) => ({ fieldId, value: [3, 4] }));
    expect(peopleNamed([...inputs, { fieldId: 3, value: null }, { fieldId: 4, value: '[5]' }])).toEqual([3, 4]);
  });
});
