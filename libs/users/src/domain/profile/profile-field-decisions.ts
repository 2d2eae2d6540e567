import type { Actor } from '@annals/kernel/domain';
import { allowedIf, ensure, fact, isAdministrator } from '@annals/kernel/domain';
import type { FieldData, KnownAccounts, OfferedChoice } from './profile-field-data';
import { checkedFieldData, isKnownAccount } from './profile-field-data';
import type { ChoiceId, ProfileFieldEvent, ProfileFieldId } from './profile-events';
import {
  FieldType,
  ProfileFieldChoicesChanged,
  ProfileFieldCreated,
  ProfileFieldDeleted,
  ProfileFieldHintChanged,
  ProfileFieldOptionsChanged,
  ProfileFieldRenamed,
  ProfileFieldUrlPatternChanged,
  ProfileFieldsReordered,
} from './profile-events';
import type { FieldOptions, ProfileField, ProfileFields } from './profile-fields';
import { reject } from './profile-rejections';

/** Most fields of one organization. */
export const MAX_PROFILE_FIELDS = 100;
const MAX_NAME = 40;
const MAX_HINT = 80;
const MAX_IN_SUMMARY = 2;
/** Control characters, half surrogates and non-characters (contract/conventions.md section 6). */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;
const FOR_MATCHING: readonly FieldType[] = [FieldType.shortText, FieldType.externalAccount];
const NOT_IN_SUMMARY: readonly FieldType[] = [FieldType.users];

/** The properties of a new field. */
export interface NewField {
  readonly type: number;
  readonly name: string;
  readonly hint: string;
  /** As the client sent it. */
  readonly fieldData: unknown;
  readonly options: FieldOptions;
}

/** The requested changes. A property that is left out keeps its value. */
export interface FieldChange {
  readonly name?: string | undefined;
  readonly hint?: string | undefined;
  /** As the client sent it. */
  readonly fieldData?: unknown;
  readonly options: { readonly [Name in keyof FieldOptions]?: boolean | undefined };
}

/** The actor, and the external accounts that the server supports. */
interface Circumstances {
  readonly actor: Pick<Actor, 'role'>;
  readonly known: KnownAccounts;
}

/**
 * INTERFACE.md 4.9
 *
 * @param id of the new field
 */
export function createField(
  fields: ProfileFields,
  id: ProfileFieldId,
  { type, name, hint, fieldData, options }: NewField,
  { actor, known }: Circumstances,
): ProfileFieldEvent[] {
  ensureAdministrator(actor);
  if (!isFieldType(type)) throw reject.badType();
  if (fields.size >= MAX_PROFILE_FIELDS) throw reject.tooManyFields();
  const { choices, subtype, urlPattern } = checkedFieldData(type, fieldData, known);
  const words = known[subtype ?? ''] ?? { name: checkedName(name), hint: checkedHint(hint) };
  ensureOptions(fields, { id, type }, options);
  ensureFree(fields, id, words.name);
  const choiceIds = choices.map((_, place) => (place + 1) as ChoiceId);
  const data = { fieldId: id, fieldType: type, subtype, choiceIds, ...options };
  return [fact(ProfileFieldCreated, data, { name: words.name, hint: words.hint, choices: [...choices], urlPattern })];
}

/** contract/profile-fields.md section 2 */
export function changeField(
  fields: ProfileFields,
  id: number,
  change: FieldChange,
  { actor, known }: Circumstances,
): ProfileFieldEvent[] {
  ensureAdministrator(actor);
  const field = fields.get(id);
  if (!field) throw reject.noSuchField(id);
  const words = isKnownAccount(field) ? [] : wordsChanged(fields, field, change);
  if (isKnownAccount(field)) ensureSame(field, change, known);
  const data =
    change.fieldData === undefined ? [] : dataChanged(field, checkedFieldData(field.type, change.fieldData, known));
  return [...words, ...data, ...optionsChanged(fields, field, change.options)];
}

/** contract/profile-fields.md section 2: deleting a field deletes its values. */
export function deleteField(fields: ProfileFields, id: number, actor: Pick<Actor, 'role'>): ProfileFieldEvent[] {
  ensureAdministrator(actor);
  const field = fields.get(id);
  if (!field) throw reject.noSuchField(id);
  return [fact(ProfileFieldDeleted, { fieldId: field.id })];
}

/** contract/profile-fields.md section 2. Unknown ids are left out. For a repeated id the last place counts. */
export function reorderFields(
  fields: ProfileFields,
  requested: readonly number[],
  actor: Pick<Actor, 'role'>,
): ProfileFieldEvent[] {
  ensureAdministrator(actor);
  const last = new Map(requested.map((id, place) => [id, place]));
  if ([...fields.keys()].some((id) => !last.has(id))) throw reject.incompleteOrder();
  const order = requested.filter((id, place) => fields.has(id) && last.get(id) === place) as ProfileFieldId[];
  return order.every((id, place) => fields.get(id)?.order === place) ? [] : [fact(ProfileFieldsReordered, { order })];
}

const ensureAdministrator = (actor: Pick<Actor, 'role'>): void =>
  ensure(allowedIf(isAdministrator(actor), reject.administratorNeeded));

const isFieldType = (type: number): type is FieldType => (Object.values(FieldType) as number[]).includes(type);

function checkedName(requested: string): string {
  const name = requested.trim();
  if (name === '') throw reject.nameBlank();
  if ([...name].length > MAX_NAME) throw reject.nameTooLong();
  if (UNPRINTABLE.test(name)) throw reject.nameCharacters();
  return name;
}

function checkedHint(hint: string): string {
  if ([...hint].length > MAX_HINT) throw reject.hintTooLong();
  return hint;
}

function ensureFree(fields: ProfileFields, id: number, name: string): void {
  for (const other of fields.values()) if (other.id !== id && other.name === name) throw reject.nameTaken();
}

function ensureOptions(
  fields: ProfileFields,
  { id, type }: Pick<ProfileField, 'id' | 'type'>,
  { displayInSummary, useForMatching }: FieldOptions,
): void {
  if (useForMatching && !FOR_MATCHING.includes(type)) throw reject.notForMatching();
  if (!displayInSummary) return;
  if (NOT_IN_SUMMARY.includes(type)) throw reject.notInSummary();
  const others = [...fields.values()].filter((other) => other.id !== id && other.displayInSummary);
  if (others.length >= MAX_IN_SUMMARY) throw reject.summaryFull();
}

/** Clients send everything that they know of a field. For a field with predefined texts they must be those texts. */
function ensureSame(field: ProfileField, { name, hint, fieldData }: FieldChange, known: KnownAccounts): void {
  const sameName = name === undefined || name.trim() === field.name;
  const sameHint = hint === undefined || hint === field.hint;
  const sameAccount =
    fieldData === undefined || checkedFieldData(field.type, fieldData, known).subtype === field.subtype;
  if (!sameName || !sameHint || !sameAccount) throw reject.defaultAccountFixed();
}

function wordsChanged(fields: ProfileFields, field: ProfileField, change: FieldChange): ProfileFieldEvent[] {
  const { id: fieldId } = field;
  const events: ProfileFieldEvent[] = [];
  const name = change.name === undefined ? field.name : checkedName(change.name);
  const hint = change.hint === undefined ? field.hint : checkedHint(change.hint);
  if (name !== null && name !== field.name) {
    ensureFree(fields, fieldId, name);
    events.push(fact(ProfileFieldRenamed, { fieldId }, { name }));
  }
  if (hint !== field.hint) events.push(fact(ProfileFieldHintChanged, { fieldId }, { hint }));
  return events;
}

function dataChanged(field: ProfileField, { choices, subtype, urlPattern }: FieldData): ProfileFieldEvent[] {
  const { id: fieldId } = field;
  if (subtype !== field.subtype) throw reject.accountFixed();
  if (urlPattern !== null && urlPattern !== field.urlPattern) {
    return [fact(ProfileFieldUrlPatternChanged, { fieldId }, { urlPattern })];
  }
  if (sameChoices(field.choices, choices)) return [];
  let made = field.choicesMade;
  const kept = new Map(field.choices.map(({ key, id }) => [key, id]));
  const choiceIds = choices.map(({ key }) => kept.get(key) ?? ((made += 1) as ChoiceId));
  const removed = field.choices.map(({ id }) => id).filter((id) => !choiceIds.includes(id));
  return [fact(ProfileFieldChoicesChanged, { fieldId, choiceIds, removed }, { choices: [...choices] })];
}

const sameChoices = (before: readonly OfferedChoice[], after: FieldData['choices']): boolean =>
  JSON.stringify(before.map(({ key, text, order }) => [key, text, order])) ===
  JSON.stringify(after.map(({ key, text, order }) => [key, text, order]));

function optionsChanged(
  fields: ProfileFields,
  field: ProfileField,
  input: FieldChange['options'],
): ProfileFieldEvent[] {
  const options: FieldOptions = {
    displayInSummary: input.displayInSummary ?? field.displayInSummary,
    required: input.required ?? field.required,
    editableByUser: input.editableByUser ?? field.editableByUser,
    useForMatching: input.useForMatching ?? field.useForMatching,
  };
  ensureOptions(fields, field, options);
  const isSame = (Object.keys(options) as (keyof FieldOptions)[]).every((name) => options[name] === field[name]);
  return isSame ? [] : [fact(ProfileFieldOptionsChanged, { fieldId: field.id, ...options })];
}
