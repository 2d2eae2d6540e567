import { randomUUID } from 'node:crypto';
import type { LdapDirectory } from '../../domain/ldap/directory';
import { directoryName } from '../../domain/ldap/directory';
import { isLasting } from '../../domain/ldap/directory-account';
import { ID_ATTRIBUTES, attributesOf, personOf } from '../../domain/ldap/person';
import type { LdapEntry } from '../../domain/ldap/entry';
import { filterFor, filterForId } from './filters';
import { LdapConnection } from './ldap-connection';

/** What a directory says to a name and a password. */
export type PasswordAnswer =
  | { readonly kind: 'unknown' | 'ambiguous' }
  /** @param entry null if nobody was looked for, because no password is empty */
  | { readonly kind: 'wrong'; readonly entry: LdapEntry | null }
  | { readonly kind: 'right'; readonly entry: LdapEntry };

/** Two entries are as good as many: none of them is meant. */
const ENOUGH = 2;

type Find = (connection: LdapConnection, attributes: readonly string[]) => Promise<readonly LdapEntry[]>;

/**
 * Asks the directory whether this is the password of somebody. An unknown name takes the same steps as a known one: the
 * password is tried for an entry that cannot exist.
 *
 * @throws DirectoryAway when the directory gives no answer
 */
export async function askDirectory(directory: LdapDirectory, typed: string, password: string): Promise<PasswordAnswer> {
  const name = directoryName(typed, directory);
  if (name === null) return { kind: 'unknown' };
  const { base } = directory;
  const filter = filterFor(directory.filter, name);
  return answered(directory, password, (connection, attributes) =>
    connection.find({ base, filter, attributes }, ENOUGH),
  );
}

/**
 * The same for the entry that an account belongs to, by whatever name the person logs in.
 *
 * @param subject of the entry, as in `DirectoryPerson`
 * @throws DirectoryAway when the directory gives no answer
 */
export async function askDirectoryAbout(
  directory: LdapDirectory,
  subject: string,
  password: string,
): Promise<PasswordAnswer> {
  const named = subject.slice(subject.indexOf(':') + 1);
  return answered(directory, password, async (connection, attributes) => {
    const found = isLasting(subject)
      ? await withId(connection, directory, { id: named, attributes })
      : [await connection.entry(named, attributes)];
    // Directories compare texts in their own ways.
    return found.filter((entry) => entry !== undefined).filter((one) => personOf(one, directory).subject === subject);
  });
}

function withId(
  connection: LdapConnection,
  { base, attributes: { id: attribute } }: LdapDirectory,
  { id, attributes }: { readonly id: string; readonly attributes: readonly string[] },
): Promise<LdapEntry[]> {
  const filter = filterForId(attribute === null ? ID_ATTRIBUTES : [attribute], id);
  return connection.find({ base, filter, attributes }, ENOUGH);
}

async function answered(directory: LdapDirectory, password: string, find: Find): Promise<PasswordAnswer> {
  if (password === '') return { kind: 'wrong', entry: null };
  const connection = await LdapConnection.open(directory);
  try {
    const [entry, another] = await find(connection, attributesOf(directory, false));
    const isOne = entry !== undefined && another === undefined;
    const accepted = await connection.accepts(isOne ? entry.dn : `cn=${randomUUID()},${directory.base}`, password);
    if (!isOne) return { kind: entry === undefined ? 'unknown' : 'ambiguous' };
    return { kind: accepted ? 'right' : 'wrong', entry };
  } finally {
    await connection.close();
  }
}
