/** What identifiers look like; offsets and other spellings are none. */
const IDENTIFIER = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/;

/** Whether a text names a time zone of the IANA database, older names included; empty for none (INTERFACE.md 2.2). */
export function isTimezone(text: string): boolean {
  if (text === '') return true;
  if (!IDENTIFIER.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
