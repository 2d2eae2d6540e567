import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { secrets } from '../../support/laws/secrets';
import type { FakeEntry } from '../../support/ldap/fake-directory';
import { FakeDirectory } from '../../support/ldap/fake-directory';
import { outboxOf } from '../../support/mail/outbox';
import { Browser } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import type { TestFolder } from '../../support/server/test-folder';
import { createTestFolder } from '../../support/server/test-folder';

const SERVICE = { dn: 'cn=annals,dc=example,dc=com', password: 'login of the server', attributes: {} };
const BASE = 'ou=people,dc=example,dc=com';
const FACTORS = '/account/two-factors';
const IN_DIRECTORY = 'Your password is in the directory of your organization. Change it there.';
const UNLINK = '/account/identities/unlink';
const NONE = 'You log in without a password. Codes are asked for after a password only.';

const passwordOf = (uid: string) => `directory password of ${uid}`;
const entry = (uid: string): FakeEntry => ({
  dn: `uid=${uid},${BASE}`,
  password: passwordOf(uid),
  attributes: {
    ...{ objectClass: ['person'], uid: [uid], mail: [`${uid}@corp.example`], cn: [`The ${uid}`], entryUUID: [uid] },
  },
});

let directory: FakeDirectory;
let folder: TestFolder;
let server: TestServer;

beforeAll(async () => {
  directory = await FakeDirectory.start([SERVICE, entry('ada'), entry('bob'), entry('cyd')]);
  folder = await createTestFolder();
  const ldap = {
    servers: [directory.url],
    bind_dn: SERVICE.dn,
    bind_password: SERVICE.password,
    search_base: BASE,
    // By the user name only: nobody is found by the email of the account.
    search_filter: '(&(objectClass=person)(uid=%(user)s))',
    synchronization: { every_minutes: 60, max_deactivated_percent: 100 },
  };
  const file = join(folder.path, 'sign-on.json');
  writeFileSync(file, JSON.stringify({ ldap: { company: ldap } }));
  server = await startTestServer({ env: { ANNALS_SIGN_ON_FILE: file, ANNALS_RATE_LIMITS: 'on' } });
  granted(await server.owner.patch('/realm', { invite_required: false }));
});
afterAll(async () => {
  await server.close();
  await directory.stop();
  await folder.drop();
});

const login = (username: string) => ({ username, password: passwordOf(username) });
const logIn = (username: string, password: string) => server.anonymous.post('/fetch_api_key', { username, password });
const browserOf = async (username: string, password = passwordOf(username)): Promise<Browser> => {
  const browser = new Browser(server.url);
  expect((await browser.fill('/login', { username, password }, '/login')).path).toBe('/account');
  return browser;
};

const resetMailsTo = async (email: string) =>
  (await outboxOf(server)).filter(
    ({ to, subject }) => to.includes(email) && subject.startsWith('Choose another password'),
  );

/** The app of a person who begins, and the fields of the form. */
async function appOf(browser: Browser) {
  const page = await browser.open(FACTORS);
  const secret = page.forms.find(({ action }) => action === FACTORS)?.fields['secret'] ?? '';
  secrets.add('app', secret);
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const codeOf = (steps = 0) => app.generate({ timestamp: server.clock.now() + steps * 30_000 });
  const begin = (password: string) => browser.submit(page, { code: codeOf(), password }, FACTORS);
  return { begin, codeOf };
}

describe('somebody whose password is in a directory', () => {
  it('protects logins with it by a code', async () => {
    const { begin, codeOf } = await appOf(await browserOf('ada'));
    const wrong = await begin('another password');
    expect([wrong.status, wrong.words]).toEqual([400, expect.stringContaining('Wrong password!')]);
    const done = await begin(passwordOf('ada'));
    for (const code of done.words.match(/\b[a-z2-9]{5}-[a-z2-9]{5}\b/g) ?? []) secrets.add('recovery code', code);
    expect(done.title).toMatch(/^Your recovery codes/);
    expect((await logIn('ada', passwordOf('ada'))).body.code).toBe('TWO_FACTOR_CODE_REQUIRED');
    granted(await logIn('ada', `${passwordOf('ada')}${codeOf(1)}`));
    const browser = new Browser(server.url);
    const asked = await browser.fill('/login', { username: 'ada', password: passwordOf('ada') }, '/login');
    expect([asked.path, browser.cookies.has('annals_session')]).toEqual(['/login/code', false]);
  });

  it('gets no more guesses at it than at a login, and both count together', async () => {
    const { begin } = await appOf(await browserOf('bob'));
    for (let n = 0; n < 5; n++) expect((await begin(`guess ${n}`)).words).toContain('Wrong password!');
    directory.binds.length = 0;
    expect((await begin(passwordOf('bob'))).title).not.toMatch(/^Your recovery codes/);
    expect((await logIn('bob@corp.example', passwordOf('bob'))).status).toBe(429);
    expect(directory.binds).toEqual([]);
  });

  it('is told where to change it, and gets no password of this server by mail', async () => {
    const { api_key: key, email } = granted(
      await server.anonymous.post<{ api_key: string; email: string }>('/fetch_api_key', {
        username: 'cyd',
        password: passwordOf('cyd'),
      }),
    );
    const browser = await browserOf('cyd');
    const page = await browser.open('/account');
    expect(page.words).toContain(IN_DIRECTORY);
    expect(page.forms.map(({ action }) => action)).not.toContain('/account/password');
    const change = { old_password: passwordOf('cyd'), new_password: 'a wholly new password' };
    expect(await server.as({ email, key }).patch('/settings', change)).toMatchObject({
      status: 400,
      body: { msg: IN_DIRECTORY },
    });
    expect((await browser.fill('/accounts/password/reset', { email })).title).toMatch(/^Look into your mail/);
    expect(await resetMailsTo(email)).toEqual([]);
  });
});

describe('somebody whose password moved to a directory', () => {
  it('chooses no other one here by an earlier link', async () => {
    const person = await server.person();
    const dan = entry('dan');
    directory.entries = [...directory.entries, { ...dan, attributes: { ...dan.attributes, mail: [person.email] } }];
    await new Browser(server.url).fill('/accounts/password/reset', { email: person.email });
    const [mail] = await resetMailsTo(person.email);
    const link = new URL(mail?.links.find((one) => /reset\/./.test(one)) ?? '').pathname;
    await server.kernel.database.pool.query('DELETE FROM secrets WHERE id = $1', [`password-${person.id}`]);
    await browserOf('dan');
    const refused = await new Browser(server.url).fill(link, { new_password: 'a wholly new password' });
    expect(refused.words).toContain('is not valid');
    expect((await logIn(person.email, 'a wholly new password')).status).toBe(401);
  });
});

describe('somebody without a password', () => {
  it('can choose one, and needs no code before', async () => {
    const person = await server.person();
    const browser = await browserOf(person.email, person.password);
    const { begin } = await appOf(browser);
    // As with an account that another system opened.
    await server.kernel.database.pool.query('DELETE FROM secrets WHERE id = $1', [`password-${person.id}`]);
    const page = await browser.open('/account');
    expect(page.words).toContain(NONE);
    expect(page.forms.map(({ action }) => action)).not.toContain('/account/password');
    expect(page.text).toContain('href="/accounts/password/reset"');
    const shown = await browser.open(FACTORS);
    expect([shown.words, shown.forms.map(({ action }) => action)]).toEqual([expect.stringContaining(NONE), []]);
    const refused = await begin(person.password);
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining(NONE)]);
    const change = { old_password: '', new_password: 'a wholly new password' };
    expect((await person.patch('/settings', change)).body.msg).toBe('Wrong password!');
    await browser.fill('/accounts/password/reset', { email: person.email });
    expect(await resetMailsTo(person.email)).toHaveLength(1);
  });
});

describe('the link of an account to its entry', () => {
  it('is not ended by the person, so that the account ends with the entry', async () => {
    directory.entries = [SERVICE, entry('eve')];
    const { user_id: id } = granted(await server.anonymous.post<{ user_id: number }>('/fetch_api_key', login('eve')));
    const browser = await browserOf('eve');
    const page = await browser.open('/account/identities');
    expect(page.words).toContain('ldap:company This is managed by your organization.');
    expect(page.forms.map(({ action }) => action)).not.toContain(UNLINK);
    const [form] = (await browser.open('/account')).forms;
    const forged = { ...page, forms: [{ ...form!, action: UNLINK }] };
    const refused = await browser.submit(forged, { issuer: 'ldap:company' }, UNLINK);
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('managed by your organization')]);
    expect((await browser.submit(forged, { issuer: 'ldap:other' }, UNLINK)).words).toContain('not linked');
    directory.entries = [SERVICE];
    server.clock.advance(61 * 60_000);
    await server.followDirectories();
    const { user } = granted(await server.owner.get<{ user: { is_active: boolean } }>(`/users/${id}`));
    expect(user.is_active).toBe(false);
  });
});
