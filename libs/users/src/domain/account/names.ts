import { reject } from '../rejections';

const MIN = 2;
const MAX = 100;
/** Control characters, half surrogates and non-characters (contract/conventions.md section 6). */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;
/** Characters that end or break a mention of the name. */
const BREAKS_MENTIONS = /[*`\\>"@]/;
/** `Ann|7` would be read as a mention of account 7. */
const LOOKS_LIKE_ID = /\|\d+$/;

/**
 * A name of an account, trimmed (contract/users.md section 3).
 *
 * @throws Rejected BAD_REQUEST
 */
export function checkedFullName(requested: string): string {
  const name = requested.trim();
  const length = [...name].length;
  if (length < MIN) throw reject.nameTooShort();
  if (length > MAX) throw reject.nameTooLong();
  if (UNPRINTABLE.test(name) || BREAKS_MENTIONS.test(name)) throw reject.nameCharacters();
  if (LOOKS_LIKE_ID.test(name)) throw reject.nameFormat();
  return name;
}

/** The key by which names are compared if they must be unique. */
export const personKey = (fullName: string): string => fullName.normalize('NFKC').toLowerCase();

/** Longest email, in characters. */
export const MAX_EMAIL = 254;

/** Emails with one key are the same email. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/**
 * Whether two emails that somebody proved differ at most in the case of Latin letters. Lower case alone is not enough: that of the
 * Kelvin sign is `k`, and whoever owns one of the two emails may not own the other.
 */
export const isSameEmail = (a: string, b: string): boolean => withoutLatinCase(a) === withoutLatinCase(b);

const withoutLatinCase = (email: string) => email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

const ERASED = 'erased.invalid';
/** Replaces an email that was erased. */
export const erasedEmail = (userId: number): string => `user${userId}@${ERASED}`;

const LOCAL_PART = /^[a-z0-9](?:[a-z0-9._-]{0,48}[a-z0-9])?$/i;

/**
 * The email of a bot (contract/users.md section 7).
 *
 * @throws Rejected BAD_REQUEST for a short name that no email can contain
 */
export function botEmail(shortName: string, domain: string): string {
  const name = shortName.trim();
  if (!LOCAL_PART.test(name) || name.includes('..')) throw reject.badShortName();
  return `${name}-bot@${domain}`;
}

/** The placeholder of an email that a user may not see (contract/permissions.md section 7). */
export const placeholderEmail = (userId: number, domain: string): string => `user${userId}@${domain}`;

const PLACEHOLDER = /^user(\d{1,15})@(.+)$/i;

/** The account of a placeholder email `user{id}@{domain}`. */
export function placeholderId(email: string, domain: string): number | undefined {
  const [, id, host] = PLACEHOLDER.exec(email.trim()) ?? [];
  return host?.toLowerCase() === domain ? Number(id) : undefined;
}

/**
 * Whether an email is, or may become, the placeholder of an account. As a real email it would name another account.
 *
 * @param domain of placeholders
 */
export const isPlaceholderOfAccount = (email: string, domain: string): boolean =>
  [domain, ERASED].some((host) => placeholderId(email, host) !== undefined);
