import { Role } from '@annals/kernel/domain';
import { directoryAt } from '../../../../../test/support/ldap/directory-settings';
import type { LdapDirectory } from './directory';
import { normalName } from './distinguished-name';
import type { LdapValue } from './entry';
import { personOf } from './person';
import { presentableName } from './presentable-name';

type Attributes = Partial<LdapDirectory['attributes']>;

const settings = (more: Partial<LdapDirectory> = {}, attributes: Attributes = {}): LdapDirectory => {
  const directory = directoryAt('ldaps://ldap.example.com', more);
  return { ...directory, attributes: { ...directory.attributes, ...attributes } };
};

const of = (values: Readonly<Record<string, LdapValue | readonly LdapValue[]>>, directory = settings()) =>
  personOf(
    {
      dn: 'uid=Ada,ou=People,dc=example,dc=com',
      values: new Map(
        Object.entries({ uid: 'ada', mail: 'ada@example.com', cn: 'Ada Lovelace', ...values }).map(([name, value]) => [
          name.toLowerCase(),
          typeof value === 'string' || Buffer.isBuffer(value) ? [value] : value,
        ]),
      ),
    },
    directory,
  );

describe('a person of a directory', () => {
  it('has the name, the email and the values that the attributes say', () => {
    const profile = new Map([
      ['Phone', 'telephoneNumber'],
      ['Room', 'roomNumber'],
    ]);
    const ada = of(
      { TELEPHONENUMBER: ' 1 ', givenName: 'Ada', sn: 'L.' },
      settings({}, { profile, fullName: ['givenName', 'sn'] }),
    );
    expect(ada).toMatchObject({ email: 'ada@example.com', fullName: 'Ada L.', role: null, isDeactivated: false });
    expect(ada).toMatchObject({
      profile: new Map([
        ['Phone', '1'],
        ['Room', ''],
      ]),
    });
  });

  it.each([
    ['entryUUID', { entryUUID: '0F-1A' }, 'id:0f-1a'],
    ['objectGUID', { objectGUID: Buffer.from([1, 171]) }, 'id:01ab'],
    ['nothing but a name', {}, 'dn:uid=ada,ou=people,dc=example,dc=com'],
  ])('is known by %s', (_, values, subject) => expect(of(values)).toMatchObject({ subject }));

  it('has an email of the domain if there is no attribute for it', () => {
    const made = settings({ emailDomain: 'corp.example.com' }, { email: null });
    expect(of({}, made)).toMatchObject({ email: 'ada@corp.example.com' });
    expect(of({ uid: [] }, made)).toMatchObject({ reason: 'it has no email address' });
    expect(of({ mail: 'not an email' })).toMatchObject({ reason: 'it has no email address' });
    expect(of({ mail: [] })).toMatchObject({ reason: 'it has no email address' });
  });

  it.each([
    ['userAccountControl', '512', false],
    ['userAccountControl', '514', true],
    ['userAccountControl', '66050', true],
    ['useraccountcontrol', '', false],
    ['nsAccountLock', 'TRUE', true],
    ['nsAccountLock', 'false', false],
    ['loginDisabled', '1', true],
  ])('is deactivated by %s %j: %p', (deactivated, value, isDeactivated) => {
    expect(of({ [deactivated]: value }, settings({}, { deactivated }))).toMatchObject({ isDeactivated });
  });

  it('cannot be used while nobody knows whether it is deactivated', () => {
    const entry = of({ status: 'retired' }, settings({}, { deactivated: 'status' }));
    expect(entry).toMatchObject({
      reason: 'its status is neither true nor false',
      subject: expect.any(String) as string,
    });
  });

  it('has the most powerful role of its groups', () => {
    const roles = {
      groups: new Map([
        [Role.guest, ['external']],
        [Role.administrator, ['cn=Admins, ou=groups', 'cn=none']],
        [Role.owner, ['owners']],
      ]),
      otherwise: Role.member,
    };
    const roleIn = (...memberOf: string[]) => of({ memberOf }, settings({ roles }));
    expect(roleIn('CN=External,ou=groups', 'cn=admins,OU=groups')).toMatchObject({ role: Role.administrator });
    expect(roleIn('cn=admins,ou=other')).toMatchObject({ role: Role.member });
    expect(roleIn()).toMatchObject({ role: Role.member });
    expect(roleIn('cn=owners,ou=somewhere')).toMatchObject({ role: Role.owner });
  });
});

describe('a distinguished name', () => {
  it.each([
    ['CN=Ada,  OU=People', 'cn=ada,ou=people'],
    ['cn = Ada\\, the first ,ou=x', 'cn=ada\\2c the first,ou=x'],
    ['cn=\\c3\\a9,ou=x', 'cn=é,ou=x'],
    ['cn=a\\\\b,ou=x', 'cn=a\\5cb,ou=x'],
  ])('%j is %j in another spelling', (one, other) => expect(normalName(one)).toBe(normalName(other)));

  it.each([
    ['cn=a\\,ou=x', 'cn=a,ou=x'],
    ['cn=a,ou=x', 'cn=a,ou=x,dc=y'],
  ])('%j is not %j', (one, other) => expect(normalName(one)).not.toBe(normalName(other)));
});

describe('a name from a directory', () => {
  it.each([
    [' Ada\t Lovelace ', 'Ada Lovelace'],
    ['Ada "the first" *Lovelace*', 'Ada the first Lovelace'],
    ['Ada|7', 'Ada 7'],
    ['', 'ada.l'],
    ['@', 'ada.l'],
    ['x'.repeat(300), 'x'.repeat(100)],
  ])('%j is shown as %j', (given, shown) => expect(presentableName(given, 'ada.l@example.com')).toBe(shown));
});
