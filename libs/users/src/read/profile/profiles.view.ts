import { defineProjection, on } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { ProfileDeleted } from '../../domain/events';
import type { Choice } from '../../domain/profile/profile-field-data';
import { fieldDataText } from '../../domain/profile/profile-field-data';
import { FieldType } from '../../domain/profile/profile-events';
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
} from '../../domain/profile/profile-events';
import { erasedFieldName, offered } from '../../domain/profile/profile-fields';
import { profileValuesPast } from './profile-values-past';

/**
 * Custom profile fields and their values. A value that a user cleared leaves a row without one, so that `last_position`
 * shows what changed for caches of texts. If values are removed with a field or a choice, however many,
 * `profile_removals` has one row.
 */
export const profilesView = defineProjection({
  name: 'profiles',
  version: 2,
  lifecycle: 'inline',
  tables: {
    profile_fields: {
      columns: {
        field_id: 'int8',
        type: 'int2',
        subtype: 'text',
        name: 'text',
        hint: 'text',
        /** In the form for clients. */
        field_data: 'text',
        sort_order: 'int4',
        display_in_summary: 'bool',
        required: 'bool',
        editable_by_user: 'bool',
        use_for_matching: 'bool',
      },
      key: ['field_id'],
      sealed: ['name', 'hint', 'field_data'],
    },
    profile_values: {
      columns: { user_id: 'int8', field_id: 'int8', type: 'int2', value: 'text', choice_id: 'int8' },
      key: ['user_id', 'field_id'],
      indexes: [{ on: ['field_id', 'choice_id'] }, { on: ['last_position'] }],
      sealed: ['value', 'choice_id'],
      past: profileValuesPast,
    },
    /** The position at which values of a field were last removed without a change of their rows. */
    profile_removals: { columns: { field_id: 'int8', position: 'int8' }, key: ['field_id'] },
  },
  handlers: [
    on(ProfileFieldCreated, (event, rows) => rows.insert('profile_fields', createdRow(event))),
    on(ProfileFieldRenamed, ({ data: { fieldId }, sealed }, rows) => {
      const name = sealed === 'erased' ? erasedFieldName(fieldId) : sealed.name;
      rows.update('profile_fields', { field_id: fieldId }, { name });
    }),
    on(ProfileFieldHintChanged, ({ data: { fieldId }, sealed }, rows) => {
      rows.update('profile_fields', { field_id: fieldId }, { hint: sealed === 'erased' ? '' : sealed.hint });
    }),
    on(ProfileFieldUrlPatternChanged, ({ data: { fieldId }, sealed }, rows) => {
      const urlPattern = sealed === 'erased' ? null : sealed.urlPattern;
      const field_data = fieldDataText(FieldType.externalAccount, { choices: [], subtype: 'custom', urlPattern });
      rows.update('profile_fields', { field_id: fieldId }, { field_data });
    }),
    on(ProfileFieldChoicesChanged, ({ data: { fieldId, choiceIds, removed }, sealed, position }, rows) => {
      const choices = offered(choiceIds, sealed === 'erased' ? null : sealed.choices);
      rows.update('profile_fields', { field_id: fieldId }, { field_data: dropdownText(choices) });
      for (const choice of removed) rows.delete('profile_values', { field_id: fieldId, choice_id: choice });
      if (removed.length > 0) rows.upsert('profile_removals', { field_id: fieldId, position });
    }),
    on(ProfileFieldOptionsChanged, ({ data: { fieldId, ...options } }, rows) => {
      rows.update('profile_fields', { field_id: fieldId }, optionColumns(options));
    }),
    on(ProfileFieldDeleted, ({ data: { fieldId }, position }, rows) => {
      rows.delete('profile_fields', { field_id: fieldId });
      rows.delete('profile_values', { field_id: fieldId });
      rows.upsert('profile_removals', { field_id: fieldId, position });
    }),
    on(ProfileFieldsReordered, ({ data: { order } }, rows) => {
      for (const [place, field_id] of order.entries())
        rows.update('profile_fields', { field_id }, { sort_order: place });
    }),
    on(ProfileValueSet, ({ data: { userId, fieldId, fieldType }, sealed }, rows) => {
      const { value, choiceId } = sealed === 'erased' ? { value: null, choiceId: null } : sealed;
      rows.upsert('profile_values', {
        user_id: userId,
        field_id: fieldId,
        type: fieldType,
        value,
        choice_id: choiceId,
      });
    }),
    on(ProfileDeleted, ({ data: { userId } }, rows) => rows.delete('profile_values', { user_id: userId })),
    on(ProfileValueCleared, ({ data: { userId, fieldId } }, rows) => {
      rows.update('profile_values', { user_id: userId, field_id: fieldId }, { value: null, choice_id: null });
    }),
  ],
});

const dropdownText = (choices: readonly Choice[]): string =>
  fieldDataText(FieldType.dropdown, { choices, subtype: null, urlPattern: null });

function createdRow({ data, sealed }: Recorded<ProfileFieldCreated>) {
  const { fieldId, fieldType, subtype, choiceIds, ...options } = data;
  const erased = { name: erasedFieldName(fieldId), hint: '', urlPattern: null, choices: null };
  const { name, hint, urlPattern, choices } = sealed === 'erased' ? erased : sealed;
  return {
    field_id: fieldId,
    type: fieldType,
    subtype,
    name,
    hint,
    field_data: fieldDataText(fieldType, { choices: offered(choiceIds, choices), subtype, urlPattern }),
    sort_order: fieldId,
    ...optionColumns(options),
  };
}

const optionColumns = (options: Omit<ProfileFieldOptionsChanged['data'], 'fieldId'>) => ({
  display_in_summary: options.displayInSummary,
  required: options.required,
  editable_by_user: options.editableByUser,
  use_for_matching: options.useForMatching,
});
