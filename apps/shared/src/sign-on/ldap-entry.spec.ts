import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Role } from '@annals/kernel/domain';
import type { TestFolder } from '../../../../test/support/server/test-folder';
import { createTestFolder } from '../../../../test/support/server/test-folder';
import { certified } from '../../../../test/support/sign-on/certificate';
import { readSignOn } from './read-sign-on';

const SECRET = 'the password of the server';
const DIRECTORY = {
  servers: ['ldaps://ldap.example.com'],
  bind_dn: 'cn=annals',
  bind_password: SECRET,
  search_base: 'dc=example,dc=com',
  search_filter: '(|(uid=%(user)s)(mail=%(user)s))',
};

describe('a directory in the file of ways to log in', () => {
  let folder: TestFolder;
  beforeAll(async () => {
    folder = await createTestFolder();
    writeFileSync(join(folder.path, 'ca.pem'), certified('authority').certificate);
    writeFileSync(join(folder.path, 'password'), 'from a file\n');
  });
  afterAll(() => folder.drop());

  const read = (more: object, names: readonly string[] = ['company']) => {
    const file = join(folder.path, 'sign-on.json');
    const entry = { ...DIRECTORY, ...more };
    writeFileSync(file, JSON.stringify({ ldap: Object.fromEntries(names.map((name) => [name, entry])) }));
    return readSignOn({
      ANNALS_SIGN_ON_FILE: file,
      ANNALS_DEV_LOGINS: 'off',
      ANNALS_TRUSTED_PROXIES: 0,
      HOST: '127.0.0.1',
    }).ldap[0];
  };

  it('has defaults for everything that a usual directory has', () => {
    expect(read({})).toMatchObject({
      ...{ name: 'company', organizations: null, startTls: false, ca: null, emailDomain: null, timeoutMs: 10_000 },
      login: { dn: 'cn=annals', password: SECRET },
      attributes: { email: 'mail', username: 'uid', fullName: ['cn'], picture: null, deactivated: null, id: null },
      ...{ groupSearch: null, roles: null },
      synchronization: {
        everyMinutes: null,
        maxMinutes: 30,
        maxDeactivatedPercent: 10,
        filter: '(|(uid=*)(mail=*))',
      },
    });
  });

  it('has files beside it, roles, groups and parts of names', () => {
    const directory = read({
      ...{ bind_password: undefined, bind_password_file: 'password', ca_file: 'ca.pem' },
      ...{ servers: ['ldap://ldap.example.com:389/'], start_tls: true, email_domain: 'example.com' },
      attributes: { first_name: 'givenName', last_name: 'sn' },
      roles: { administrator: ['admins'], otherwise: 'guest' },
      user_groups: { dev: 'developers' },
    });
    expect(directory).toMatchObject({ startTls: true, login: { password: 'from a file' }, emailDomain: 'example.com' });
    expect(directory).toMatchObject({ attributes: { email: null, fullName: ['givenName', 'sn'] } });
    expect(directory?.ca).toContain('BEGIN CERTIFICATE');
    expect(directory?.roles).toEqual({ groups: new Map([[Role.administrator, ['admins']]]), otherwise: Role.guest });
    expect(directory?.userGroups).toEqual(new Map([['dev', 'developers']]));
  });

  it.each([
    ['without TLS on another machine', { servers: ['ldap://ldap.example.com'] }, 'is for this machine only'],
    ['with two kinds of TLS', { start_tls: true }, 'start_tls is for servers that begin with ldap://'],
    ['that is no server', { servers: ['https://ldap.example.com'] }, 'servers must look like'],
    ['with a path', { servers: ['ldaps://ldap.example.com/dc=example'] }, 'servers must look like'],
    ['without a place for the name', { search_filter: '(uid=ada)' }, 'search_filter needs %(user)s'],
    ['with half a filter', { search_filter: '(uid=%(user)s' }, 'it is no filter'],
    ['with a filter of nothing', { search_filter: 'uid=%(user)s' }, 'it is no filter'],
    ['with another filter for everybody', { synchronization: { filter: '(&' } }, 'it is no filter'],
    ['with a password of nobody', { bind_dn: undefined }, 'a password needs bind_dn'],
    ['with two passwords', { bind_password_file: 'password' }, 'either bind_password or bind_password_file'],
    ['with a certificate that is none', { ca_file: 'password' }, 'ca_file has no certificate'],
    ['with two kinds of names', { attributes: { full_name: 'cn', last_name: 'sn' } }, 'must have either full_name or'],
    ['with a key that nobody knows', { search: 'x' }, 'unexpected property'],
    ['with runs that take no time', { synchronization: { max_minutes: 0 } }, 'expected integer'],
    ['that is asked every minute', { synchronization: { every_minutes: 1 } }, 'expected integer'],
  ])('is refused %s, without its password', (_, more, reason) => {
    expect(() => read(more)).toThrow(reason);
    expect(() => read(more)).not.toThrow(SECRET);
  });

  it('is the only one of an organization', () => {
    expect(() => read({}, ['one', 'two'])).toThrow('one and two are for the same organization');
  });
});
