import { createHash } from 'node:crypto';
import type { LdapDirectory } from '../../domain/ldap/directory';
import { bytesOf } from '../../domain/ldap/entry';
import type { DirectoryPerson, UnusableEntry } from '../../domain/ldap/person';
import { attributesOf, personOf } from '../../domain/ldap/person';
import { readGroups, readGroupsOf } from './directory-groups';
import { LdapConnection } from './ldap-connection';

/** A person of a directory, with a digest in the place of the picture: all pictures together can be gigabytes. */
export type ListedPerson = Omit<DirectoryPerson, 'picture'> & {
  /** Null: the directory has no picture of the person. */
  readonly pictureDigest: string | null;
};

/** Everybody whom a directory lists. */
export interface DirectoryPeople {
  readonly people: readonly ListedPerson[];
  readonly unusable: readonly UnusableEntry[];
}

/** The digest by which a new picture is recognized. */
export const pictureDigest = (picture: Uint8Array): string => createHash('sha256').update(picture).digest('base64url');

/**
 * Reads everybody.
 *
 * @param isOver whether the time for it is over. It is asked before each page
 * @throws DirectoryAway when the directory does not give everybody
 */
export async function readPeople(directory: LdapDirectory, isOver?: () => boolean): Promise<DirectoryPeople> {
  const { base, synchronization } = directory;
  const connection = await LdapConnection.open(directory, isOver);
  try {
    const groupsOf = await readGroups(connection, directory);
    const people: ListedPerson[] = [];
    const unusable: UnusableEntry[] = [];
    const search = { base, filter: synchronization.filter, attributes: attributesOf(directory, true) };
    for await (const entry of connection.all(search)) {
      const person = personOf(entry, directory, groupsOf);
      if ('reason' in person) unusable.push(person);
      else people.push(listed(person));
    }
    return { people, unusable };
  } finally {
    await connection.close();
  }
}

/**
 * Reads one person with groups and picture. Null if the entry is gone or has become unusable.
 *
 * @throws DirectoryAway when the directory gives no answer
 */
export async function readPerson(directory: LdapDirectory, dn: string): Promise<DirectoryPerson | null> {
  const connection = await LdapConnection.open(directory);
  try {
    const entry = await connection.entry(dn, attributesOf(directory, true));
    if (!entry) return null;
    const person = personOf(entry, directory, await readGroupsOf(connection, directory, entry));
    return 'reason' in person ? null : person;
  } finally {
    await connection.close();
  }
}

/**
 * Reads pictures, one after the other, over one connection.
 *
 * @throws DirectoryAway when the directory gives no answer
 */
export async function* readPictures(
  directory: LdapDirectory,
  dns: readonly string[],
): AsyncGenerator<{ readonly dn: string; readonly picture: Uint8Array | null }> {
  const { picture: attribute } = directory.attributes;
  if (attribute === null || dns.length === 0) return;
  const connection = await LdapConnection.open(directory);
  try {
    for (const dn of dns) {
      const entry = await connection.entry(dn, [attribute]);
      yield { dn, picture: entry ? bytesOf(entry, attribute) : null };
    }
  } finally {
    await connection.close();
  }
}

function listed({ picture, ...person }: DirectoryPerson): ListedPerson {
  return { ...person, pictureDigest: picture && pictureDigest(picture) };
}
