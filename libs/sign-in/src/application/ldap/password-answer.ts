import { randomUUID } from 'node:crypto';
import type { LdapDirectory } from '../../domain/ldap/directory';
import { directoryName } from '../../domain/ldap/directory';
import { attributesOf } from '../../domain/ldap/person';
import type { LdapEntry } from '../../domain/ldap/entry';
import { filterFor } from './filters';
import { LdapConnection } from './ldap-connection';

/** What a directory says to a name and a password. */
export type PasswordAnswer =
  | { readonly kind: 'unknown' | 'ambiguous' }
  /** @param entry null if nobody was looked for, because no password is empty */
  | { readonly kind: 'wrong'; readonly entry: LdapEntry | null }
  | { readonly kind: 'right'; readonly entry: LdapEntry };

/**
 * Asks the directory whether this is the password of somebody. An unknown name takes the same steps as a known one: the
 * password is tried for an entry that cannot exist.
 *
 * @throws DirectoryAway when the directory gives no answer
 */
export async function askDirectory(directory: LdapDirectory, typed: string, password: string): Promise<PasswordAnswer> {
  const name = directoryName(typed, directory);
  if (name === null) return { kind: 'unknown' };
  if (password === '') return { kind: 'wrong', entry: null };
  const { base } = directory;
  const connection = await LdapConnection.open(directory);
  try {
    const search = { base, filter: filterFor(directory.filter, name), attributes: attributesOf(directory, false) };
    const [entry, another] = await connection.find(search, 2);
    const isOne = entry !== undefined && another === undefined;
    const accepted = await connection.accepts(isOne ? entry.dn : `cn=${randomUUID()},${base}`, password);
    if (!isOne) return { kind: entry === undefined ? 'unknown' : 'ambiguous' };
    return { kind: accepted ? 'right' : 'wrong', entry };
  } finally {
    await connection.close();
  }
}
