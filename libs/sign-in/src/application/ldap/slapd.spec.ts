import { directoryAt } from '../../../../../test/support/ldap/directory-settings';
import { SLAPD_LOGIN, Slapd, describeWithSlapd } from '../../../../../test/support/ldap/slapd';
import type { LdapDirectory } from '../../domain/ldap/directory';
import { filterForAll } from './filters';
import { readPeople, readPerson } from './directory-people';
import { askDirectory } from './password-answer';

const BASE = 'ou=people,dc=example,dc=com';
const GROUPS = 'ou=groups,dc=example,dc=com';
const GROUP = `cn=dev\\, all,${GROUPS}`;
const PICTURE = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x80]);
const MANY = 25;

const unit = (dn: string) => `dn: ${dn}\nobjectClass: organizationalUnit\nou: ${dn.split(/[=,]/)[1] ?? ''}\n`;

const personOf = (uid: string, more = '') => `dn: uid=${uid},${BASE}
objectClass: inetOrgPerson
uid: ${uid}
sn: ${uid}
cn: The ${uid}
mail: ${uid}@example.com
userPassword: password of ${uid}
${more}`;

const LDIF = [
  unit(BASE),
  unit(GROUPS),
  personOf('ada', `jpegPhoto:: ${PICTURE.toString('base64')}\nobjectClass: extensibleObject\nmemberOf: ${GROUP}\n`),
  personOf('zoë'.normalize(), 'description: unicode\n'),
  ...Array.from({ length: MANY }, (_, n) => personOf(`p${n}`)),
  `dn: ${GROUP}\nobjectClass: groupOfNames\ncn: dev, all\nmember: uid=ada,${BASE}\n`,
].join('\n');

describeWithSlapd('OpenLDAP', () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await Slapd.start(LDIF);
  });
  afterAll(() => slapd.stop());

  const FILTER = '(&(objectClass=inetOrgPerson)(|(uid=%(user)s)(mail=%(user)s)))';
  const settings = (more: Partial<LdapDirectory> = {}): LdapDirectory => {
    const directory = directoryAt(slapd.url, { login: SLAPD_LOGIN, base: BASE, filter: FILTER, ...more });
    return { ...directory, synchronization: { ...directory.synchronization, filter: filterForAll(FILTER) } };
  };
  const ask = async (typed: string, password: string, more: Partial<LdapDirectory> = {}) =>
    (await askDirectory(settings(more), typed, password)).kind;

  it('checks passwords', async () => {
    expect(await ask('ada', 'password of ada')).toBe('right');
    expect(await ask('ADA@example.com', 'password of ada')).toBe('right');
    expect(await ask('zoë', 'password of zoë')).toBe('right');
    expect(await ask('ada', 'password of p1')).toBe('wrong');
    expect(await ask('ada', '')).toBe('wrong');
    expect(await ask('nobody', 'password of ada')).toBe('unknown');
    expect(await ask('*', 'password of ada')).toBe('unknown');
    expect(await ask('p*', 'password of p1')).toBe('unknown');
  });

  it('lists everybody, beyond the limit of one search, with ids, pictures and groups', async () => {
    const { people, unusable } = await readPeople(settings({ userGroups: new Map([['dev, all', 'Developers']]) }));
    expect(people).toHaveLength(MANY + 2);
    expect(unusable).toEqual([]);
    expect(new Set(people.map(({ subject }) => subject)).size).toBe(MANY + 2);
    const ada = people.find(({ email }) => email === 'ada@example.com');
    expect(ada).toMatchObject({ subject: expect.stringMatching(/^id:[0-9a-f-]{36}$/) as string, fullName: 'The ada' });
    expect([...(ada?.userGroups ?? [])]).toEqual(['Developers']);
    expect(ada?.pictureDigest).not.toBeNull();
  });

  it('finds groups by their members, in whatever spelling', async () => {
    const groupSearch = { base: GROUPS, filter: '(objectClass=groupOfNames)', member: 'MEMBER' };
    const more = { groupSearch, userGroups: new Map([[`CN=dev\\2C all, ${GROUPS}`, 'Developers']]) };
    const directory = settings(more);
    const hidden = { ...directory, attributes: { ...directory.attributes, memberOf: 'none', picture: 'JPEGPHOTO' } };
    const { people } = await readPeople(hidden);
    expect(people.filter(({ userGroups }) => userGroups.size > 0).map(({ email }) => email)).toEqual([
      'ada@example.com',
    ]);
    expect(await readPerson(hidden, `uid=ada,${BASE}`)).toMatchObject({ picture: PICTURE });
  });

  it('protects the connection by StartTLS, and only with a certificate that is trusted and has the name', async () => {
    const secure = { startTls: true, ca: slapd.ca, servers: [slapd.namedUrl] };
    expect(await ask('ada', 'password of ada', secure)).toBe('right');
    await expect(ask('ada', 'password of ada', { ...secure, ca: null })).rejects.toThrow('self-signed certificate');
    await expect(ask('ada', 'password of ada', { ...secure, servers: [slapd.url] })).rejects.toThrow(/altname|cert/i);
  });
});
