import type { Role } from '@annals/kernel/domain';
import type { LdapAttributes, LdapDirectory } from './directory';
import { isNamed, normalName } from './distinguished-name';
import type { LdapEntry } from './entry';
import { bytesOf, textOf, textsOf } from './entry';
import { presentableName } from './presentable-name';

/** A person as the directory of an organization describes them. */
export interface DirectoryPerson {
  readonly dn: string;
  /** Names the entry for good: `id:` with its unique id, or `dn:` with its name if it has none. */
  readonly subject: string;
  readonly email: string;
  readonly fullName: string;
  readonly isDeactivated: boolean;
  /** Null: the directory has no picture of the person, so that the one of the account remains. */
  readonly picture: Uint8Array | null;
  /** Null: the directory gives no roles. */
  readonly role: Role | null;
  /** Names of mapped user groups that the person belongs to. */
  readonly userGroups: ReadonlySet<string>;
  /** Values of custom profile fields by their names. Empty: the field has no value. */
  readonly profile: ReadonlyMap<string, string>;
}

/** An entry of which no account can be made, with the reason. */
export interface UnusableEntry {
  readonly dn: string;
  /** As of a person. */
  readonly subject: string;
  readonly reason: string;
}

/** Groups of the directory that an entry is in, in the form of `normalName`. */
export type GroupsOfEntry = (entry: LdapEntry) => Iterable<string>;

/** The ids of entries in OpenLDAP, Active Directory, FreeIPA and 389 Directory Server. */
export const ID_ATTRIBUTES = ['entryUUID', 'objectGUID', 'ipaUniqueID', 'nsUniqueId'] as const;

const USER_ACCOUNT_CONTROL = 'useraccountcontrol';
/** The bit of Active Directory for an account that is disabled. */
const ACCOUNT_DISABLED = 2;
const YES = ['true', '1', 'yes', 'on'];
const NO = ['', 'false', '0', 'no', 'off'];

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** The attributes that are asked of a directory about a person, each once. */
export function attributesOf({ attributes }: Pick<LdapDirectory, 'attributes'>, withPicture: boolean): string[] {
  const { email, username, fullName, picture, deactivated, id, memberOf, profile } = attributes;
  const optional = [email, withPicture ? picture : null, deactivated].filter((name) => name !== null);
  const ids = id === null ? ID_ATTRIBUTES : [id];
  return [...new Set([username, ...fullName, memberOf, ...optional, ...ids, ...profile.values()])];
}

/**
 * The person of an entry.
 *
 * @param groupsOf the groups that were found by a search for groups; those that the entry lists are added
 */
export function personOf(
  entry: LdapEntry,
  directory: LdapDirectory,
  groupsOf: GroupsOfEntry = () => [],
): DirectoryPerson | UnusableEntry {
  const { dn } = entry;
  const { attributes, roles, userGroups } = directory;
  const subject = subjectOf(entry, attributes);
  const email = emailOf(entry, directory);
  if (email === null) return { dn, subject, reason: 'it has no email address' };
  const isDeactivated = deactivation(entry, attributes.deactivated);
  if (isDeactivated === null)
    return { dn, subject, reason: `its ${attributes.deactivated ?? ''} is neither true nor false` };
  const groups = new Set([...textsOf(entry, attributes.memberOf).map(normalName), ...groupsOf(entry)]);
  const isIn = (name: string) => [...groups].some((group) => isNamed(group, name));
  return {
    dn,
    subject,
    email,
    fullName: presentableName(fullNameOf(entry, attributes), email),
    isDeactivated,
    picture: attributes.picture === null ? null : bytesOf(entry, attributes.picture),
    role: roles && roleOf(roles, isIn),
    userGroups: new Set([...userGroups].filter(([group]) => isIn(group)).map(([, name]) => name)),
    profile: new Map([...attributes.profile].map(([field, attribute]) => [field, textOf(entry, attribute)])),
  };
}

function subjectOf(entry: LdapEntry, { id }: LdapAttributes): string {
  for (const attribute of id === null ? ID_ATTRIBUTES : [id]) {
    const [value] = entry.values.get(attribute.toLowerCase()) ?? [];
    if (value === undefined || value.length === 0) continue;
    return `id:${typeof value === 'string' ? value.trim().toLowerCase() : Buffer.from(value).toString('hex')}`;
  }
  return `dn:${normalName(entry.dn)}`;
}

function emailOf(entry: LdapEntry, { attributes, emailDomain }: LdapDirectory): string | null {
  const given = attributes.email === null ? '' : textOf(entry, attributes.email);
  if (EMAIL.test(given)) return given;
  const name = textOf(entry, attributes.username);
  const made = emailDomain === null || name === '' ? '' : `${name}@${emailDomain}`;
  return given === '' && EMAIL.test(made) ? made : null;
}

const fullNameOf = (entry: LdapEntry, { fullName }: LdapAttributes): string =>
  fullName
    .map((attribute) => textOf(entry, attribute))
    .filter((part) => part !== '')
    .join(' ');

/** @returns null for a value with no known meaning */
function deactivation(entry: LdapEntry, attribute: string | null): boolean | null {
  if (attribute === null) return false;
  const value = textOf(entry, attribute).toLowerCase();
  if (attribute.toLowerCase() === USER_ACCOUNT_CONTROL && /^-?\d+$/.test(value))
    return (Number(value) & ACCOUNT_DISABLED) !== 0;
  if (YES.includes(value)) return true;
  return NO.includes(value) ? false : null;
}

function roleOf({ groups, otherwise }: NonNullable<LdapDirectory['roles']>, isIn: (name: string) => boolean): Role {
  const given = [...groups].filter(([, names]) => names.some(isIn)).map(([role]) => role);
  return given.length === 0 ? otherwise : (Math.min(...given) as Role);
}
