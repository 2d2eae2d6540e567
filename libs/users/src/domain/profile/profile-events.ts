import type { FactOf, Id } from '@annals/kernel/domain';
import { aboutRealm, defineEvent, nullable, t, userId } from '@annals/kernel/domain';

/** Types of custom profile fields by their number in the API (INTERFACE.md 2.6). */
export const FieldType = {
  shortText: 1,
  longText: 2,
  dropdown: 3,
  date: 4,
  link: 5,
  users: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;
export type FieldType = (typeof FieldType)[keyof typeof FieldType];

export type ProfileFieldId = Id<'profile-field'>;

/**
 * Identifies one choice of a dropdown field for as long as it is offered. The key that clients use is a text of users.
 */
export type ChoiceId = Id<'profile-choice'>;

const fieldId = t.Unsafe<ProfileFieldId>(t.Integer({ minimum: 1 }));
const choiceId = t.Unsafe<ChoiceId>(t.Integer({ minimum: 1 }));
const fieldType = t.Unsafe<FieldType>(t.Integer({ minimum: 1, maximum: 8 }));
const choice = t.Object({ key: t.String(), text: t.String(), order: t.String() });
const options = {
  displayInSummary: t.Boolean(),
  required: t.Boolean(),
  editableByUser: t.Boolean(),
  useForMatching: t.Boolean(),
};

const ofField = ({ fieldId: field }: { readonly fieldId: number }) => [['profile-field', field]] as const;

/**
 * Stream `profile-fields`, like all of these: fields are few, and there are rules about their names, number and order
 * together.
 */
export const ProfileFieldCreated = defineEvent('users.ProfileFieldCreated', {
  data: t.Object({
    fieldId,
    fieldType,
    /** Of external accounts: `custom`, or the name of one that the server supports. */
    subtype: nullable(t.String()),
    /** One for each of `choices`. */
    choiceIds: t.Array(choiceId),
    ...options,
  }),
  sealed: t.Object({
    name: t.String(),
    hint: t.String(),
    choices: t.Array(choice),
    urlPattern: nullable(t.String()),
  }),
  subjects: ofField,
});
export type ProfileFieldCreated = FactOf<typeof ProfileFieldCreated>;

export const ProfileFieldRenamed = defineEvent('users.ProfileFieldRenamed', {
  data: t.Object({ fieldId }),
  sealed: t.Object({ name: t.String() }),
  subjects: ofField,
});
export type ProfileFieldRenamed = FactOf<typeof ProfileFieldRenamed>;

export const ProfileFieldHintChanged = defineEvent('users.ProfileFieldHintChanged', {
  data: t.Object({ fieldId }),
  sealed: t.Object({ hint: t.String() }),
  subjects: ofField,
});
export type ProfileFieldHintChanged = FactOf<typeof ProfileFieldHintChanged>;

/** The choices of a dropdown changed. Values with a removed choice are cleared. */
export const ProfileFieldChoicesChanged = defineEvent('users.ProfileFieldChoicesChanged', {
  data: t.Object({ fieldId, choiceIds: t.Array(choiceId), removed: t.Array(choiceId) }),
  sealed: t.Object({ choices: t.Array(choice) }),
  subjects: ofField,
});
export type ProfileFieldChoicesChanged = FactOf<typeof ProfileFieldChoicesChanged>;

/** The URL pattern of an external account changed. */
export const ProfileFieldUrlPatternChanged = defineEvent('users.ProfileFieldUrlPatternChanged', {
  data: t.Object({ fieldId }),
  sealed: t.Object({ urlPattern: t.String() }),
  subjects: ofField,
});
export type ProfileFieldUrlPatternChanged = FactOf<typeof ProfileFieldUrlPatternChanged>;

/** The display options of a field and whether users may edit it. The event has all of them. */
export const ProfileFieldOptionsChanged = defineEvent('users.ProfileFieldOptionsChanged', {
  data: t.Object({ fieldId, ...options }),
  subjects: ofField,
});
export type ProfileFieldOptionsChanged = FactOf<typeof ProfileFieldOptionsChanged>;

/** The field is deleted with all its values. */
export const ProfileFieldDeleted = defineEvent('users.ProfileFieldDeleted', {
  data: t.Object({ fieldId }),
  subjects: ofField,
});
export type ProfileFieldDeleted = FactOf<typeof ProfileFieldDeleted>;

/** All fields in a new order. */
export const ProfileFieldsReordered = defineEvent('users.ProfileFieldsReordered', {
  data: t.Object({ order: t.Array(fieldId) }),
  subjects: aboutRealm,
});
export type ProfileFieldsReordered = FactOf<typeof ProfileFieldsReordered>;

const ofPerson = ({ userId: user, fieldId: field }: { readonly userId: number; readonly fieldId: number }) =>
  [
    ['user', user],
    ['profile-field', field],
  ] as const;

/** Stream `profile-{user}`, like the next: a user's value of one field. */
export const ProfileValueSet = defineEvent('users.ProfileValueSet', {
  data: t.Object({ userId, fieldId, fieldType }),
  sealed: t.Object({
    /** In the form for clients: the ids of a users field are JSON. */
    value: t.String(),
    /** Of dropdown fields. The choice is sealed, because it says as much of the person as a text. */
    choiceId: nullable(choiceId),
  }),
  subjects: (data) => [...ofPerson(data), ['person', data.userId]],
});
export type ProfileValueSet = FactOf<typeof ProfileValueSet>;

export const ProfileValueCleared = defineEvent('users.ProfileValueCleared', {
  data: t.Object({ userId, fieldId }),
  subjects: ofPerson,
});
export type ProfileValueCleared = FactOf<typeof ProfileValueCleared>;

export type ProfileFieldEvent =
  | ProfileFieldCreated
  | ProfileFieldRenamed
  | ProfileFieldHintChanged
  | ProfileFieldChoicesChanged
  | ProfileFieldUrlPatternChanged
  | ProfileFieldOptionsChanged
  | ProfileFieldDeleted
  | ProfileFieldsReordered;

/** Definitions of `ProfileFieldEvent`. */
export const PROFILE_FIELD_EVENTS = [
  ProfileFieldCreated,
  ProfileFieldRenamed,
  ProfileFieldHintChanged,
  ProfileFieldChoicesChanged,
  ProfileFieldUrlPatternChanged,
  ProfileFieldOptionsChanged,
  ProfileFieldDeleted,
  ProfileFieldsReordered,
] as const;

export type ProfileValueEvent = ProfileValueSet | ProfileValueCleared;
