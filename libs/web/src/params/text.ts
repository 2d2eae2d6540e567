import { reject } from './rejections';

/** The rules for a text parameter. Lengths count Unicode code points (contract/conventions.md section 6). */
export interface TextRules {
  /** Least number of code points. 1 refuses blank texts. */
  readonly min?: number;
  /** Greatest number of code points. */
  readonly max?: number;
  /** Removes surrounding white space before the other rules are checked. */
  readonly trim?: boolean;
  /** Refuses control characters and non-characters: for names and topics. */
  readonly printable?: boolean;
  /** A further condition, such as `isEmail` of class-validator. */
  readonly is?: (text: string) => boolean;
}

const UNSTORABLE = /[\0\p{Cs}]/u;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** Whether a text contains NUL or half a surrogate pair, which no text in the API may. */
export const isUnstorable = (text: string): boolean => UNSTORABLE.test(text);

/** Number of Unicode code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff) at += 1;
    count += 1;
  }
  return count;
}

/**
 * Applies the rules to one text.
 *
 * @param name the parameter's name, for the message
 * @returns the text, trimmed if the rules say so
 * @throws Rejected BAD_REQUEST for the first violated rule
 */
export function checkText(raw: string, name: string, rules: TextRules): string {
  if (isUnstorable(raw)) throw reject.badCharacter({ name });
  const text = rules.trim ? raw.trim() : raw;
  if (rules.printable) refuseUnprintable(text, name);
  if (rules.min !== undefined && codePoints(text) < rules.min) {
    throw text === '' ? reject.blank({ name }) : reject.tooShort({ name });
  }
  // A text has at most as many code points as UTF-16 units, so most texts need no counting.
  if (rules.max !== undefined && text.length > rules.max && codePoints(text) > rules.max) {
    throw reject.tooLong({ name, limit: rules.max });
  }
  if (rules.is && !rules.is(text)) throw reject.invalid({ name });
  return text;
}

function refuseUnprintable(text: string, name: string): void {
  const at = text.search(UNPRINTABLE);
  if (at < 0) return;
  const position = codePoints(text.slice(0, at)) + 1;
  throw reject.badCharacterAt({ name, position });
}
