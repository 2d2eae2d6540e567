import type { Socket } from 'node:net';
import { directoryAt } from '../../../../../test/support/ldap/directory-settings';
import { FakeDirectory } from '../../../../../test/support/ldap/fake-directory';
import { resultMessage } from '../../../../../test/support/ldap/ldap-messages';
import type { LdapDirectory } from '../../domain/ldap/directory';
import { DirectoryAway } from './directory-away';
import { askDirectory, askDirectoryAbout } from './password-answer';

const BASE = 'ou=people,dc=example,dc=com';
const SERVICE = { dn: 'cn=annals,dc=example,dc=com', password: 'login of the server', attributes: {} };
const LDAP_RES_BIND = 0x61;
const LDAP_RES_SEARCH = 0x65;

const person = (uid: string, password = `password of ${uid}`, mail = `${uid}@example.com`) => ({
  dn: `uid=${uid},${BASE}`,
  password,
  attributes: { objectClass: ['person'], uid: [uid], mail: [mail], cn: [uid] },
});

let directory: FakeDirectory;
beforeAll(async () => {
  directory = await FakeDirectory.start();
});
beforeEach(() => {
  directory.entries = [SERVICE, person('ada'), person('bob')];
  directory.binds.length = directory.filters.length = 0;
  directory.fault = null;
});
afterAll(() => directory.stop());

const ask = async (typed: string, password: string, more: Partial<LdapDirectory> = {}) => {
  const answer = await askDirectory(directoryAt(directory.url, more), typed, password);
  return answer.kind === 'right' ? answer.entry.dn : answer.kind;
};

describe('a password', () => {
  it('is right for the entry that the name finds, by user name and by email', async () => {
    expect(await ask('ada', 'password of ada')).toBe(`uid=ada,${BASE}`);
    expect(await ask(' ADA@example.com ', 'password of ada')).toBe(`uid=ada,${BASE}`);
    expect(await ask('ada', 'password of bob')).toBe('wrong');
  });

  it('is never asked for when it is empty, because a directory accepts an empty one', async () => {
    expect(await ask('ada', '')).toBe('wrong');
    expect(directory.binds).toEqual([]);
  });

  it('is tried for nobody when the name is unknown, so that the steps are the same', async () => {
    expect(await ask('nobody', 'password of ada')).toBe('unknown');
    expect(directory.binds).toHaveLength(2);
    expect(directory.binds[1]?.dn).toMatch(/^cn=[0-9a-f-]{36},ou=people,/);
  });

  it('is nobody’s when two entries have the name', async () => {
    directory.entries = [...directory.entries, person('eve', 'password of ada', 'ada@example.com')];
    expect(await ask('ada@example.com', 'password of ada')).toBe('ambiguous');
    directory.entries = [...directory.entries, person('mal', 'password of ada', 'ada@example.com')];
    expect(await ask('ada@example.com', 'password of ada')).toBe('ambiguous');
  });

  it.each(['*', 'ada)(uid=*', 'a*', '*)(|(uid=*', 'ada\\', '\\2a', 'ada)(&(uid=ada', 'x\0', ')(', 'ad\\61'])(
    'is not found by the name %j, which means nothing in a filter',
    async (typed) => {
      expect(await ask(typed, 'password of ada')).toBe('unknown');
      const name = JSON.stringify(typed);
      const asked = `(and (objectClass="person")(or (uid=${name})(mail=${name})))`;
      for (const filter of directory.filters) expect(filter).toBe(asked);
    },
  );

  it('belongs to the emails of one domain if it has one', async () => {
    const emailDomain = 'Example.com';
    expect(await ask('ada', 'password of ada', { emailDomain })).toBe(`uid=ada,${BASE}`);
    expect(await ask('ada@example.COM', 'password of ada', { emailDomain })).toBe(`uid=ada,${BASE}`);
    for (const typed of ['ada@other.com', '@example.com', 'ada@example.com@other.com', '  ']) {
      directory.filters.length = 0;
      expect(await ask(typed, 'password of ada', { emailDomain })).toBe('unknown');
      expect(directory.filters).toEqual([]);
    }
  });
});

describe('the password of an entry that an account belongs to', () => {
  const about = async (subject: string, password: string, more: Partial<LdapDirectory> = {}) =>
    (await askDirectoryAbout(directoryAt(directory.url, more), subject, password)).kind;
  const withId = (uid: string, attribute: string, id: string | Buffer) => {
    const one = person(uid);
    return { ...one, attributes: { ...one.attributes, [attribute]: [id] } };
  };

  it.each<[string, string | Buffer, string, Partial<LdapDirectory>]>([
    ['entryUUID', 'B1A7-ff', 'id:b1a7-ff', {}],
    ['objectGUID', Buffer.from('ff0041', 'hex'), 'id:ff0041', {}],
    ['badge', '4711', 'id:4711', { attributes: { ...directoryAt('').attributes, id: 'badge' } }],
  ])('is asked for by %s', async (attribute, id, subject, more) => {
    directory.entries = [...directory.entries, withId('cyd', attribute, id)];
    expect(await about(subject, 'password of cyd', more)).toBe('right');
    expect(await about(subject, 'password of ada', more)).toBe('wrong');
    expect(await about(subject, '', more)).toBe('wrong');
    expect(await about(`${subject}0`, 'password of cyd', more)).toBe('unknown');
  });

  it('is asked for by the name of an entry without an id', async () => {
    expect(await about(`dn:uid=ada,${BASE}`, 'password of ada')).toBe('right');
    expect(await about(`dn:uid=nobody,${BASE}`, 'password of ada')).toBe('unknown');
  });
});

describe('a directory that gives no answer', () => {
  const away = async (more: Partial<LdapDirectory> = {}) => {
    await expect(ask('ada', 'password of ada', more)).rejects.toBeInstanceOf(DirectoryAway);
  };
  const fails = (request: 'bind' | 'search', answer: (socket: Socket, messageId: number) => void) => {
    directory.fault = (kind, socket, messageId) => {
      if (kind !== request) return null;
      answer(socket, messageId);
      return 'done';
    };
  };

  it('is away, whatever it does instead', async () => {
    await away({ servers: ['ldap://127.0.0.1:1'] });
    fails('search', (socket) => void socket.destroy());
    await away();
    fails('bind', (socket) => void socket.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')));
    await away({ timeoutMs: 300 });
    fails('search', () => undefined);
    await away({ timeoutMs: 300 });
    fails('search', (socket, id) => void socket.write(resultMessage(LDAP_RES_SEARCH, id, 10)));
    await expect(ask('ada', 'password of ada')).rejects.toThrow('it refers to another server, which is not followed');
    fails('bind', (socket, id) => void socket.write(resultMessage(LDAP_RES_BIND, id, 52)));
    await away();
  });

  it('is away when it refuses the login of this server, and tells no password', async () => {
    const login = { dn: SERVICE.dn, password: 'a wrong one of the server' };
    const failure = await askDirectory(directoryAt(directory.url, { login }), 'ada', 'x').catch(String);
    expect(failure).toContain(`${directory.url}: `);
    expect(failure).not.toContain('a wrong one');
  });

  it('is replaced by the next server', async () => {
    expect(await ask('ada', 'password of ada', { servers: ['ldap://127.0.0.1:1', directory.url] })).toBe(
      `uid=ada,${BASE}`,
    );
  });

  it.each([19, 32, 34, 48, 49, 50, 53])('has answered when it refuses the password with %d', async (code) => {
    let binds = 0;
    fails('bind', (socket, id) => void socket.write(resultMessage(LDAP_RES_BIND, id, binds++ === 0 ? 0 : code)));
    expect(await ask('ada', 'password of ada')).toBe('wrong');
  });
});
