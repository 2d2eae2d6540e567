import { isWebLink } from './links';
import type { ChoiceId } from './profile-events';
import { FieldType } from './profile-events';
import { reject } from './profile-rejections';

/** Most choices of one dropdown. */
export const MAX_CHOICES = 200;
const MAX_CHOICE_WORD = 100;
const CUSTOM = 'custom';
const USERNAME = '%(username)s';

/** One choice of a dropdown, as clients send it. */
export interface Choice {
  /** The key that values contain. */
  readonly key: string;
  readonly text: string;
  readonly order: string;
}

/** The type-specific data of a field: choices of a dropdown, or the external account. */
export interface FieldData {
  readonly choices: readonly Choice[];
  /** `custom`, or the name of an account that the server supports. Null for fields of other types. */
  readonly subtype: string | null;
  readonly urlPattern: string | null;
}

/** External accounts that the server supports, by subtype. Their texts are predefined. */
export type KnownAccounts = Readonly<Record<string, { readonly name: string; readonly hint: string }>>;

const NOTHING: FieldData = { choices: [], subtype: null, urlPattern: null };

/**
 * Checks `field_data` of a client. It is ignored for types that need none.
 *
 * @throws Rejected BAD_REQUEST (contract/profile-fields.md section 3)
 */
export function checkedFieldData(type: FieldType, given: unknown, known: KnownAccounts): FieldData {
  if (type === FieldType.dropdown) return { ...NOTHING, choices: checkedChoices(given) };
  if (type === FieldType.externalAccount) return { ...NOTHING, ...checkedAccount(given, known) };
  return NOTHING;
}

/** Whether the texts of the external account are predefined. */
export const isKnownAccount = ({ subtype }: Pick<FieldData, 'subtype'>): boolean =>
  subtype !== null && subtype !== CUSTOM;

function checkedChoices(given: unknown): Choice[] {
  const entries = Object.entries(given ?? {});
  if (entries.length === 0) throw reject.noChoice();
  if (entries.length > MAX_CHOICES) throw reject.tooManyChoices();
  const choices = entries.map(([key, choice]) => checkedChoice(key, choice));
  if (new Set(choices.map(({ text }) => text)).size < choices.length) throw reject.choicesAlike();
  return choices;
}

function checkedChoice(key: string, choice: unknown): Choice {
  const { text, order, ...more } = isDictionary(choice) ? choice : {};
  if (!isWord(key) || !isWord(text) || !isWord(order) || Object.keys(more).length > 0) throw reject.badChoice();
  return { key, text, order };
}

function checkedAccount(given: unknown, known: KnownAccounts): Pick<FieldData, 'subtype' | 'urlPattern'> {
  const { subtype, url_pattern: urlPattern, ...more } = isDictionary(given) ? given : {};
  if (typeof subtype !== 'string' || Object.keys(more).length > 0) throw reject.badAccount();
  if (urlPattern !== undefined && !isPattern(urlPattern)) throw reject.badPattern();
  if (Object.hasOwn(known, subtype)) return { subtype, urlPattern: null };
  if (subtype !== CUSTOM) throw reject.unknownAccount();
  if (urlPattern === undefined) throw reject.patternMissing();
  return { subtype, urlPattern };
}

const isDictionary = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && [...value].length <= MAX_CHOICE_WORD;

const isPattern = (value: unknown): value is string =>
  typeof value === 'string' && value.split(USERNAME).length === 2 && isWebLink(value.replace(USERNAME, 'username'));

/** A choice that is or was offered. */
export interface OfferedChoice extends Choice {
  readonly id: ChoiceId;
}

/** `field_data` for clients: JSON text, empty if the type has none (contract/profile-fields.md section 1). */
export function fieldDataText(type: FieldType, { choices, subtype, urlPattern }: FieldData): string {
  if (type === FieldType.dropdown) {
    return JSON.stringify(Object.fromEntries(choices.map(({ key, text, order }) => [key, { text, order }])));
  }
  if (type !== FieldType.externalAccount) return '';
  return JSON.stringify({ subtype, ...(urlPattern !== null && { url_pattern: urlPattern }) });
}
