import type { Actor, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact, isAdministrator } from '@annals/kernel/domain';
import { isWebLink } from './links';
import type { ChoiceId, ProfileFieldId, ProfileValueEvent } from './profile-events';
import { FieldType, ProfileValueCleared, ProfileValueSet } from './profile-events';
import type { ProfileField, ProfileFields } from './profile-fields';
import { erasedFieldName } from './profile-fields';
import { reject } from './profile-rejections';

/** Most users in one value, and most values of one request. */
export const MAX_PEOPLE = 200;
export const MAX_VALUES = 200;
const MAX_SHORT = 50;
const MAX_LONG = 500;

/** A value of a field, as it is stored. */
export interface StoredValue {
  readonly value: string;
  /** Null for fields that are not dropdowns. */
  readonly choiceId: ChoiceId | null;
}

/** A user's values by field, also those of fields and choices that were deleted since. */
export type Profile = ReadonlyMap<ProfileFieldId, StoredValue>;

export const profileAggregate = defineAggregate<Profile, ProfileValueEvent, UserId>(
  'profile',
  new Map(),
  (profile, event) => {
    const { fieldId } = event.data;
    const others = [...profile].filter(([id]) => id !== fieldId);
    if (event.type === 'users.ProfileValueCleared' || event.sealed === 'erased') return new Map(others);
    return new Map([...others, [fieldId, event.sealed]]);
  },
);

/** A new value of a field, from the client. Null clears it. */
export interface ValuePatch {
  readonly fieldId: number;
  readonly value: string | readonly number[] | null;
}

/** The facts for a change of a profile. */
export interface ProfileRules {
  readonly fields: ProfileFields;
  readonly actor: Pick<Actor, 'role'>;
  /**
   * Those of `peopleNamed` that are people with active accounts and visible to the actor. The append must guard that
   * they are active.
   */
  readonly people: ReadonlySet<number>;
}

/** All users in these values. */
export const peopleNamed = (inputs: readonly ValuePatch[]): number[] => [
  ...new Set(inputs.flatMap(({ value }) => (typeof value === 'object' ? (value ?? []) : []))),
];

/**
 * Changes values of a profile, all of them or none. For a field that is named twice the last value counts (INTERFACE.md
 * 4.5 and 4.13).
 *
 * @throws Rejected BAD_REQUEST for the first value that is refused
 */
export function changeProfile(
  profile: Profile,
  userId: UserId,
  inputs: readonly ValuePatch[],
  rules: ProfileRules,
): ProfileValueEvent[] {
  const requested = new Map<ProfileField, StoredValue | null>();
  for (const { fieldId, value } of inputs) {
    const field = rules.fields.get(fieldId);
    if (!field) throw reject.noSuchField(fieldId);
    if (!field.editableByUser && !isAdministrator(rules.actor)) throw reject.fieldNotEditable();
    requested.set(field, value === null ? null : checkedValue(field, value, rules.people));
  }
  return [...requested].flatMap(([field, value]): ProfileValueEvent[] => {
    const held = heldIn(profile, field);
    if (held?.value === value?.value) return [];
    const { id: fieldId, type: fieldType } = field;
    if (value === null) return [fact(ProfileValueCleared, { userId, fieldId })];
    return [fact(ProfileValueSet, { userId, fieldId, fieldType }, value)];
  });
}

/** The value of a field. A value with a choice that was removed since does not count. */
function heldIn(profile: Profile, { id, choices }: ProfileField): StoredValue | null {
  const held = profile.get(id);
  if (!held) return null;
  return held.choiceId === null || choices.some((choice) => choice.id === held.choiceId) ? held : null;
}

/** @returns null for an empty value */
function checkedValue(
  field: ProfileField,
  value: string | readonly number[],
  people: ReadonlySet<number>,
): StoredValue | null {
  const name = field.name ?? erasedFieldName(field.id);
  if (field.type === FieldType.users) {
    if (typeof value === 'string') throw reject.notAList(name);
    return value.length === 0 ? null : simple(JSON.stringify(checkedPeople(value, people, name)));
  }
  if (typeof value !== 'string') throw reject.notText(name);
  switch (field.type) {
    case FieldType.dropdown: {
      const choice = field.choices.find(({ key }) => key === value);
      if (!choice) throw reject.notAChoice(name);
      return { value, choiceId: choice.id };
    }
    case FieldType.date:
      if (!isDate(value)) throw reject.notADate(name);
      return simple(value);
    case FieldType.link:
      if (!isWebLink(value)) throw reject.notALink(name);
      return simple(value);
    default:
      if ([...value].length > (field.type === FieldType.longText ? MAX_LONG : MAX_SHORT)) throw reject.tooLong(name);
      return value === '' ? null : simple(value);
  }
}

const simple = (value: string): StoredValue => ({ value, choiceId: null });

/** Each once, however often they occur. */
function checkedPeople(ids: readonly number[], people: ReadonlySet<number>, name: string): readonly number[] {
  if (ids.length > MAX_PEOPLE) throw reject.tooLong(name);
  const wrong = ids.find((id) => !people.has(id));
  if (wrong !== undefined) throw reject.notAPerson(wrong);
  return [...new Set(ids)];
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether this is a day of the calendar, `YYYY-MM-DD`. */
function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (DATE.exec(text) ?? []).map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return year > 0 && day > 0 && day <= days;
}
