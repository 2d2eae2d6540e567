import type { Instant } from '@annals/kernel/domain';
import { ManualClock } from '@annals/kernel/domain';
import { Browser } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { secrets } from '../../support/laws/secrets';
import { createLink, invite } from '../../support/invitations/invitations';
import { latestToken } from '../../support/invitations/tokens';
import { OIDC_CLIENT, OidcServer } from '../../support/sign-on/oidc-server';
import { departed, readByApp, somebodyAt as somebody } from '../../support/sign-on/oidc-visits';
import { SignOnTestFile } from '../../support/sign-on/sign-on-file';

const LOGIN = '/accounts/login/social/oidc/home';
const PAD = 'c'.repeat(64);

let file: SignOnTestFile;
let server: TestServer;
let home: OidcServer;
let other: OidcServer;
let ann: Person;
beforeAll(async () => {
  secrets.add('password', OIDC_CLIENT.client_secret);
  const redirects: string[] = ['http://127.0.0.1:1/complete/oidc/'];
  home = await OidcServer.start(redirects);
  other = await OidcServer.start(redirects);
  file = await SignOnTestFile.of({
    openid_connect: {
      home: { issuer: home.issuer, ...OIDC_CLIENT, display_name: 'Home' },
      other: { issuer: other.issuer, ...OIDC_CLIENT },
    },
  });
  const clock = new ManualClock(Date.now() as Instant);
  // Nobody listens at this address: the specs open the paths at the port of the server.
  server = await startTestServer({ env: { ...file.env, ANNALS_URL: 'http://127.0.0.1:1' }, apis: 2, clock });
  ann = await server.person({ name: 'Ann Example' });
});
afterAll(async () => {
  await server.close();
  await home.stop();
  await other.stop();
  await file.drop();
});

const browserOf = (api = 0) => new Browser(server.apis[api]?.url ?? '');

/** A whole login. */
async function logIn(sub: string, { at = home, path = LOGIN, browser = browserOf() } = {}) {
  return browser.open(await departed(browser, at, sub, path), { staysHere: true });
}

const identities = async () => {
  const { body } = await server.owner.get('/audit/events', { types: ['sign-in.*'], limit: 100 });
  return body['events'] as readonly { readonly type: string; readonly data: Record<string, unknown> }[];
};

describe('a login by OpenID Connect', () => {
  it('has a button', async () => {
    const { body } = await server.anonymous.get('/server_settings');
    expect(body).toMatchObject({
      authentication_methods: { 'openid connect': true },
      external_authentication_methods: [
        { name: 'oidc:home', display_name: 'Home', display_icon: null, login_url: LOGIN },
        { name: 'oidc:other', signup_url: '/accounts/register/social/oidc/other' },
      ],
    });
    expect((await browserOf().open('/login')).text).toContain(LOGIN);
  });

  it('begins with PKCE, state and nonce, and finishes in another process of the server', async () => {
    const browser = browserOf(0);
    const start = await browser.open(`${LOGIN}?next=/account`, { staysHere: true });
    const asked = new URL(start.headers.get('location') ?? '').searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: 'annals',
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'http://127.0.0.1:1/complete/oidc/',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    const back = await home.logIn(start.headers.get('location') ?? '', somebody(home, { email: ann.email }));
    const elsewhere = browser.at(server.apis[1]?.url ?? '');
    const done = await elsewhere.open(back, { staysHere: true });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/account']);
    expect((await elsewhere.open('/account')).status).toBe(200);
    const linked = (await identities()).filter(({ type }) => type === 'sign-in.IdentityLinked');
    expect(linked).toMatchObject([{ data: { userId: ann.id, issuer: home.issuer } }]);
  });

  it('knows people by their subject from then on, whatever their address becomes', async () => {
    const [bob, eve] = [await server.person(), await server.person()];
    const sub = somebody(home, { email: bob.email });
    expect((await logIn(sub)).status).toBe(303);
    home.people.set(sub, { email: eve.email, email_verified: true });
    const browser = browserOf();
    expect((await logIn(sub, { browser })).status).toBe(303);
    expect((await browser.open('/account')).text).toContain(bob.email);
    home.people.set(sub, {});
    expect((await logIn(sub)).status).toBe(303);
  });

  it('gives a phone its key, hidden by the pad of the app', async () => {
    const cat = await server.person();
    const { headers } = await logIn(somebody(home, { email: cat.email }), { path: `${LOGIN}?mobile_flow_otp=${PAD}` });
    const url = new URL(headers.get('location') ?? '');
    expect([url.protocol, url.host]).toEqual(['zulip:', 'login']);
    const { otp_encrypted_api_key: hidden = '', ...rest } = Object.fromEntries(url.searchParams);
    expect(rest).toEqual({ email: cat.email, user_id: String(cat.id), realm: 'http://127.0.0.1:1' });
    const key = Buffer.from(hidden, 'hex')
      .map((byte) => byte ^ 0xcc)
      .toString();
    expect((await server.as({ email: cat.email, key }).get('/users/me')).body).toMatchObject({ user_id: cat.id });
  });

  it('gives a desktop app a text that logs in once', async () => {
    const dan = await server.person();
    const page = await logIn(somebody(home, { email: dan.email }), { path: `${LOGIN}?desktop_flow_otp=${PAD}` });
    const [, text = ''] = /<code [^>]*>([0-9a-f]+)<\/code>/.exec(page.text) ?? [];
    const app = browserOf(1);
    const path = `/accounts/login/subdomain/${readByApp(text, PAD)}`;
    const lured = await browserOf().open(path, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(lured.status).toBe(400);
    expect((await app.open(path)).text).toContain(dan.email);
    expect((await browserOf().open(path)).status).toBe(400);
  });

  it.each([
    'mobile_flow_otp=abc',
    `desktop_flow_otp=${'z'.repeat(64)}`,
    `mobile_flow_otp=${PAD}&desktop_flow_otp=${PAD}`,
  ])('refuses the pad %s', async (query) =>
    expect((await browserOf().open(`${LOGIN}?${query}`, { staysHere: true })).status).toBe(400),
  );
});

describe('an attack on a login by OpenID Connect', () => {
  const refusal = async (sub: string, at = home, path = LOGIN) => {
    const { status, words } = await logIn(sub, { at, path });
    return { status, words };
  };

  it.each([
    ['an unverified address', false],
    ['an address without a word about it', undefined],
  ])('by %s fails', async (_, email_verified) => {
    const sub = somebody(home, { email: server.owner.email, email_verified });
    expect(await refusal(sub)).toMatchObject({
      status: 401,
      words: expect.stringContaining('did not confirm') as string,
    });
  });

  it('by the subject of somebody at another provider fails', async () => {
    const fay = await server.person();
    const sub = somebody(home, { email: fay.email });
    expect((await logIn(sub)).status).toBe(303);
    other.people.set(sub, { email: fay.email, email_verified: false });
    expect((await refusal(sub, other, '/accounts/login/social/oidc/other')).status).toBe(401);
  });

  it('by the address of somebody who left the provider fails', async () => {
    const gus = await server.person();
    expect((await logIn(somebody(home, { email: gus.email }))).status).toBe(303);
    const later = await refusal(somebody(home, { email: gus.email }));
    expect(later).toMatchObject({ status: 401, words: expect.stringContaining('another identity') as string });
  });

  it('by an address that only looks like one fails', async () => {
    const kim = await server.person();
    const lookalike = kim.email.replace('p', '\u0440');
    expect((await refusal(somebody(home, { email: `\u212A${lookalike}` }))).words).not.toContain('Log out');
    granted(await server.owner.patch(`/users/${kim.id}`, { new_email: 'kim@example.com' }));
    const kelvin = await refusal(somebody(home, { email: '\u212Aim@example.com' }));
    expect(kelvin).toMatchObject({ status: 401, words: expect.stringContaining('only looks like') as string });
    expect((await logIn(somebody(home, { email: 'KIM@Example.COM' }))).status).toBe(303);
  });

  it('by the address of a bot, or of an account that has ended, fails', async () => {
    const bot = await server.bot(ann);
    const gone = await server.person();
    const sub = somebody(home, { email: gone.email });
    expect((await logIn(sub)).status).toBe(303);
    granted(await server.owner.delete(`/users/${gone.id}`));
    expect((await refusal(somebody(home, { email: bot.email }))).status).toBe(401);
    expect((await refusal(sub)).status).toBe(401);
  });

  it('by a login that began in another browser fails, and so does a second use', async () => {
    const attacker = browserOf();
    const back = await departed(attacker, home, somebody(home, { email: ann.email }), LOGIN);
    const victim = browserOf();
    expect((await victim.open(back)).status).toBe(400);
    await victim.open(LOGIN, { staysHere: true });
    expect((await victim.open(back)).status).toBe(401);
    expect(victim.cookies.has('annals_session')).toBe(false);
    await attacker.open(back, { staysHere: true });
    expect((await attacker.open(back)).status).toBe(400);
  });

  it('by a code, a state or an issuer that somebody changed fails', async () => {
    for (const [name, value] of [
      ['state', 'x'],
      ['code', 'x'],
      ['iss', 'https://evil.example.com'],
    ] as const) {
      const browser = browserOf();
      const back = new URL(await departed(browser, home, somebody(home, { email: ann.email }), LOGIN), 'http://here');
      back.searchParams.set(name, value);
      expect([name, (await browser.open(back.pathname + back.search)).status]).toEqual([name, 401]);
    }
  });

  it('ends when the person refuses, and when the login takes too long', async () => {
    expect((await logIn('')).words).toContain('did not log you in');
    const browser = browserOf();
    const back = await departed(browser, home, somebody(home, { email: ann.email }), LOGIN);
    server.clock.set((server.clock.now() + 31 * 60_000) as Instant);
    expect((await browser.open(back)).words).toContain('This login is too old, or was begun in another browser');
  });
});

describe('somebody without an account', () => {
  it('joins by the page, where the organization allows it', async () => {
    granted(await server.owner.patch('/realm', { invite_required: false }));
    const browser = browserOf();
    const page = await logIn(somebody(home, { email: 'new@example.com', name: 'New Person' }), { browser });
    expect(page).toMatchObject({ status: 200, words: expect.stringContaining('new@example.com') as string });
    const refused = await browser.submit(page, { full_name: 'x' });
    expect(refused.status).toBe(400);
    const joined = await browser.submit(refused, { full_name: 'New Person' });
    expect(joined.text).toContain('new@example.com');
    const again = browserOf();
    await again.submit(page, { full_name: 'Again' }).catch(() => undefined);
    expect(again.cookies.has('annals_session')).toBe(false);
  });

  it('is refused where they need an invitation, and joins with one', async () => {
    granted(await server.owner.patch('/realm', { invite_required: true }));
    const sub = somebody(home, { email: 'guest@example.com', name: 'Invited Person' });
    expect((await logIn(sub)).status).toBe(400);
    granted(
      await server.owner.post('/invites', { invitee_emails: 'guest@example.com', invite_as: 600, stream_ids: [] }),
    );
    const browser = browserOf();
    const page = await logIn(sub, { browser });
    await browser.submit(page, { full_name: 'Invited Person' });
    const { body } = await server.owner.get('/users/guest@example.com');
    expect(body).toMatchObject({ user: { role: 600, full_name: 'Invited Person' } });
  });

  it('joins with a link that was mailed to their address, and with none that somebody else asked for', async () => {
    const { invite_link: link } = granted(await createLink(server.owner, { invite_as: 600 }));
    await browserOf().fill(new URL(link).pathname, { email: 'mia@example.com' });
    const token = await latestToken(server, 'registration');
    const mia = somebody(home, { email: 'mia@example.com', name: 'Mia Example' });
    // Who entered the address in the form has not proved it.
    expect((await logIn(mia)).status).toBe(400);
    const path = `/accounts/register/social/oidc/home?multiuse_object_key=${token}`;
    const stranger = await logIn(somebody(home, { email: 'eve@example.com' }), { path });
    expect(stranger).toMatchObject({ status: 400, words: expect.stringContaining('another email address') as string });
    const browser = browserOf();
    expect((await browser.open(`/accounts/do_confirm/${token}`)).text).toContain(path);
    await browser.submit(await logIn(mia, { path, browser }), { full_name: 'Mia Example' });
    const { body } = await server.owner.get('/users/mia@example.com');
    expect(body).toMatchObject({ user: { role: 600, full_name: 'Mia Example' } });
    expect((await browserOf().open(`/accounts/do_confirm/${token}`)).status).toBe(404);
  });

  it('cannot use the invitation of another address', async () => {
    granted(await invite(server.owner, 'kim.invited@example.com'));
    const path = `/accounts/register/social/oidc/home?multiuse_object_key=${await latestToken(server, 'invitation')}`;
    for (const email of ['eve@example.com', '\u212Aim.invited@example.com']) {
      const { status, words } = await logIn(somebody(home, { email }), { path });
      expect([status, words]).toEqual([400, expect.stringContaining('another email address')]);
    }
    expect((await logIn(somebody(home, { email: 'Kim.Invited@example.com' }), { path })).forms).toHaveLength(1);
  });
});

describe('an organization that turns the method off', () => {
  it('logs nobody in by it, not even who is linked, and ends no session', async () => {
    const ida = await server.person();
    const sub = somebody(home, { email: ida.email });
    const [browser, linked] = [browserOf(), browserOf()];
    expect((await logIn(sub, { browser: linked })).status).toBe(303);
    const back = await departed(browser, home, sub, LOGIN);
    granted(await server.owner.patch('/realm', { authentication_methods: { Email: true, 'OpenID Connect': false } }));
    const { status, words } = await browser.open(back);
    expect([status, words]).toEqual([401, expect.stringContaining('turned off in this organization')]);
    expect((await browserOf().open(LOGIN, { staysHere: true })).status).toBe(401);
    expect((await linked.open('/account')).text).toContain(ida.email);
    const { body } = await server.anonymous.get('/server_settings');
    expect(body).toMatchObject({ external_authentication_methods: [] });
    granted(await server.owner.patch('/realm', { authentication_methods: { 'OpenID Connect': true } }));
  });
});
