import { Filter } from 'ldapts';
import { normalName, folded } from '../../domain/ldap/distinguished-name';
import type { LdapDirectory } from '../../domain/ldap/directory';
import type { LdapEntry } from '../../domain/ldap/entry';
import { textOf, textsOf } from '../../domain/ldap/entry';
import type { GroupsOfEntry } from '../../domain/ldap/person';
import type { LdapConnection } from './ldap-connection';

const USER_NAMES = 'memberuid';

/**
 * The groups of one entry, if groups are searched for.
 *
 * @throws DirectoryAway when the search fails
 */
export async function readGroupsOf(
  connection: LdapConnection,
  directory: LdapDirectory,
  entry: LdapEntry,
): Promise<GroupsOfEntry> {
  const { groupSearch } = directory;
  if (!groupSearch) return () => [];
  const { base, filter, member } = groupSearch;
  const isMember = `(${member}=${Filter.escape(memberOf(entry, directory, member))})`;
  const groups: string[] = [];
  for await (const { dn } of connection.all({ base, filter: `(&${filter}${isMember})`, attributes: ['cn'] }))
    groups.push(normalName(dn));
  return () => groups;
}

/**
 * The groups of all entries, if groups are searched for.
 *
 * @throws DirectoryAway when the search fails
 */
export async function readGroups(connection: LdapConnection, directory: LdapDirectory): Promise<GroupsOfEntry> {
  const { groupSearch } = directory;
  if (!groupSearch) return () => [];
  const { base, filter, member } = groupSearch;
  const groupsBy = new Map<string, string[]>();
  for await (const group of connection.all({ base, filter, attributes: [member] })) {
    const name = normalName(group.dn);
    for await (const one of membersOf(connection, group, member)) {
      const key = keyOf(one, member);
      groupsBy.set(key, [...(groupsBy.get(key) ?? []), name]);
    }
  }
  return (entry) => groupsBy.get(keyOf(memberOf(entry, directory, member), member)) ?? [];
}

const memberOf = (entry: LdapEntry, { attributes }: LdapDirectory, member: string): string =>
  member.toLowerCase() === USER_NAMES ? textOf(entry, attributes.username) : entry.dn;

const keyOf = (one: string, member: string): string =>
  member.toLowerCase() === USER_NAMES ? folded(one) : normalName(one);

/** Active Directory gives at most 1,500 members at once, under a name such as `member;range=0-1499`. */
async function* membersOf(connection: LdapConnection, group: LdapEntry, member: string): AsyncGenerator<string> {
  yield* textsOf(group, member);
  const isPart = new RegExp(`^${member.toLowerCase()};range=\\d+-(\\d+|\\*)$`);
  let entry: LdapEntry | undefined = group;
  while (entry) {
    const part = [...entry.values.keys()].find((name) => isPart.test(name));
    if (part === undefined) return;
    yield* textsOf(entry, part);
    const last = isPart.exec(part)?.[1];
    if (last === undefined || last === '*') return;
    entry = await connection.entry(group.dn, [`${member};range=${Number(last) + 1}-*`]);
  }
}
