import { Kernel } from '@annals/kernel';
import type { RegisterBlock } from '@annals/kernel';
import type { Actor, RealmId } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ClientBase, Pool } from 'pg';
import { fieldDataText } from '../../domain/profile/profile-field-data';
import type { ProfileField } from '../../domain/profile/profile-fields';
import { erasedFieldName } from '../../domain/profile/profile-fields';

/** A custom profile field as it is shown. */
type ShownField = Omit<ProfileField, 'choices' | 'choicesMade' | 'subtype' | 'urlPattern'> & {
  /** JSON, empty if the type has none. */
  readonly fieldData: string;
};

/** All fields of an organization in their order. */
export async function readProfileFields(client: Pool | ClientBase, realmId: RealmId): Promise<ShownField[]> {
  const { rows } = await client.query<ShownField>({
    name: 'profile-fields',
    text: `SELECT field_id AS id, type, name, hint, field_data AS "fieldData", sort_order AS order, required,
        display_in_summary AS "displayInSummary", editable_by_user AS "editableByUser", use_for_matching AS "useForMatching"
      FROM view.profile_fields WHERE realm_id = $1 ORDER BY sort_order, field_id`,
    values: [realmId],
  });
  return rows;
}

/** A field at a position of the log. */
export const shownField = (field: ProfileField): ShownField => ({
  ...field,
  fieldData: fieldDataText(field.type, field),
});

/** The field object (contract/profile-fields.md section 1). */
export const presentField = (field: ShownField) => ({
  id: field.id,
  type: field.type,
  order: field.order,
  name: field.name ?? erasedFieldName(field.id),
  hint: field.hint,
  field_data: field.fieldData,
  required: field.required,
  editable_by_user: field.editableByUser,
  ...(field.displayInSummary && { display_in_profile_summary: true as const }),
  ...(field.useForMatching && { use_for_user_matching: true as const }),
});

/** contract/profile-fields.md section 2 */
export class ListProfileFields extends Query<ShownField[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListProfileFields)
export class ListProfileFieldsHandler implements IQueryHandler<ListProfileFields> {
  constructor(private readonly kernel: Kernel) {}

  execute({ by }: ListProfileFields): Promise<ShownField[]> {
    return readProfileFields(this.kernel.database.pool, by.realmId);
  }
}

/** Names of the types on settings pages (contract/boot.md section 4.1). */
const TYPES = Object.fromEntries(
  (
    [
      ['SHORT_TEXT', 'Text (short)'],
      ['LONG_TEXT', 'Text (long)'],
      ['SELECT', 'List of options'],
      ['DATE', 'Date'],
      ['URL', 'Link'],
      ['USER', 'Users'],
      ['EXTERNAL_ACCOUNT', 'External account'],
      ['PRONOUNS', 'Pronouns'],
    ] as const
  ).map(([type, name], place) => [type, { id: place + 1, name }]),
);

/** contract/boot.md section 4.1 */
export const profileFieldsRegisterBlock: RegisterBlock = {
  keys: ['custom_profile_fields'],
  async read({ client, realmId }) {
    const fields = await readProfileFields(client, realmId);
    return { custom_profile_fields: fields.map(presentField), custom_profile_field_types: TYPES };
  },
};
