import { systemActor } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { ServerAddress, addHost } from '@annals/realm';
import { identitiesAggregate, linkIdentity } from '@annals/sign-in';
import { Browser } from '../../support/server/browser';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import type { SamlResponse } from '../../support/sign-on/saml-idp';
import { SamlIdp } from '../../support/sign-on/saml-idp';
import { SignOnTestFile } from '../../support/sign-on/sign-on-file';

const URL_OF_SERVER = 'http://127.0.0.1:1';
const LOGIN = '/accounts/login/social/saml/company';
/** A provider where people enter addresses themselves. */
const CARELESS = 'https://careless.example.com';

const idp = new SamlIdp();
const open = new SamlIdp();
let file: SignOnTestFile;
let server: TestServer;
let ann: Person;
beforeAll(async () => {
  const vouched = { all_emails_verified: true };
  const careless = { ...open.entry, entity_id: CARELESS, idp_initiated: true };
  const elsewhere = { ...careless, ...vouched, entity_id: 'https://open.example.com' };
  file = await SignOnTestFile.of({ saml: { company: { ...idp.entry, ...vouched }, open: elsewhere, careless } });
  // Nobody listens at this address: the specs open the paths at the port of the server.
  server = await startTestServer({
    env: { ...file.env, ANNALS_URL: URL_OF_SERVER, ANNALS_TRUSTED_PROXIES: '1' },
    apis: 2,
  });
  ann = await server.person({ name: 'Ann Example' });
});
afterAll(async () => {
  await server.close();
  await file.drop();
});

const browserOf = (api = 0) => new Browser(server.apis[api]?.url ?? '');

/** Begins a login. @returns the id of the request */
async function begun(browser: Browser): Promise<string> {
  const { status, headers } = await browser.open(LOGIN, { staysHere: true });
  expect(status).toBe(303);
  return SamlIdp.requestIn(headers.get('location') ?? '');
}

/** Sends a response as a browser does that comes from the provider: without cookies. */
async function posted(more: Partial<SamlResponse>, { by = idp, api = 0 } = {}) {
  const response = by.base64({
    url: URL_OF_SERVER,
    now: server.clock.now(),
    nameId: 'ann-0815',
    attributes: { email: ann.email, name: 'Ann Example' },
    ...more,
  });
  const answer = await fetch(`${server.apis[api]?.url}/complete/saml/`, {
    method: 'POST',
    body: new URLSearchParams({ SAMLResponse: response, RelayState: 'https://evil.example.com' }),
    headers: { accept: 'text/html', origin: 'https://idp.example.com', 'sec-fetch-site': 'cross-site' },
    redirect: 'manual',
  });
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
}

describe('a login by SAML', () => {
  it('begins in one process, and ends in another', async () => {
    const browser = browserOf();
    const request = await begun(browser);
    const { status, location } = await posted({ inResponseTo: request }, { api: 1 });
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/complete\/saml\/continue\?token=[\w-]{43}$/)]);
    const done = await browser.open(location);
    expect([done.status, done.path]).toEqual([200, '/account']);
    expect(done.text).toContain(ann.email);
  });

  it('begins at the address that the provider knows, also from a host name of the organization', async () => {
    await addHost(server.kernel, new ServerAddress(URL_OF_SERVER), 1 as RealmId, 'talk.example.org');
    const path = `${LOGIN}?next=%2Faccount`;
    const { status, headers } = await new Browser(server.url, 'talk.example.org').open(path, { staysHere: true });
    expect([status, headers.get('location')]).toEqual([303, `${URL_OF_SERVER}${path}`]);
    expect(headers.getSetCookie()).toEqual([]);
  });

  it('finds people by their name at the provider from then on', async () => {
    const browser = browserOf();
    const attributes = { email: server.owner.email };
    const { location } = await posted({ inResponseTo: await begun(browser), attributes });
    expect((await browser.open(location)).text).toContain(ann.email);
  });

  it('counts once: neither the request nor the assertion can be used again, in any process', async () => {
    const browser = browserOf();
    const request = await begun(browser);
    const { location } = await posted({ inResponseTo: request, id: '_once' });
    expect((await posted({ inResponseTo: request, id: '_once' }, { api: 1 })).status).toBe(401);
    expect((await posted({ inResponseTo: request }, { api: 1 })).status).toBe(401);
    expect((await browser.open(location)).path).toBe('/account');
    expect((await browser.open(location)).status).toBe(400);
    const replayed = { nameId: 'open', id: '_again', issuer: 'https://open.example.com' };
    expect((await posted(replayed, { by: open })).status).toBe(303);
    expect((await posted(replayed, { by: open, api: 1 })).status).toBe(401);
  });

  it('ends in the browser where it began', async () => {
    const { location } = await posted({ inResponseTo: await begun(browserOf()) });
    const victim = browserOf();
    await begun(victim);
    expect((await victim.open(location)).status).toBe(400);
    expect(victim.cookies.has('annals_session')).toBe(false);
  });

  it('begins at the provider only where the file allows it', async () => {
    const refused = await posted({});
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('could not be verified')]);
    expect((await posted({ inResponseTo: '_made-up' })).status).toBe(401);
    const { location } = await posted({ issuer: 'https://open.example.com' }, { by: open });
    expect((await browserOf().open(location)).path).toBe('/account');
  });

  it('is refused with the key of another provider', async () => {
    const { status } = await posted({ issuer: idp.entityId, inResponseTo: await begun(browserOf()) }, { by: open });
    expect(status).toBe(401);
  });

  it('ends for a provider that the person unlinks, until they log in with the address again', async () => {
    const bea = await server.person();
    const as = { nameId: 'bea', attributes: { email: bea.email } };
    const logIn = async (browser: Browser, more: Partial<SamlResponse>) =>
      browser.open((await posted({ inResponseTo: await begun(browser), ...more })).location);
    const browser = browserOf();
    await logIn(browser, as);
    const page = await browser.open('/account/identities');
    expect(page.words).toContain(idp.entityId);
    const after = await browser.submit(page, {}, '/account/identities/unlink');
    expect([after.path, after.words]).toEqual(['/account/identities', expect.not.stringContaining(idp.entityId)]);
    expect((await browser.submit(page, {}, '/account/identities/unlink')).status).toBe(400);
    expect((await logIn(browserOf(), { nameId: 'bea again', attributes: { email: bea.email } })).status).toBe(200);
    expect((await logIn(browserOf(), as)).status).toBe(401);
  });

  it('is described for providers', async () => {
    const answer = await fetch(`${server.url}/saml/metadata.xml`);
    expect(answer.headers.get('content-type')).toMatch(/samlmetadata\+xml/);
    expect(await answer.text()).toContain(`${URL_OF_SERVER}/complete/saml/`);
  });

  it('is of no use with what is no response', async () => {
    const body = new URLSearchParams({ SAMLResponse: 'x' });
    const answer = await fetch(`${server.url}/complete/saml/`, { method: 'POST', body, redirect: 'manual' });
    expect(answer.status).toBe(401);
  });
});

describe('a login by SAML at a provider whose addresses nobody vouches for', () => {
  /** Logs somebody in, as the provider names them. */
  const logIn = async (nameId: string, email: string) => {
    const browser = browserOf();
    const { location } = await posted({ issuer: CARELESS, nameId, attributes: { email, name: 'Eve' } }, { by: open });
    const { status, words } = await browser.open(location);
    return { status, words, isLoggedIn: browser.cookies.has('annals_session') };
  };

  const linked = (id: UserId, issuer: string, subject: string) =>
    server.kernel.work.run(systemActor(1 as RealmId), (work) =>
      work.decide(identitiesAggregate, id, (state) => linkIdentity(state, id, { issuer, subject })),
    );

  it.each([
    ['takes no account over that has the address', () => server.owner.email],
    ['opens no account for the address', () => 'eve@example.com'],
  ])('%s', async (_, email) => {
    const { status, words, isLoggedIn } = await logIn('eve', email());
    expect([status, words, isLoggedIn]).toEqual([401, expect.stringContaining('did not confirm'), false]);
  });

  it('is one for people who were linked before, by the name and not by the address', async () => {
    const { id, email } = await server.person();
    await linked(id, `saml:${CARELESS}`, 'dee');
    const { words, isLoggedIn } = await logIn('dee', server.owner.email);
    expect([words, isLoggedIn]).toEqual([expect.stringContaining(email), true]);
    expect((await logIn('eve', email)).isLoggedIn).toBe(false);
  });

  it('is none for somebody else who has the same name there by OpenID Connect', async () => {
    const { id, email } = await server.person();
    await linked(id, CARELESS, 'fay');
    expect((await logIn('fay', email)).isLoggedIn).toBe(false);
  });
});
