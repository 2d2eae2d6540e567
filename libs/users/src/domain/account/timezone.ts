/** The form of identifiers. Offsets and other spellings do not have it. */
const IDENTIFIER = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/;

/**
 * Whether a text is the name of a time zone of the IANA database, also an older one, or empty for none (INTERFACE.md
 * 2.2).
 */
export function isTimezone(text: string): boolean {
  if (text === '') return true;
  if (KNOWN.has(text)) return true;
  if (!IDENTIFIER.test(text) || !exists(text)) return false;
  KNOWN.add(text);
  return true;
}

/** Names that exist. It takes some 200 µs to ask, and there are a few hundred in all. */
const KNOWN = new Set<string>();

function exists(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
