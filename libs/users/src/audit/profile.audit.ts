import type { EventDescription, PropertyValue } from '@annals/kernel';
import { describeEvent, possessive, quoted, thing, wordsOf } from '@annals/kernel';
import {
  ProfileFieldChoicesChanged,
  ProfileFieldCreated,
  ProfileFieldDeleted,
  ProfileFieldHintChanged,
  ProfileFieldOptionsChanged,
  ProfileFieldRenamed,
  ProfileFieldUrlPatternChanged,
  ProfileFieldsReordered,
  ProfileValueCleared,
  ProfileValueSet,
} from '../domain/profile/profile-events';

const { profileField: field } = thing;

interface Options {
  readonly fieldId: number;
  readonly displayInSummary: boolean;
  readonly required: boolean;
  readonly editableByUser: boolean;
  readonly useForMatching: boolean;
}

const optionsOf = ({ fieldId: of, ...options }: Options): PropertyValue[] => [
  { property: 'display_in_profile_summary', of, after: options.displayInSummary },
  { property: 'required', of, after: options.required },
  { property: 'editable_by_user', of, after: options.editableByUser },
  { property: 'use_for_user_matching', of, after: options.useForMatching },
];

const created = describeEvent(ProfileFieldCreated, {
  meaning: 'The organization has another custom profile field.',
  commands: ['CreateProfileField'],
  sentence: ({ data }) => ['created ', field(data.fieldId)],
  begins: (event) => {
    const of = event.data.fieldId;
    return [
      { property: 'name', of, after: wordsOf(event, ({ name }) => name) },
      { property: 'hint', of, after: wordsOf(event, ({ hint }) => hint) },
      { property: 'choices', of, after: wordsOf(event, ({ choices }) => choices) },
      { property: 'url_pattern', of, after: wordsOf(event, ({ urlPattern }) => urlPattern) },
      ...optionsOf(event.data),
    ];
  },
  names: (event) => [{ thing: field(event.data.fieldId), name: wordsOf(event, ({ name }) => name) }],
});

const renamed = describeEvent(ProfileFieldRenamed, {
  meaning: 'A custom profile field has another name.',
  commands: ['ChangeProfileField'],
  sentence: ({ data: { fieldId } }) => [
    'renamed ',
    field(fieldId, { before: true }),
    ' to ',
    field(fieldId, { bare: true }),
  ],
  changes: (event) => [{ property: 'name', of: event.data.fieldId, after: wordsOf(event, ({ name }) => name) }],
  names: (event) => [{ thing: field(event.data.fieldId), name: wordsOf(event, ({ name }) => name) }],
});

const hintChanged = describeEvent(ProfileFieldHintChanged, {
  meaning: 'A custom profile field has another hint.',
  commands: ['ChangeProfileField'],
  sentence: (event) => {
    const hint = wordsOf(event, (words) => words.hint);
    return ['changed the hint of ', field(event.data.fieldId), ' to ', quoted(hint, 'another text')];
  },
  changes: (event) => [
    { property: 'hint', of: event.data.fieldId, after: wordsOf(event, ({ hint }) => hint), isWords: true },
  ],
});

const choicesChanged = describeEvent(ProfileFieldChoicesChanged, {
  meaning: 'The choices of a dropdown field changed. Values with a removed choice are cleared.',
  commands: ['ChangeProfileField'],
  sentence: ({ data }) => ['changed the choices of ', field(data.fieldId)],
  changes: (event) => [
    { property: 'choices', of: event.data.fieldId, after: wordsOf(event, ({ choices }) => choices), isWords: true },
  ],
});

const urlPatternChanged = describeEvent(ProfileFieldUrlPatternChanged, {
  meaning: 'The links of an external account field have another pattern.',
  commands: ['ChangeProfileField'],
  sentence: ({ data }) => ['changed the URL pattern of ', field(data.fieldId)],
  changes: (event) => {
    const after = wordsOf(event, ({ urlPattern }) => urlPattern);
    return [{ property: 'url_pattern', of: event.data.fieldId, after, isWords: true }];
  },
});

const optionsChanged = describeEvent(ProfileFieldOptionsChanged, {
  meaning: 'Display options of a custom profile field were set, or whether users may edit it.',
  commands: ['ChangeProfileField'],
  sentence: ({ data }) => ['changed the options of ', field(data.fieldId)],
  changes: ({ data }) => optionsOf(data),
});

const deleted = describeEvent(ProfileFieldDeleted, {
  meaning: 'A custom profile field was deleted with all its values.',
  commands: ['DeleteProfileField'],
  sentence: ({ data }) => ['deleted ', field(data.fieldId), ' with all its values'],
});

const reordered = describeEvent(ProfileFieldsReordered, {
  meaning: 'The custom profile fields have another order.',
  commands: ['ReorderProfileFields'],
  sentence: () => ['changed the order of the profile fields'],
  changes: ({ data }) => [{ property: 'order', after: data.order }],
});

const valueSet = describeEvent(ProfileValueSet, {
  meaning: 'A user has a value of a custom profile field.',
  commands: ['UpdateOwnProfile', 'UpdateUser', 'DirectorySync'],
  sentence: (event) => {
    const { userId, fieldId } = event.data;
    const value = quoted(
      wordsOf(event, (words) => words.value),
      'a value',
    );
    return [
      'set ',
      field(fieldId),
      ' of ',
      event.actorId === userId ? 'their profile' : thing.user(userId),
      ' to ',
      value,
    ];
  },
  changes: (event) => {
    const after = wordsOf(event, ({ value }) => value);
    return [{ property: 'value', of: event.data.fieldId, after, isWords: true }];
  },
});

const valueCleared = describeEvent(ProfileValueCleared, {
  meaning: 'A user has no value of a custom profile field any more.',
  commands: ['UpdateOwnProfile', 'UpdateUser', 'DirectorySync'],
  sentence: (event) => [
    'cleared ',
    field(event.data.fieldId),
    ' in ',
    ...possessive(event, event.data.userId),
    ' profile',
  ],
  changes: ({ data }) => [{ property: 'value', of: data.fieldId, after: null, isWords: true }],
});

export const profileDescriptions: readonly EventDescription[] = [
  created,
  renamed,
  hintChanged,
  choicesChanged,
  urlPatternChanged,
  optionsChanged,
  deleted,
  reordered,
  valueSet,
  valueCleared,
];
