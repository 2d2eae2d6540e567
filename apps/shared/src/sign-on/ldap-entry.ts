import { X509Certificate } from 'node:crypto';
import { Role } from '@annals/kernel/domain';
import type { LdapDirectory } from '@annals/sign-in';
import { USER_PLACEHOLDER, filterForAll, isFilter } from '@annals/sign-in';
import type { LdapFileEntry } from './ldap-schema';
import type { NamedFiles } from './mistake';
import { mistake } from './mistake';
import { offeredOf } from './offered';

const DEFAULT_MAX_PERCENT = 10;
const DEFAULT_TIMEOUT_S = 10;
const DEFAULT_MAX_MINUTES = 30;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @throws CannotStart for what no directory can have, or what would send passwords without protection */
export function ldapDirectoryOf(name: string, entry: LdapFileEntry, files: NamedFiles): LdapDirectory {
  const where = `/ldap/${name}`;
  const startTls = entry.start_tls ?? false;
  for (const url of entry.servers) ensureServer(url, startTls, where);
  const { search_base: base, search_filter: filter, email_domain: emailDomain = null } = entry;
  ensureFilter(filter, `${where}/search_filter`);
  if (!filter.includes(USER_PLACEHOLDER)) throw mistake(where, `search_filter needs ${USER_PLACEHOLDER}`);
  return {
    ...offeredOf(name, entry),
    servers: entry.servers,
    startTls,
    ca: entry.ca_file === undefined ? null : certificatesIn(files.read(entry.ca_file, where), where),
    login: loginOf(entry, files, where),
    base,
    filter,
    emailDomain,
    attributes: attributesOf(entry, where),
    groupSearch: groupSearchOf(entry, where),
    roles: rolesOf(entry),
    userGroups: new Map(Object.entries(entry.user_groups ?? {})),
    synchronization: synchronizationOf(entry, where),
    timeoutMs: (entry.timeout_seconds ?? DEFAULT_TIMEOUT_S) * 1_000,
  };
}

function ensureServer(url: string, startTls: boolean, where: string): void {
  const { protocol, hostname, pathname, search, port } = URL.canParse(url) ? new URL(url) : new URL('none:');
  const isServer = hostname !== '' && port !== '0' && (pathname === '' || pathname === '/') && search === '';
  if (!isServer || (protocol !== 'ldap:' && protocol !== 'ldaps:'))
    throw mistake(where, 'servers must look like ldaps://ldap.example.com');
  if (startTls && protocol === 'ldaps:') throw mistake(where, 'start_tls is for servers that begin with ldap://');
  if (protocol === 'ldap:' && !startTls && !LOOPBACK.test(hostname))
    throw mistake(where, 'ldap:// without start_tls is for this machine only');
}

function ensureFilter(filter: string, where: string): void {
  if (!filter.startsWith('(') || !isFilter(filter)) throw mistake(where, 'it is no filter such as (uid=%(user)s)');
}

function certificatesIn(pem: string, where: string): string {
  try {
    new X509Certificate(pem);
    return pem;
  } catch {
    throw mistake(where, 'ca_file has no certificate in PEM form');
  }
}

function loginOf(entry: LdapFileEntry, files: NamedFiles, where: string): LdapDirectory['login'] {
  const { bind_dn: dn, bind_password: password, bind_password_file: file } = entry;
  if (dn === undefined) {
    if (password !== undefined || file !== undefined) throw mistake(where, 'a password needs bind_dn');
    return null;
  }
  const secret = files.secret(password, file, { where, name: 'bind_password' });
  // A directory takes a login without a password for one without a name.
  return { dn, password: secret };
}

function attributesOf({ attributes = {}, email_domain }: LdapFileEntry, where: string): LdapDirectory['attributes'] {
  const { full_name, first_name, last_name, custom_profile_fields = {} } = attributes;
  const parts = [first_name, last_name].filter((part) => part !== undefined);
  if (full_name !== undefined && parts.length > 0)
    throw mistake(where, 'attributes must have either full_name or first_name and last_name');
  return {
    email: attributes.email ?? (email_domain === undefined ? 'mail' : null),
    username: attributes.username ?? 'uid',
    fullName: parts.length > 0 ? parts : [full_name ?? 'cn'],
    picture: attributes.avatar ?? null,
    deactivated: attributes.deactivated ?? null,
    id: attributes.id ?? null,
    memberOf: attributes.member_of ?? 'memberOf',
    profile: new Map(Object.entries(custom_profile_fields)),
  };
}

function groupSearchOf({ group_search: search }: LdapFileEntry, where: string): LdapDirectory['groupSearch'] {
  if (!search) return null;
  const { base, filter = '(objectClass=groupOfNames)', member = 'member' } = search;
  ensureFilter(filter, `${where}/group_search/filter`);
  return { base, filter, member };
}

function rolesOf({ roles }: LdapFileEntry): LdapDirectory['roles'] {
  if (!roles) return null;
  const { otherwise = 'member', ...groups } = roles;
  const byRole = Object.entries(groups).map(([name, some]) => [Role[name as keyof typeof Role], some ?? []] as const);
  return { groups: new Map(byRole), otherwise: Role[otherwise] };
}

function synchronizationOf(entry: LdapFileEntry, where: string): LdapDirectory['synchronization'] {
  const { every_minutes, max_minutes, max_deactivated_percent, filter } = entry.synchronization ?? {};
  if (filter !== undefined) ensureFilter(filter, `${where}/synchronization/filter`);
  return {
    everyMinutes: every_minutes ?? null,
    maxMinutes: max_minutes ?? DEFAULT_MAX_MINUTES,
    maxDeactivatedPercent: max_deactivated_percent ?? DEFAULT_MAX_PERCENT,
    filter: filterForAll(filter ?? entry.search_filter),
  };
}
