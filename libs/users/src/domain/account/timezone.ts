/** The form of identifiers. Offsets and other spellings do not have it. */
const IDENTIFIER = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/;

/**
 * Whether a text is the name of a time zone of the IANA database, also an older one, or empty for none (INTERFACE.md
 * 2.2).
 */
export function isTimezone(text: string): boolean {
  if (text === '') return true;
  if (!IDENTIFIER.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
