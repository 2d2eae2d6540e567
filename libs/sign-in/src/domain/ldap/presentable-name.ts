const MIN = 2;
const MAX = 100;
/** Characters that names of accounts cannot have: control characters, and those that would end a mention. */
const REFUSED = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}*`\\>"@]/gu;
/** `Ann|7` would be read as a mention of account 7. */
const LOOKS_LIKE_ID = /\|(?=\d+$)/;

/**
 * A name from another system that an account may have. A name that is too short, or has nothing that may be shown, becomes
 * what is before the `@` of the email.
 */
export function presentableName(name: string, email: string): string {
  const shown = cleaned(name);
  return [...shown].length >= MIN ? shown : cleaned(email.slice(0, email.lastIndexOf('@'))).padEnd(MIN, '.');
}

const cleaned = (name: string): string =>
  [...name.replace(REFUSED, ' ').trim().replace(/\s+/g, ' ')].slice(0, MAX).join('').trim().replace(LOOKS_LIKE_ID, ' ');
