import type { Socket } from 'node:net';
import { directoryAt } from '../../../../../test/support/ldap/directory-settings';
import { FakeDirectory } from '../../../../../test/support/ldap/fake-directory';
import { ProtocolOperation } from 'ldapts';
import { referenceMessage, resultMessage } from '../../../../../test/support/ldap/ldap-messages';
import type { LdapDirectory } from '../../domain/ldap/directory';
import { DirectoryAway } from './directory-away';
import { readPeople, readPerson, readPictures } from './directory-people';
import { LdapConnection } from './ldap-connection';

const BASE = 'ou=people,dc=example,dc=com';
const GROUPS = 'ou=groups,dc=example,dc=com';
const SERVICE = { dn: 'cn=annals,dc=example,dc=com', password: 'login of the server', attributes: {} };
const PICTURE = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10]);

const person = (uid: string, more: Record<string, readonly (string | Buffer)[]> = {}) => ({
  dn: `uid=${uid},${BASE}`,
  attributes: { objectClass: ['person'], uid: [uid], mail: [`${uid}@example.com`], cn: [`The ${uid}`], ...more },
});
const group = (cn: string, attribute: string, members: readonly string[]) => ({
  dn: `cn=${cn},${GROUPS}`,
  attributes: { objectClass: ['group'], cn: [cn], [attribute]: members },
});

let directory: FakeDirectory;
beforeAll(async () => {
  directory = await FakeDirectory.start();
});
beforeEach(() => {
  directory.entries = [SERVICE, person('ada', { jpegPhoto: [PICTURE] }), person('bob')];
  directory.maxPage = Infinity;
  directory.filters.length = 0;
  directory.isHesitant = false;
  directory.fault = null;
});
afterAll(() => directory.stop());

const settings = (more: Partial<LdapDirectory> = {}) => directoryAt(directory.url, more);
const groupSearch = { base: GROUPS, filter: '(objectClass=group)', member: 'member' };
const userGroups = new Map([
  [`CN=dev, ${GROUPS}`, 'Developers'],
  ['ops', 'Operations'],
]);
const groupsOf = async (more: Partial<LdapDirectory>): Promise<Record<string, string[]>> => {
  const { people } = await readPeople(settings({ userGroups, ...more }));
  return Object.fromEntries(
    people.map(({ email, userGroups: names }) => [email.split('@')[0] ?? '', [...names]] as const),
  );
};

describe('the people of a directory', () => {
  it('are read page by page', async () => {
    directory.maxPage = 3;
    directory.entries = [
      SERVICE,
      ...Array.from({ length: 10 }, (_, n) => person(`p${n}`)),
      { dn: 'cn=x', attributes: {} },
    ];
    const { people } = await readPeople(settings());
    expect(people.map(({ email }) => email)).toEqual(Array.from({ length: 10 }, (_, n) => `p${n}@example.com`));
  });

  it('are not read on after the time for it', async () => {
    directory.maxPage = 1;
    let asked = 0;
    const reading = readPeople(settings(), () => ++asked > 2);
    await expect(reading).rejects.toThrow('it did not answer everything in the time for it');
    expect(directory.filters).toHaveLength(2);
  });

  it('are those of this server: no other one gets the password, to which it may refer', async () => {
    directory.fault = (request, socket, messageId) => {
      if (request === 'search') socket.write(referenceMessage(messageId, 'ldap://elsewhere.example.com/ou=people'));
      return null;
    };
    expect((await readPeople(settings())).people).toHaveLength(2);
  });

  it('are read on after a page without entries', async () => {
    directory.maxPage = 1;
    directory.isHesitant = true;
    expect((await readPeople(settings())).people).toHaveLength(2);
  });

  const { LDAP_RES_SEARCH } = ProtocolOperation;
  it.each<[string, (socket: Socket, messageId: number) => unknown]>([
    ['the connection ends', (socket) => socket.destroy()],
    ['a page has no cookie', (socket, id) => socket.write(resultMessage(LDAP_RES_SEARCH, id, 0))],
    ['a limit is reached', (socket, id) => socket.write(resultMessage(LDAP_RES_SEARCH, id, 4, { cookie: '' }))],
    ['no page is the last', (socket, id) => socket.write(resultMessage(LDAP_RES_SEARCH, id, 0, { cookie: '1' }))],
  ])('are not read by halves when %s', async (_, answer) => {
    directory.maxPage = 1;
    let searches = 0;
    directory.fault = (request, socket, messageId) => {
      if (request !== 'search' || ++searches < 2) return null;
      answer(socket, messageId);
      return 'done';
    };
    await expect(readPeople(settings())).rejects.toBeInstanceOf(DirectoryAway);
  });

  it('are not read without the login on another connection, when the first one ended', async () => {
    const connection = await LdapConnection.open(settings());
    directory.fault = (_, socket) => {
      socket.destroy();
      return 'done';
    };
    const search = { base: BASE, filter: '(objectClass=*)', attributes: [] };
    await expect(connection.all(search).next()).rejects.toBeInstanceOf(DirectoryAway);
    directory.fault = null;
    await expect(connection.all(search).next()).rejects.toBeInstanceOf(DirectoryAway);
    await expect(connection.find(search, 2)).rejects.toBeInstanceOf(DirectoryAway);
    await connection.close();
  });

  it('have a digest of the picture, which is read when it is needed', async () => {
    const { people } = await readPeople(settings());
    expect(people.map(({ pictureDigest }) => pictureDigest)).toEqual([expect.any(String), null]);
    const pictures: unknown[] = [];
    for await (const one of readPictures(
      settings(),
      people.map(({ dn }) => dn),
    ))
      pictures.push(one);
    expect(pictures).toEqual([
      { dn: people[0]?.dn, picture: PICTURE },
      { dn: people[1]?.dn, picture: null },
    ]);
  });

  it('are read one by one too', async () => {
    directory.entries = [...directory.entries, group('ops', 'member', [person('ada').dn])];
    const ada = await readPerson(settings({ groupSearch, userGroups }), person('ada').dn);
    expect(ada).toMatchObject({ email: 'ada@example.com', fullName: 'The ada', picture: PICTURE });
    expect([...(ada?.userGroups ?? [])]).toEqual(['Operations']);
    expect(await readPerson(settings(), `uid=gone,${BASE}`)).toBeNull();
  });
});

describe('groups', () => {
  it('are those that a person lists', async () => {
    directory.entries = [
      SERVICE,
      person('ada', { memberOf: [`cn=DEV,${GROUPS}`, `cn=Ops,ou=elsewhere`] }),
      person('bob'),
    ];
    expect(await groupsOf({})).toEqual({ ada: ['Developers', 'Operations'], bob: [] });
  });

  it('are those that list a person, by name or by user name', async () => {
    directory.entries = [
      ...directory.entries,
      group('dev', 'member', [`UID=Ada, ${BASE}`]),
      group('ops', 'memberUid', ['BOB', 'nobody']),
    ];
    expect(await groupsOf({ groupSearch })).toEqual({ ada: ['Developers'], bob: [] });
    expect(await groupsOf({ groupSearch: { ...groupSearch, member: 'memberUid' } })).toEqual({
      ada: [],
      bob: ['Operations'],
    });
  });

  it('are read to their end when a directory gives their members in parts', async () => {
    const dev = group('dev', 'member;range=0-0', [person('ada').dn]);
    directory.entries = [...directory.entries, dev];
    directory.fault = (request) => {
      if (request === 'search' && directory.filters.length === 2)
        directory.entries = [...directory.entries.slice(0, -1), group('dev', 'member;range=1-*', [person('bob').dn])];
      return null;
    };
    directory.filters.length = 0;
    expect(await groupsOf({ groupSearch })).toEqual({ ada: ['Developers'], bob: ['Developers'] });
  });
});
