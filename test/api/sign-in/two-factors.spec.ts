import { ManualClock } from '@annals/kernel/domain';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { deactivateOrganization, reactivateOrganization } from '@annals/realm';
import { Secret, TOTP } from 'otpauth';
import type { Shown } from '../../support/server/browser';
import { Browser } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { secrets } from '../../support/laws/secrets';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const PATH = '/account/two-factors';
const STEP = 30_000;

/** A person with an app. */
interface Protected {
  readonly person: Person;
  readonly app: TOTP;
  readonly recovery: readonly string[];
  readonly browser: Browser;
}

let server: TestServer;
const clock = new ManualClock(Date.UTC(2026, 0, 1) as Instant);
// Another way to log in, so that passwords can be turned off.
beforeAll(async () => (server = await startTestServer({ clock, apis: 2, env: { ANNALS_DEV_LOGINS: 'on' } })));
afterAll(() => server.close());

const codeOf = (app: TOTP, steps = 0) => app.generate({ timestamp: clock.now() + steps * STEP });
const credentials = ({ email: username, password }: Person) => ({ username, password });
const there = () => server.apis[1]?.url ?? '';
const fetchKey = ({ email: username, password }: Person, code = '') =>
  server.anonymous.post('/fetch_api_key', { username, password: `${password}${code}` });

async function enrol(): Promise<Protected> {
  const person = await server.person();
  const browser = new Browser(server.url);
  await browser.fill('/login', credentials(person));
  const page = await browser.open(PATH);
  const secret = page.forms.find(({ action }) => action === PATH)?.fields['secret'] ?? '';
  secrets.add('app', secret);
  expect(page.text).toContain('<svg');
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const done = await browser.submit(page, { code: codeOf(app), password: person.password }, PATH);
  const recovery = done.words.match(/\b[a-z2-9]{5}-[a-z2-9]{5}\b/g) ?? [];
  for (const code of recovery) secrets.add('recovery code', code);
  expect(recovery).toHaveLength(10);
  clock.advance(STEP);
  return { person, app, recovery, browser };
}

/** The page after the password. */
const password = (person: Person, browser: Browser): Promise<Shown> =>
  browser.fill('/login', credentials(person), '/login');

describe('logins with a code of an app', () => {
  let one: Protected;
  beforeAll(async () => (one = await enrol()));

  it('ask for it after the password, in any process', async () => {
    const browser = new Browser(server.url);
    const page = await password(one.person, browser);
    expect([page.path, browser.cookies.has('annals_session')]).toEqual(['/login/code', false]);
    expect((await browser.open('/account')).path).toContain('/login');
    const other = browser.at(there());
    const done = await other.fill('/login/code', { code: codeOf(one.app) });
    expect(done.path).toBe('/account');
    clock.advance(STEP);
  });

  it('take a code once, in every process', async () => {
    const [first, second] = [new Browser(server.url), new Browser(there())];
    const code = codeOf(one.app);
    const page = await password(one.person, first);
    expect((await first.submit(page, { code })).path).toBe('/account');
    const again = await second.submit(await password(one.person, second), { code });
    expect([again.status, again.words]).toEqual([400, expect.stringContaining('wrong, or was used already')]);
    expect((await fetchKey(one.person, code)).status).toBe(401);
    clock.advance(2 * STEP);
  });

  it('allow a phone whose clock is one step wrong, not two', async () => {
    const browser = new Browser(server.url);
    const page = await password(one.person, browser);
    expect((await browser.submit(page, { code: codeOf(one.app, -2) })).status).toBe(400);
    expect((await browser.submit(page, { code: codeOf(one.app, 2) })).status).toBe(400);
    expect((await browser.submit(page, { code: codeOf(one.app, -1) })).path).toBe('/account');
    clock.advance(2 * STEP);
  });

  it('take a recovery code instead, once', async () => {
    const [code = ''] = one.recovery;
    const browser = new Browser(server.url);
    const page = await password(one.person, browser);
    const done = await browser.submit(page, { code: code.toUpperCase().replace('-', ' ') });
    expect([done.path, done.words]).toEqual(['/account', expect.stringContaining('9 recovery codes left')]);
    const other = new Browser(server.url);
    expect((await other.submit(await password(one.person, other), { code })).status).toBe(400);
  });

  it('take no code without the password, and none long after it', async () => {
    const browser = new Browser(server.url);
    expect((await browser.open('/login/code')).path).toBe('/login');
    browser.cookies.set('annals_login', `${one.person.id}-${'x'.repeat(43)}`);
    expect((await browser.fill('/login/code', { code: codeOf(one.app) })).path).toBe('/login');
    const late = new Browser(server.url);
    const page = await password(one.person, late);
    clock.advance(10 * 60_000);
    expect((await late.submit(page, { code: codeOf(one.app) })).path).toBe('/login');
  });

  it('end with another password between password and code', async () => {
    const browser = new Browser(server.url);
    const page = await password(one.person, browser);
    granted(
      await one.person.patch('/settings', { old_password: one.person.password, new_password: 'quite another one' }),
    );
    expect((await browser.submit(page, { code: codeOf(one.app) })).path).toBe('/login');
    granted(
      await one.person.patch('/settings', { old_password: 'quite another one', new_password: one.person.password }),
    );
  });

  const setMethods = (methods: object) =>
    server.owner.patch('/realm', { authentication_methods: { Dev: true, ...methods } });
  it.each<[string, () => Promise<unknown>]>([
    [
      'a deactivation of the account',
      async () => {
        granted(await server.owner.delete(`/users/${one.person.id}`));
        granted(await server.owner.post(`/users/${one.person.id}/reactivate`));
      },
    ],
    [
      'a deactivation of the organization',
      async () => {
        await deactivateOrganization(server.kernel, 1 as RealmId);
        await reactivateOrganization(server.kernel, 1 as RealmId);
      },
    ],
    ['another key', async () => granted(await one.person.post('/users/me/api_key/regenerate'))],
    ['the end of logins with passwords', async () => granted(await setMethods({ Email: false }))],
  ])('end with %s between password and code', async (_, end) => {
    clock.advance(2 * STEP);
    const browser = new Browser(server.url);
    const page = await password(one.person, browser);
    await end();
    await browser.submit(page, { code: codeOf(one.app) });
    expect(browser.cookies.has('annals_session')).toBe(false);
    granted(await setMethods({ Email: true }));
  });
});

describe('POST /fetch_api_key of an account with an app', () => {
  let one: Protected;
  beforeAll(async () => (one = await enrol()));

  it('takes the password followed by the code, and says so', async () => {
    expect(await fetchKey(one.person)).toMatchObject({
      status: 401,
      body: { code: 'TWO_FACTOR_CODE_REQUIRED', msg: expect.stringContaining('followed by the six digits') as string },
    });
    granted(await fetchKey(one.person, codeOf(one.app)));
    clock.advance(STEP);
    granted(await fetchKey(one.person, ` ${codeOf(one.app)}`));
    clock.advance(STEP);
    expect(await fetchKey(one.person, '000000')).toMatchObject({
      status: 401,
      body: { code: 'AUTHENTICATION_FAILED' },
    });
    expect(await fetchKey({ ...one.person, password: 'wrong' } as Person, codeOf(one.app))).toMatchObject({
      body: { code: 'AUTHENTICATION_FAILED' },
    });
  });

  it('takes nothing but the password of an account without one, also if it ends with digits', async () => {
    const plain = await server.person();
    expect(await fetchKey(plain, '123456')).toMatchObject({ body: { code: 'AUTHENTICATION_FAILED' } });
    granted(await plain.patch('/settings', { old_password: plain.password, new_password: 'ends with 123456' }));
    granted(await server.anonymous.post('/fetch_api_key', { username: plain.email, password: 'ends with 123456' }));
  });
});

describe('two logins at once', () => {
  it('do not both succeed with one code', async () => {
    const { person, app } = await enrol();
    const login = { username: person.email, password: `${person.password}${codeOf(app)}` };
    const fetched = await Promise.all(
      [server.anonymous, server.anonymous.at(there())].map((by) => by.post('/fetch_api_key', login)),
    );
    expect(fetched.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('do not both succeed with one recovery code', async () => {
    const { person, recovery } = await enrol();
    const [here, elsewhere] = [new Browser(server.url), new Browser(there())];
    const page = await password(person, here);
    elsewhere.cookies.set('annals_login', here.cookies.get('annals_login') ?? '');
    const other = await elsewhere.open('/login/code');
    const fields = { code: recovery[0] ?? '' };
    const pages = await Promise.all([here.submit(page, fields), elsewhere.submit(other, fields)]);
    expect(pages.filter(({ path }) => path === '/account')).toHaveLength(1);
  });
});

describe('many wrong codes for an account', () => {
  it('are refused by all processes together, until half an hour is over', async () => {
    const one = await enrol();
    const [here, elsewhere] = [new Browser(server.url), new Browser(there())];
    const page = await password(one.person, here);
    elsewhere.cookies.set('annals_login', here.cookies.get('annals_login') ?? '');
    const other = await elsewhere.open('/login/code');
    for (let n = 0; n < 5; n++) {
      expect((await here.submit(page, { code: `00000${n}` })).words).toContain('This code is wrong');
      expect((await elsewhere.submit(other, { code: `wrong-0000${n}` })).words).toContain('This code is wrong');
    }
    expect((await here.submit(page, { code: codeOf(one.app) })).words).toContain('Too many attempts');
    expect((await elsewhere.submit(other, { code: one.recovery[0] ?? '' })).words).toContain('Too many attempts');
    expect(await fetchKey(one.person, codeOf(one.app))).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMIT_HIT' },
    });
    clock.advance(60 * STEP);
    granted(await fetchKey(one.person, codeOf(one.app)));
  });
});

describe('the page of two factors', () => {
  it('needs the password and a right code to begin, and a code to end', async () => {
    const person = await server.person();
    const browser = new Browser(server.url);
    await browser.fill('/login', credentials(person));
    const page = await browser.open(PATH);
    const secret = page.forms[0]?.fields['secret'] ?? '';
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const begin = (fields: Record<string, string>) => browser.submit(page, fields, PATH);
    expect((await begin({ code: codeOf(app), password: 'wrong' })).words).toContain('Wrong password!');
    expect((await begin({ code: '000000', password: person.password })).words).toContain('This code is wrong');
    expect((await begin({ code: codeOf(app), password: person.password, secret: 'AAAA' })).status).toBe(400);
    granted(await fetchKey(person));
    expect((await begin({ code: codeOf(app), password: person.password })).title).toContain('Your recovery codes');
    expect((await begin({ code: codeOf(app), password: person.password })).status).toBe(400);
    expect((await fetchKey(person)).status).toBe(401);
    clock.advance(STEP);
    expect((await browser.fill(PATH, { code: '000000' }, `${PATH}/end`)).status).toBe(400);
    expect((await browser.fill(PATH, { code: codeOf(app) }, `${PATH}/end`)).path).toBe('/account');
    granted(await fetchKey(person));
  });
});

describe('guessing a code', () => {
  let limited: TestServer;
  beforeAll(async () => (limited = await startTestServer({ env: { ANNALS_RATE_LIMITS: 'on' }, clock })));
  afterAll(() => limited.close());

  it('is limited like guessing a password, and a missing code is no guess', async () => {
    const person = await limited.person();
    const browser = new Browser(limited.url);
    await browser.fill('/login', credentials(person));
    const page = await browser.open(PATH);
    const app = new TOTP({ secret: Secret.fromBase32(page.forms[0]?.fields['secret'] ?? '') });
    await browser.submit(page, { code: codeOf(app), password: person.password }, PATH);
    const { email: username } = person;
    const fetch = (typed: string) => limited.anonymous.post('/fetch_api_key', { username, password: typed });
    for (let n = 0; n < 6; n++) expect((await fetch(person.password)).body.code).toBe('TWO_FACTOR_CODE_REQUIRED');
    const guesser = new Browser(limited.url);
    const codePage = await guesser.fill('/login', credentials(person));
    for (let n = 0; n < 5; n++) expect((await guesser.submit(codePage, { code: `00000${n}` })).status).toBe(400);
    expect((await guesser.submit(codePage, { code: codeOf(app, 1) })).words).toContain('Too many attempts');
    expect((await fetch(`${person.password}${codeOf(app, 1)}`)).status).toBe(429);
  });
});
