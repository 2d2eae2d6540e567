/** A value as the directory sent it: text, or bytes of an attribute that has no text. */
export type LdapValue = string | Uint8Array;

/** One entry of a directory. */
export interface LdapEntry {
  readonly dn: string;
  /** By the name of the attribute in lower case. */
  readonly values: ReadonlyMap<string, readonly LdapValue[]>;
}

/** All texts of an attribute, without blanks around them and without empty ones. */
export const textsOf = ({ values }: Pick<LdapEntry, 'values'>, attribute: string): readonly string[] =>
  (values.get(attribute.toLowerCase()) ?? []).flatMap((value) =>
    typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [],
  );

/** The first text of an attribute. Empty without one. */
export const textOf = (entry: Pick<LdapEntry, 'values'>, attribute: string): string =>
  textsOf(entry, attribute)[0] ?? '';

/** The first value of an attribute as bytes. Null without one. */
export function bytesOf({ values }: Pick<LdapEntry, 'values'>, attribute: string): Uint8Array | null {
  const [value] = values.get(attribute.toLowerCase()) ?? [];
  if (value === undefined || value.length === 0) return null;
  return typeof value === 'string' ? Buffer.from(value) : value;
}
