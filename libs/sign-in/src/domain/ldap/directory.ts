import type { Role } from '@annals/kernel/domain';

/** Names of attributes that say who a person is. Letter case does not matter to a directory. */
export interface LdapAttributes {
  /** Null: the email is the user name at `emailDomain`. */
  readonly email: string | null;
  /** The name that a person types to log in. It is needed for `emailDomain`, and for groups that list user names. */
  readonly username: string;
  /** One attribute, or several whose values are joined with blanks, as first and last name. */
  readonly fullName: readonly string[];
  /** Null: the directory has no pictures. */
  readonly picture: string | null;
  /** Says that an account must not be used. Null: only a person who is gone loses the account. */
  readonly deactivated: string | null;
  /** Names the person for good, also after a change of name or email. Null: that of OpenLDAP or Active Directory. */
  readonly id: string | null;
  /** Lists the groups of a person. */
  readonly memberOf: string;
  /** Attributes by the name of the custom profile field that they fill. */
  readonly profile: ReadonlyMap<string, string>;
}

/** How groups are found if people do not list them. */
export interface LdapGroupSearch {
  readonly base: string;
  readonly filter: string;
  /** Lists distinguished names, or user names if it is `memberUid`. */
  readonly member: string;
}

/** Roles by membership in groups of the directory. The most powerful one counts. */
export interface LdapRoles {
  readonly groups: ReadonlyMap<Role, readonly string[]>;
  /** The role of a person in none of these groups. */
  readonly otherwise: Role;
}

/** When and how accounts follow the directory. */
export interface LdapSynchronization {
  /** Null: only when an operator asks for it. */
  readonly everyMinutes: number | null;
  /** A run of a worker ends after so many minutes, and the next one continues. */
  readonly maxMinutes: number;
  /** A run that would deactivate a larger share of the accounts changes nothing. */
  readonly maxDeactivatedPercent: number;
  /** The people of the directory. */
  readonly filter: string;
}

/** The directory of an organization, as its operator describes it. */
export interface LdapDirectory {
  /** Its key in the file of the operator. */
  readonly name: string;
  /** The organizations that use it, by the names in their host names. Null for all of them. */
  readonly organizations: readonly string[] | null;
  /** URLs of servers with the same content, tried in this order. */
  readonly servers: readonly string[];
  /** The connection begins without TLS and changes to it before anything is sent. */
  readonly startTls: boolean;
  /** Certificates of authorities, in PEM. Null: those that the machine trusts. */
  readonly ca: string | null;
  /** How this server logs in to search. Null: without a login. */
  readonly login: { readonly dn: string; readonly password: string } | null;
  readonly base: string;
  /** Finds a person by what they typed, which replaces `%(user)s`. */
  readonly filter: string;
  /** What follows the user name in emails. Null: people type what the filter finds. */
  readonly emailDomain: string | null;
  readonly attributes: LdapAttributes;
  readonly groupSearch: LdapGroupSearch | null;
  /** Null: roles are given here, not in the directory. */
  readonly roles: LdapRoles | null;
  /** Names of user groups by groups of the directory. Members of other user groups do not change. */
  readonly userGroups: ReadonlyMap<string, string>;
  readonly synchronization: LdapSynchronization;
  /** Longest time in ms for a password check. */
  readonly timeoutMs: number;
}

/** What stands for the user name in a filter. */
export const USER_PLACEHOLDER = '%(user)s';

/**
 * The form that all spellings of a name share which directories take for the same: they ignore letter case, characters that are not seen, and
 * how many blanks there are (RFC 4518), and some of them accents too.
 */
export const canonicalName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/\p{Z}+/gu, ' ')
    .trim();

/**
 * The name to look for. With `emailDomain` people may type their email or only what is before the `@`.
 *
 * @returns null if nobody in this directory can have typed this
 */
export function directoryName(typed: string, { emailDomain }: Pick<LdapDirectory, 'emailDomain'>): string | null {
  const name = typed.trim();
  if (name === '' || name.includes('\0')) return null;
  if (emailDomain === null) return name;
  const at = name.lastIndexOf('@');
  if (at < 0) return name;
  return at > 0 && name.slice(at + 1).toLowerCase() === emailDomain.toLowerCase() ? name.slice(0, at) : null;
}
