const ESCAPED = /((?:\\[\da-f]{2})+)|\\(.)/gis;
const SPECIAL = /[,+"\\<>;=]/g;

/** One part of a name, such as `cn=ada`. */
interface NamePart {
  readonly attribute: string;
  readonly value: string;
}

/**
 * A form of a distinguished name that is the same for all its spellings: letter case, blanks around separators and ways of
 * escaping do not count (RFC 4514).
 */
export function normalName(dn: string): string {
  return parts(dn)
    .map(({ attribute, value }) => `${attribute}=${value.replace(SPECIAL, (one) => `\\${one}`)}`)
    .join(',');
}

/** The value of the first part: `ada` for `cn=Ada,ou=people`. */
export const firstValue = (dn: string): string => parts(dn)[0]?.value ?? '';

/**
 * Whether a group of the directory is meant by a name in the settings: its distinguished name, or only its first value.
 *
 * @param dn in the form of `normalName`
 */
export const isNamed = (dn: string, name: string): boolean =>
  name.includes('=') ? dn === normalName(name) : firstValue(dn) === folded(name);

/** Text as directories compare it: without regard to letter case and to the number of blanks. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ');

function parts(dn: string): NamePart[] {
  return split(dn)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      return { attribute: folded(part.slice(0, equals)), value: folded(unescaped(part.slice(equals + 1))) };
    });
}

/** At commas that are not escaped. Parts with several values, which are rare, stay in their order. */
function split(dn: string): string[] {
  const found: string[] = [];
  let part = '';
  for (let at = 0; at < dn.length; at++) {
    const letter = dn[at] as string;
    if (letter === '\\') part += letter + (dn[++at] ?? '');
    else if (letter === ',') {
      found.push(part);
      part = '';
    } else part += letter;
  }
  return [...found, part];
}

/** Bytes in a row that are escaped are UTF-8. */
const unescaped = (value: string): string =>
  value.replace(ESCAPED, (_, bytes: string | undefined, letter: string) =>
    bytes === undefined ? letter : Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString('utf8'),
  );
