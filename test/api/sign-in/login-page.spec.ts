import type { Person } from '../../support/server/organization';
import { granted } from '../../support/server/caller';
import { Browser } from '../../support/server/browser';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const WRONG = 'Your username or password is incorrect';

let server: TestServer;
let person: Person;
let browser: Browser;
beforeAll(async () => (server = await startTestServer({ apis: 2 })));
afterAll(() => server.close());
beforeEach(async () => {
  person = await server.person({ name: 'Mia & <Miller' });
  browser = new Browser(server.url);
});

const credentials = ({ email: username, password }: Person) => ({ username, password });
const logIn = (by = browser, of = person, path = '/login') => by.fill(path, credentials(of), '/login');
const there = () => server.apis[1]?.url ?? '';

describe('the login page', () => {
  it('logs in with a password, and shows the account', async () => {
    const page = await logIn();
    expect([page.status, page.path, page.title]).toEqual([200, '/account', 'Your account · Annals']);
    expect(page.words).toContain('Mia & <Miller');
    expect(page.words).toContain('Browser (this one)');
  });

  it('goes on to the page that was asked for', async () => {
    const page = await browser.open('/account?from=mail');
    expect(page.path).toBe('/login?next=%2Faccount%3Ffrom%3Dmail');
    expect((await browser.submit(page, credentials(person))).path).toBe('/account?from=mail');
    expect((await browser.open('/login?next=/account')).path).toBe('/account');
  });

  it.each(['https://evil.example.com', '//evil.example.com', '/\\evil.example.com', 'javascript:alert(1)'])(
    'never goes on to %s',
    async (next) => {
      expect((await logIn(browser, person, `/login?next=${encodeURIComponent(next)}`)).path).toBe('/account');
      expect((await browser.open(`/login?next=${encodeURIComponent(next)}`)).path).toBe('/account');
    },
  );

  it('refuses a wrong password, an unknown address and a bot alike', async () => {
    const bot = await server.bot(person);
    for (const wrong of [
      { ...credentials(person), password: 'wrong' },
      { username: 'nobody@example.com', password: person.password },
      { username: bot.email, password: person.password },
    ]) {
      const page = await browser.fill('/login', wrong);
      expect([page.status, page.words]).toEqual([400, expect.stringContaining(WRONG)]);
      expect(page.forms[0]?.fields['username']).toBe(wrong.username);
      expect(page.text).not.toContain(wrong.password);
      expect([...browser.cookies.keys()]).not.toContain('annals_session');
    }
  });

  it('does not take a session that somebody planted', async () => {
    const victim = new Browser(server.url);
    victim.cookies.set('annals_session', `${person.id}-${'x'.repeat(43)}`);
    await logIn(victim);
    expect(victim.cookies.get('annals_session')).not.toContain('xxx');
    await logIn(browser);
    const planted = browser.cookies.get('annals_session') ?? '';
    const other = await server.person();
    victim.cookies.set('annals_session', planted);
    await browser.open('/account');
    victim.cookies.set('annals_session', planted);
    // Whoever logs in with a browser that has a session of somebody else gets another one, and that session ends.
    const page = await victim.open('/login');
    expect(page.path).toBe('/account');
    await victim.submit(page, {}, '/logout');
    await logIn(victim, other);
    expect((await browser.open('/account')).path).toBe('/login?next=%2Faccount');
  });

  it('cannot be sent from another site', async () => {
    const page = await browser.open('/login');
    const headers = { origin: 'https://evil.example.com' };
    expect((await browser.submit(page, credentials(person), '/login', { headers })).status).toBe(403);
    expect(browser.cookies.has('annals_session')).toBe(false);
  });

  it('cannot be framed', async () => {
    const { headers } = await browser.open('/login');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it('is in the language of the organization, for a browser that asks for none', async () => {
    granted(await server.owner.patch('/realm', { default_language: 'fa' }));
    expect((await browser.open('/login')).text).toMatch(/<html lang="fa" dir="rtl">/);
    granted(await server.owner.patch('/realm', { default_language: 'en' }));
  });
});

describe('a session', () => {
  it('ends by logging out, in every process', async () => {
    const page = await logIn();
    const elsewhere = browser.at(there());
    expect((await elsewhere.open('/account')).status).toBe(200);
    const out = await browser.submit(page, {}, '/logout');
    expect([out.path, out.words]).toEqual(['/login?news=logged-out', expect.stringContaining('You are logged out.')]);
    expect((await elsewhere.open('/account')).path).toBe('/login?next=%2Faccount');
  });

  it('is shown with the others, and ends each of them', async () => {
    await logIn();
    const other = new Browser(there());
    await logIn(other);
    const page = await browser.open('/account');
    const ends = page.forms.map(({ action }) => action).filter((action) => action.includes('/sessions/'));
    expect(ends).toHaveLength(2);
    await browser.submit(page, {}, ends[0]);
    expect((await other.open('/account')).path).toBe('/login?next=%2Faccount');
    expect((await browser.open('/account')).status).toBe(200);
  });

  it('ends keys of programs', async () => {
    await logIn();
    const page = await browser.open('/account');
    const ends = page.forms.map(({ action }) => action).filter((action) => action.includes('/api_keys/'));
    expect(ends).toHaveLength(1);
    await browser.submit(page, {}, ends[0]);
    expect((await person.get('/users/me')).status).toBe(401);
  });

  it('does not end what is somebody else’s', async () => {
    await logIn();
    const page = await browser.open('/account');
    const [form] = page.forms.filter(({ action }) => action.includes('/sessions/'));
    const intruder = new Browser(server.url);
    const own = await logIn(intruder, await server.person());
    const fields = { csrf_token: own.forms[0]?.fields['csrf_token'] ?? '' };
    const refused = await intruder.submit(page, fields, form?.action);
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('has ended already')]);
    expect((await browser.open('/account')).status).toBe(200);
  });

  it('changes the password, which ends the other sessions', async () => {
    const page = await logIn();
    const other = new Browser(server.url);
    await logIn(other);
    const change = (old_password: string, new_password: string) =>
      browser.submit(page, { old_password, new_password }, '/account/password');
    expect(await change('wrong', 'a better password')).toMatchObject({ status: 400 });
    expect((await change(person.password, 'short')).words).toContain('too weak');
    expect((await change(person.password, 'a better password')).words).toContain('Your password was changed.');
    expect((await other.open('/account')).path).toBe('/login?next=%2Faccount');
    expect((await browser.open('/account')).status).toBe(200);
    await server.anonymous.post('/fetch_api_key', { username: person.email, password: 'a better password' });
  });

  it('opens no endpoint of the API', async () => {
    await logIn();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${server.url}/api/v1/users/me`, { headers: { cookie } });
    expect(answer.status).toBe(401);
  });
});

describe('guessing a password on the page', () => {
  let limited: TestServer;
  beforeAll(async () => (limited = await startTestServer({ env: { ANNALS_RATE_LIMITS: 'on' } })));
  afterAll(() => limited.close());

  it('counts with failed logins of the API', async () => {
    const one = await limited.person();
    const by = new Browser(limited.url);
    const wrong = { username: one.email, password: 'wrong' };
    for (let n = 0; n < 3; n++) expect((await by.fill('/login', wrong)).words).toContain(WRONG);
    for (let n = 0; n < 2; n++) await limited.anonymous.post('/fetch_api_key', wrong);
    const page = await by.fill('/login', credentials(one));
    expect([page.status, page.words]).toEqual([400, expect.stringContaining('Too many attempts')]);
    expect((await limited.anonymous.post('/fetch_api_key', credentials(one))).status).toBe(429);
  });
});
