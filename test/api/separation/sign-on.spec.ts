import type { JWTPayload } from 'jose';
import { SignJWT } from 'jose';
import { DirectoryRuns } from '@annals/provisioning';
import { OfferedDirectories } from '@annals/sign-in';
import type { FakeEntry } from '../../support/ldap/fake-directory';
import { until } from '../../support/push/push';
import { picture } from '../../support/requests/pictures';
import { changesIn } from '../../support/separation/changes-in';
import {
  PORTAL_KEY,
  PROXY_HEADER,
  SignOnScene,
  WEEK_MS,
  annIn,
  directoryPassword,
} from '../../support/separation/sign-on-scene';
import { recordStatements } from '../../support/separation/statements';
import type { Told, Twin } from '../../support/separation/twin';
import { unboundStatements } from '../../support/separation/unbound';
import { Browser } from '../../support/server/browser';
import type { TestServer } from '../../support/server/server';
import type { OidcServer } from '../../support/sign-on/oidc-server';
import { departed, readByApp, somebodyAt } from '../../support/sign-on/oidc-visits';
import type { SamlResponse } from '../../support/sign-on/saml-idp';
import { SamlIdp } from '../../support/sign-on/saml-idp';

/** Logins by other systems, which know both organizations. */
const statements = recordStatements();
let scene: SignOnScene;
let server: TestServer;
let ours: Twin;
let theirs: Twin;
beforeAll(async () => {
  scene = await SignOnScene.start();
  ({ server } = scene);
  [ours, theirs] = scene.twins;
  for (const twin of [ours, theirs]) {
    await twin.did('owner', 'PATCH', '/realm', { invite_required: false });
    // Nothing is due in the second one for a week from now on.
    await followed(twin, annIn(twin));
  }
});
afterAll(async () => {
  statements.end();
  await scene.close();
});

/** The accounts of an organization follow its directory, which lists these entries. */
async function followed(twin: Twin, ...entries: readonly FakeEntry[]): Promise<void> {
  scene.list(twin, ...entries);
  const directory = await server.part(OfferedDirectories).of(twin.id);
  const wishes = { isDryRun: false, isForced: false, signal: new AbortController().signal };
  if (directory) await server.part(DirectoryRuns).run(twin.id, directory, wishes);
}

const OIDC = '/accounts/login/social/oidc';
const IDENTITIES = '/account/identities';
const SESSION = 'annals_session';
const PAD = 'c'.repeat(64);
const STAYS = { staysHere: true };
const emailOf = (name: 'ann' | 'owner', { word }: Twin) => `${name}@${word}.example.com`;
const browserAt = ({ host }: Twin) => new Browser(server.url, host);

/** Begins a login at a provider, and logs somebody in there. @returns the browser, and where the provider sends it */
async function begun(twin: Twin, name: 'home' | 'common', sub: string, query = '') {
  const browser = browserAt(twin);
  return { browser, back: await departed(browser, scene.oidc[name], sub, `${OIDC}/${name}${query}`) };
}
async function logIn(twin: Twin, name: 'home' | 'common', sub: string) {
  const { browser, back } = await begun(twin, name, sub);
  return { browser, page: await browser.open(back) };
}

/** A browser comes to the other organization with all that it has. @returns what that changes there, and what it is told */
async function elsewhere(act: () => Promise<Pick<Told, 'status' | 'text'>>) {
  let told = { status: 0, text: '' };
  const changed = await changesIn(theirs, async () => void (told = await act()));
  return { changed, isRefused: told.status >= 400 && told.status < 500, isTold: ours.isIn(told.text) };
}
const NOTHING = { changed: {}, isRefused: true, isTold: false };

describe('a login by OpenID Connect', () => {
  const somebody = (at: OidcServer, email: string, more = {}) => somebodyAt(at, { email, ...more });

  it('ends in the organization where it began, and is not used up in another one', async () => {
    const { browser, back } = await begun(ours, 'home', somebody(scene.oidc.home, emailOf('owner', ours)));
    expect(await elsewhere(() => browser.named(theirs.host).open(back, STAYS))).toEqual(NOTHING);
    expect((await browser.open(back)).text).toContain(emailOf('owner', ours));
  });

  it('is not finished with the code of a login in another organization', async () => {
    const sub = somebody(scene.oidc.common, emailOf('owner', theirs));
    const [stolen, own] = [await begun(ours, 'common', sub), await begun(theirs, 'common', sub)];
    const [code, state] = [stolen.back, own.back].map((path) => new URL(path, server.url).searchParams);
    const query = new URLSearchParams([...(state ?? [])]);
    query.set('code', code?.get('code') ?? '');
    const answer = await own.browser.open(`/complete/oidc/?${query.toString()}`, STAYS);
    expect([answer.status, own.browser.cookies.has(SESSION)]).toEqual([401, false]);
  });

  it('knows people by their provider and their subject, in one organization', async () => {
    const { home, common } = scene.oidc;
    const sub = somebody(common, emailOf('ann', theirs));
    home.people.set(sub, { email: emailOf('ann', ours), email_verified: true, name: 'Ann' });
    for (const [twin, name] of [
      [theirs, 'common'],
      [ours, 'home'],
    ] as const)
      expect((await logIn(twin, name, sub)).page.text).toContain(emailOf('ann', twin));
    // Here it is the subject of nobody, and no address is confirmed.
    common.people.set(sub, { email: emailOf('ann', ours), email_verified: false });
    const { browser, page } = await logIn(ours, 'common', sub);
    expect([page.status, browser.cookies.has(SESSION)]).toEqual([401, false]);
    expect((await logIn(theirs, 'common', sub)).page.text).toContain(emailOf('ann', theirs));
  });

  it('is shown to a person and ended by them in one organization', async () => {
    const { home, common } = scene.oidc;
    const sub = 'of a person in both';
    for (const twin of [ours, theirs]) {
      common.people.set(sub, { email: emailOf('owner', twin), email_verified: true });
      expect((await logIn(twin, 'common', sub)).page.text).toContain(emailOf('owner', twin));
    }
    const [page, other] = [await ours.browser.open(IDENTITIES), await theirs.browser.open(IDENTITIES)];
    const issuers = [home.issuer, common.issuer];
    expect([page, other].map(({ words }) => issuers.map((one) => words.includes(one)))).toEqual([
      [true, true],
      [false, true],
    ]);
    const unlinked = () => ours.browser.submit(page, { issuer: common.issuer }, `${IDENTITIES}/unlink`);
    expect(await changesIn(theirs, unlinked)).toEqual({});
    expect((await ours.browser.open(IDENTITIES)).words).not.toContain(common.issuer);
    expect((await logIn(theirs, 'common', sub)).page.text).toContain(emailOf('owner', theirs));
  });

  it('is offered where its provider is for the organization', async () => {
    expect(await elsewhere(() => browserAt(theirs).open(`${OIDC}/home`, STAYS))).toEqual(NOTHING);
    for (const path of ['/login', '/api/v1/server_settings']) {
      const [here, there] = [await ours.ask('nobody', 'GET', path), await theirs.ask('nobody', 'GET', path)];
      expect([here, there].map(({ text }) => text.includes('oidc/home'))).toEqual([true, false]);
    }
  });

  it('of somebody without an account opens one where they logged in', async () => {
    const { browser, page } = await logIn(ours, 'common', somebody(scene.oidc.common, 'new@example.org'));
    const fields = { full_name: 'New Person' };
    expect(await elsewhere(() => browser.named(theirs.host).submit(page, fields))).toEqual(NOTHING);
    expect((await browser.submit(page, fields)).text).toContain('new@example.org');
  });

  it('gives a desktop app a text for one organization', async () => {
    const sub = somebody(scene.oidc.common, 'app@example.org', { name: 'App' });
    const joining = await logIn(ours, 'common', sub);
    await joining.browser.submit(joining.page, { full_name: 'App Person' });
    const { browser, back } = await begun(ours, 'common', sub, `?desktop_flow_otp=${PAD}`);
    const [, text = ''] = /<code [^>]*>([0-9a-f]+)<\/code>/.exec((await browser.open(back)).text) ?? [];
    const path = `/accounts/login/subdomain/${readByApp(text, PAD)}`;
    expect(await elsewhere(() => browserAt(theirs).open(path, STAYS))).toEqual(NOTHING);
    expect((await browserAt(ours).open(path)).text).toContain('app@example.org');
  });
});

describe('a login by SAML', () => {
  const responseFor = (twin: Twin, more: Partial<SamlResponse> = {}) =>
    scene.idp.base64({
      ...{ url: `http://${twin.host}`, now: server.clock.now(), nameId: 'the same name' },
      ...{ attributes: { email: emailOf('ann', twin), name: 'Ann' }, ...more },
    });
  /** As a browser sends it that comes from the provider: without cookies. */
  const posted = (twin: Twin, SAMLResponse: string) =>
    twin.ask('nobody', 'POST', '/complete/saml/', {
      form: { SAMLResponse, RelayState: `http://${twin.host}/account` },
      headers: { origin: 'https://idp.example.com', 'sec-fetch-site': 'cross-site' },
    });
  const continued = ({ text }: Told) => /\/complete\/saml\/continue\?token=[\w-]{43}/.exec(text)?.[0] ?? '';
  const requested = async (browser: Browser) => {
    const { headers } = await browser.open('/accounts/login/social/saml/company', STAYS);
    return SamlIdp.requestIn(headers.get('location') ?? '');
  };

  it('ends in the organization that the response is for, in the browser where it began there', async () => {
    const browser = browserAt(ours);
    const response = responseFor(ours, { inResponseTo: await requested(browser) });
    expect(await elsewhere(() => posted(theirs, response))).toEqual(NOTHING);
    const path = continued(await posted(ours, response));
    expect(await elsewhere(() => browser.named(theirs.host).open(path, STAYS))).toEqual(NOTHING);
    expect((await browser.open(path)).text).toContain(emailOf('ann', ours));
  });

  it('that began in one organization answers no request of another one', async () => {
    const request = await requested(browserAt(ours));
    expect((await posted(theirs, responseFor(theirs, { inResponseTo: request }))).status).toBe(401);
    expect((await posted(ours, responseFor(ours, { inResponseTo: request }))).status).toBe(303);
  });

  it('that the provider began is for one organization, and its name means nobody in another one', async () => {
    expect(await elsewhere(() => posted(theirs, responseFor(ours)))).toEqual(NOTHING);
    for (const twin of [ours, theirs]) {
      const page = await browserAt(twin).open(continued(await posted(twin, responseFor(twin))));
      expect(page.text).toContain(emailOf('ann', twin));
    }
  });

  it('is described for each organization by itself', async () => {
    const { text } = await ours.ask('nobody', 'GET', '/saml/metadata.xml');
    expect([ours.isIn(text), theirs.isIn(text)]).toEqual([true, false]);
  });
});

describe('a JSON Web Token of a portal that both have', () => {
  const tokenFor = (twin: Twin, more: JWTPayload = {}) =>
    new SignJWT({ email: emailOf('ann', twin), exp: Math.floor(server.clock.now() / 1000) + 60, ...more })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(PORTAL_KEY));
  const exchanged = (token: string, at: Twin) =>
    at.ask('nobody', 'POST', '/api/v1/jwt/fetch_api_key', { form: { token } });

  it('names an account of one organization, and is not used up in another one', async () => {
    const token = await tokenFor(ours);
    expect(await elsewhere(() => exchanged(token, theirs))).toEqual(NOTHING);
    for (const twin of [ours, theirs])
      expect((await exchanged(await tokenFor(twin, { jti: 'once' }), twin)).status).toBe(200);
  });
});

describe('a login that a proxy has made', () => {
  const LOGIN = '/accounts/login/sso/';
  it('counts in the organization that has the proxy, and ends where it began', async () => {
    const headers = { [PROXY_HEADER]: emailOf('owner', theirs) };
    const browser = browserAt(ours);
    await browser.open('/accounts/login/start/sso/?next=/account', STAYS);
    expect(await elsewhere(() => browser.named(theirs.host).open(LOGIN, { headers, ...STAYS }))).toEqual(NOTHING);
    const done = await browser.open(LOGIN, { headers: { [PROXY_HEADER]: emailOf('owner', ours) } });
    expect([done.path, done.text.includes(emailOf('owner', ours))]).toEqual(['/account', true]);
  });
});

describe('a directory', () => {
  const asked = (at: Twin, of: Twin, username = emailOf('ann', at)) =>
    at.ask('nobody', 'POST', '/api/v1/fetch_api_key', { form: { username, password: directoryPassword(of) } });
  const annOf = async (twin: Twin) => JSON.stringify(await twin.did('owner', 'GET', `/users/${twin.ids['ann']}`));

  it('logs people in where it is the directory, and is not asked for others', async () => {
    const { binds } = scene.directoryOf(ours);
    const before = binds.length;
    expect(await elsewhere(() => asked(theirs, ours))).toEqual(NOTHING);
    expect(await elsewhere(() => asked(theirs, ours, emailOf('ann', ours)))).toEqual(NOTHING);
    expect(binds).toHaveLength(before);
    for (const twin of [ours, theirs]) expect((await asked(twin, twin)).status).toBe(200);
  });

  it('changes and deactivates accounts of its organization, and none with the same ids', async () => {
    const { filters } = scene.directoryOf(theirs);
    const before = filters.length;
    const jpegPhoto = [Buffer.from(await picture('jpeg'))];
    const changed = await changesIn(theirs, async () => {
      await followed(ours, annIn(ours, { cn: ['Ann Changed'], memberOf: ['cn=admins,ou=groups'], jpegPhoto }));
      expect(await annOf(ours)).toContain('Ann Changed');
      await followed(ours);
      expect(await annOf(ours)).toContain('"is_active":false');
    });
    expect([changed, filters.length]).toEqual([{}, before]);
  });

  it('is followed although that of another organization cannot be', async () => {
    const runs = server.part(DirectoryRuns);
    const { run } = runs;
    const mistake = jest.spyOn(runs, 'run').mockImplementation(async (realmId, ...of) => {
      if (realmId === ours.id) throw new TypeError('a mistake');
      return run.call(runs, realmId, ...of);
    });
    try {
      scene.list(theirs, annIn(theirs, { cn: ['Ann Renamed'] }));
      server.clock.advance(WEEK_MS);
      await server.followDirectories();
      expect(mistake.mock.calls.map(([realmId]) => realmId)).toEqual([ours.id, theirs.id]);
    } finally {
      mistake.mockRestore();
    }
    // The worker may follow it by itself at the same moment.
    await until(async () => (await annOf(theirs)).includes('Ann Renamed'));
  });
});

describe('what logs people in', () => {
  it('asks for rows with the organization in every statement', async () => {
    expect(await unboundStatements(server.kernel.database.pool, statements.texts)).toEqual([]);
  });
});
