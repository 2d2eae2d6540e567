import type { Aggregate, Recorded } from '@annals/kernel/domain';
import type { FieldData, OfferedChoice } from './profile-field-data';
import type { ChoiceId, FieldType, ProfileFieldCreated, ProfileFieldEvent, ProfileFieldId } from './profile-events';

/** The display options of a field and whether users may edit it. */
export interface FieldOptions {
  readonly displayInSummary: boolean;
  /** For clients only. The server does not require it. */
  readonly required: boolean;
  readonly editableByUser: boolean;
  readonly useForMatching: boolean;
}

/** A custom profile field of an organization. */
export interface ProfileField extends FieldOptions, FieldData {
  readonly id: ProfileFieldId;
  readonly type: FieldType;
  /** Null once it was erased. Then another field may have the name. */
  readonly name: string | null;
  readonly hint: string;
  readonly order: number;
  readonly choices: readonly OfferedChoice[];
  /** Number of choices that it ever had. The next one gets the next number. */
  readonly choicesMade: number;
}

/** All fields of an organization that are not deleted. */
export type ProfileFields = ReadonlyMap<number, ProfileField>;

/** Key and name of the one stream of an organization's custom profile fields. */
export const PROFILE_FIELDS = 'profile-fields';

export const profileFieldsAggregate: Aggregate<ProfileFields, ProfileFieldEvent, typeof PROFILE_FIELDS> = {
  stream: (key) => key,
  initial: new Map(),
  evolve(fields, event) {
    switch (event.type) {
      case 'users.ProfileFieldCreated':
        return new Map([...fields, [event.data.fieldId, created(event)]]);
      case 'users.ProfileFieldDeleted':
        return new Map([...fields].filter(([id]) => id !== event.data.fieldId));
      case 'users.ProfileFieldsReordered': {
        const places = new Map(event.data.order.map((id, place) => [id, place]));
        return new Map(
          [...fields].map(([id, field]) => [id, { ...field, order: places.get(field.id) ?? field.order }]),
        );
      }
      default: {
        const field = fields.get(event.data.fieldId);
        return field ? new Map([...fields, [field.id, { ...field, ...changed(field, event) }]]) : fields;
      }
    }
  },
};

/** The name of a field whose text was erased. */
export const erasedFieldName = (id: number): string => `Field ${id}`;

function created({ data, sealed }: Recorded<ProfileFieldCreated>): ProfileField {
  const { fieldId: id, fieldType: type, subtype, choiceIds, ...options } = data;
  const words = sealed === 'erased' ? { name: null, hint: '', urlPattern: null } : sealed;
  const choices = offered(choiceIds, sealed === 'erased' ? null : sealed.choices);
  return { id, type, subtype, ...words, choices, choicesMade: choiceIds.length, order: id, ...options };
}

type Happened = Exclude<
  Recorded<ProfileFieldEvent>,
  { type: 'users.ProfileFieldCreated' | 'users.ProfileFieldDeleted' | 'users.ProfileFieldsReordered' }
>;

function changed(field: ProfileField, event: Happened): Partial<ProfileField> {
  switch (event.type) {
    case 'users.ProfileFieldRenamed':
      return { name: event.sealed === 'erased' ? null : event.sealed.name };
    case 'users.ProfileFieldHintChanged':
      return { hint: event.sealed === 'erased' ? '' : event.sealed.hint };
    case 'users.ProfileFieldUrlPatternChanged':
      return { urlPattern: event.sealed === 'erased' ? null : event.sealed.urlPattern };
    case 'users.ProfileFieldChoicesChanged': {
      const { choiceIds } = event.data;
      const choices = offered(choiceIds, event.sealed === 'erased' ? null : event.sealed.choices);
      return { choices, choicesMade: Math.max(field.choicesMade, ...choiceIds) };
    }
    case 'users.ProfileFieldOptionsChanged': {
      const { fieldId: _, ...options } = event.data;
      return options;
    }
  }
}

/** @param choices null when they were erased */
export const offered = (ids: readonly ChoiceId[], choices: FieldData['choices'] | null): OfferedChoice[] =>
  ids.map((id, place) => ({
    id,
    ...(choices?.[place] ?? { key: `${id}`, text: `Choice ${id}`, order: `${place + 1}` }),
  }));
