import type { Static } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { BooleanParam, IntegerParam, IntegersParam, JsonParam, PathId, TextParam } from '@annals/web';
import { MAX_CHOICES } from '../domain/profile/profile-field-data';
import type { FieldChange, NewField } from '../domain/profile/profile-field-decisions';
import { MAX_PROFILE_FIELDS } from '../domain/profile/profile-field-decisions';
import type { ValuePatch } from '../domain/profile/profile-values';
import { MAX_PEOPLE, MAX_VALUES } from '../domain/profile/profile-values';

/** The allowed content depends on the type of the field. */
const fieldData = t.Record(t.String(), t.Unknown(), {
  maxProperties: MAX_CHOICES,
  description:
    'Of a dropdown its choices by their keys, each with `text` and `order`; of an external account `subtype`, and `url_pattern` for `custom`.',
});

/** contract/profile-fields.md section 2 */
export class CreateProfileFieldParams {
  @IntegerParam({ min: 1, max: 8 }) field_type: number;
  @TextParam({ about: 'At most 40 characters; not needed for external accounts that the server knows.' }) name = '';
  @TextParam({ about: 'At most 80 characters.' }) hint = '';
  @JsonParam(fieldData, { optional: true }) field_data?: Static<typeof fieldData>;
  @BooleanParam() display_in_profile_summary = false;
  @BooleanParam() required = false;
  @BooleanParam() editable_by_user = true;
  @BooleanParam() use_for_user_matching = false;
}

export class ChangeProfileFieldParams {
  @PathId() field_id: number;
  @TextParam({ optional: true }) name?: string;
  @TextParam({ optional: true }) hint?: string;
  @JsonParam(fieldData, { optional: true }) field_data?: Static<typeof fieldData>;
  @BooleanParam({ optional: true }) display_in_profile_summary?: boolean;
  @BooleanParam({ optional: true }) required?: boolean;
  @BooleanParam({ optional: true }) editable_by_user?: boolean;
  @BooleanParam({ optional: true }) use_for_user_matching?: boolean;
}

export class DeleteProfileFieldParams {
  @PathId() field_id: number;
}

export class ReorderProfileFieldsParams {
  @IntegersParam({ maxItems: 10 * MAX_PROFILE_FIELDS }) order: readonly number[];
}

/** Values by field, as clients send them. */
export const profileValues = t.Array(
  t.Object(
    { id: t.Integer(), value: t.Union([t.Null(), t.String(), t.Array(t.Integer(), { maxItems: MAX_PEOPLE })]) },
    { additionalProperties: false },
  ),
  { maxItems: MAX_VALUES },
);
export type WireValues = Static<typeof profileValues>;

export class UpdateOwnProfileParams {
  @JsonParam(profileValues) data: WireValues;
}

export class ClearOwnProfileParams {
  @IntegersParam({ maxItems: MAX_VALUES }) data: readonly number[];
}

const optionsOf = (p: Omit<CreateProfileFieldParams, 'field_type' | 'name' | 'hint'>) => ({
  displayInSummary: p.display_in_profile_summary,
  required: p.required,
  editableByUser: p.editable_by_user,
  useForMatching: p.use_for_user_matching,
});

export const toNewField = (p: CreateProfileFieldParams): NewField => ({
  type: p.field_type,
  name: p.name,
  hint: p.hint,
  fieldData: p.field_data,
  options: optionsOf(p),
});

export const toFieldChange = (p: ChangeProfileFieldParams): FieldChange => ({
  name: p.name,
  hint: p.hint,
  fieldData: p.field_data,
  options: {
    displayInSummary: p.display_in_profile_summary,
    required: p.required,
    editableByUser: p.editable_by_user,
    useForMatching: p.use_for_user_matching,
  },
});

export const toValuePatches = (values: WireValues): ValuePatch[] =>
  values.map(({ id, value }) => ({ fieldId: id, value }));

/** Administrators clear a value with any empty input, for all types (contract/users.md section 4). */
export const withoutEmpty = (inputs: readonly ValuePatch[]): ValuePatch[] =>
  inputs.map(({ fieldId, value }) => ({ fieldId, value: value?.length === 0 ? null : value }));
