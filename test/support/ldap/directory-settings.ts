import type { LdapDirectory } from '@annals/sign-in';

/** How a server uses a directory, for specs. */
export const directoryAt = (url: string, more: Partial<LdapDirectory> = {}): LdapDirectory => ({
  name: 'company',
  organizations: null,
  servers: [url],
  startTls: false,
  ca: null,
  login: { dn: 'cn=annals,dc=example,dc=com', password: 'login of the server' },
  base: 'ou=people,dc=example,dc=com',
  filter: '(&(objectClass=person)(|(uid=%(user)s)(mail=%(user)s)))',
  emailDomain: null,
  attributes: {
    email: 'mail',
    username: 'uid',
    fullName: ['cn'],
    picture: 'jpegPhoto',
    deactivated: null,
    id: null,
    memberOf: 'memberOf',
    profile: new Map(),
  },
  groupSearch: null,
  roles: null,
  userGroups: new Map(),
  synchronization: {
    everyMinutes: null,
    maxMinutes: 30,
    maxDeactivatedPercent: 10,
    filter: '(&(objectClass=person)(uid=*))',
  },
  timeoutMs: 5_000,
  ...more,
});
