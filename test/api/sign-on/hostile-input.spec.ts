import { createHmac } from 'node:crypto';
import { Browser } from '../../support/server/browser';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { secrets } from '../../support/laws/secrets';
import { OIDC_CLIENT, OidcServer } from '../../support/sign-on/oidc-server';
import { departed, somebodyAt } from '../../support/sign-on/oidc-visits';
import { SamlIdp } from '../../support/sign-on/saml-idp';
import { SignOnTestFile } from '../../support/sign-on/sign-on-file';

const EVIL = 'evil.example.com';
const VALUES: readonly string[] = [
  ...[
    '',
    '\0',
    '{"$ne":null}',
    '__proto__',
    `https://${EVIL}`,
    `//${EVIL}`,
    `/\\${EVIL}`,
    `/\t/${EVIL}`,
    `/..//${EVIL}`,
  ],
  ...[
    'javascript:alert(1)',
    `\r\nLocation: https://${EVIL}`,
    '/é漢🎉\u2028',
    'a'.repeat(5_000),
    'f'.repeat(64),
    '１'.repeat(64),
  ],
];
/** Values as they are in a URL. */
const ENCODED: readonly string[] = [
  ...VALUES.map((value) => new URLSearchParams({ value }).toString().slice('value='.length)),
  ...['%', '%00', '%ED%A0%80'],
];

const KEY = 'a key of thirty-two bytes or more';
const SECONDS = Date.UTC(2026, 0, 1) / 1000;
const idp = new SamlIdp();

let file: SignOnTestFile;
let server: TestServer;
let home: OidcServer;
const logged: string[] = [];
beforeAll(async () => {
  for (const secret of [OIDC_CLIENT.client_secret, KEY]) secrets.add('password', secret);
  const redirects: string[] = [];
  home = await OidcServer.start(redirects);
  file = await SignOnTestFile.of({
    openid_connect: {
      home: { issuer: home.issuer, ...OIDC_CLIENT },
      away: { issuer: 'http://127.0.0.1:2', ...OIDC_CLIENT },
    },
    saml: { company: { ...idp.entry, idp_initiated: true } },
    jwt: { portal: { algorithm: 'HS256', key: KEY } },
    trusted_header: {
      proxy: { header: 'X-User', full_name_header: 'X-Name', networks: ['127.0.0.1', '::1'], auto_signup: true },
    },
  });
  server = await startTestServer({ env: file.env, log: { write: (line) => void logged.push(line) } });
  redirects.push(`${server.url}/complete/oidc/`);
});
afterAll(async () => {
  await server.close();
  await home.stop();
  await file.drop();
});

/** Servers that a browser may be sent to. */
const isKnown = (location: string): boolean =>
  [new URL(server.url).origin, home.issuer, new URL(idp.ssoUrl).origin].includes(
    new URL(location, server.url).origin,
  ) || location.startsWith('zulip://login?');

/** What a request does that none may do. Null for nothing. */
async function harm(path: string, init: RequestInit = {}): Promise<string | null> {
  const headers = { accept: 'text/html', ...(init.headers as Record<string, string> | undefined) };
  const answer = await fetch(`${server.url}${path}`, { redirect: 'manual', ...init, headers });
  await answer.arrayBuffer();
  const location = answer.headers.get('location');
  const isHarmful = answer.status >= 500 || (location !== null && !isKnown(location));
  return isHarmful ? `${path.slice(0, 200)}: ${answer.status} ${location ?? ''}` : null;
}

async function harmOf(requests: Iterable<() => Promise<string | null>>): Promise<string[]> {
  const found: string[] = [];
  for (const request of requests) {
    const one = await request();
    if (one !== null) found.push(one);
  }
  return found;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const sent = (path: string, body: string, headers: Record<string, string>) =>
  harm(path, { method: 'POST', body, headers: { ...FORM, ...headers } });
const posted = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  sent(path, new URLSearchParams(fields).toString(), headers);

describe('a hostile value', () => {
  it.each<[string, readonly string[], Record<string, string>]>([
    ['/accounts/login/social/oidc/home', ['next', 'mobile_flow_otp'], {}],
    ['/accounts/register/social/saml/company', ['next=/a&next', 'multiuse_object_key'], {}],
    ['/accounts/login/start/sso/', ['next', 'desktop_flow_otp'], {}],
    ['/accounts/login/sso/', ['next', 'mobile_flow_otp', 'desktop_flow_otp'], { 'x-user': 'owner@example.com' }],
    ['/complete/oidc/', ['code', 'state'], {}],
    ['/complete/saml/continue', ['token', 'token[]'], {}],
    ['/login', ['next', 'invitation'], {}],
  ])('at %s is harmless', async (path, names, headers) => {
    const requests = names.flatMap((name) =>
      ENCODED.map((value) => () => harm(`${path}?${name}=${value}`, { headers })),
    );
    expect(await harmOf(requests)).toEqual([]);
  });

  it.each(['/accounts/login/social/', '/accounts/login/social/oidc/', '/accounts/register/social/saml/', '/join/'])(
    'in the path %s is harmless',
    async (path) => {
      const requests = [...ENCODED, 'x/y/z', '..;/'].map((value) => () => harm(`${path}${value}`));
      expect(await harmOf(requests)).toEqual([]);
    },
  );

  it.each([
    ['/accounts/login/jwt/', 'token'],
    ['/accounts/login/jwt/confirm', 'token'],
    ['/api/v1/jwt/fetch_api_key', 'token'],
    ['/accounts/sign-on/join', 'full_name'],
    ['/complete/saml/', 'SAMLResponse'],
  ])('in a form for %s is harmless', async (path, name) => {
    const elsewhere = { origin: `https://${EVIL}`, 'sec-fetch-site': 'cross-site' };
    const requests = [
      ...VALUES.map((value) => () => posted(path, { [name]: value }, elsewhere)),
      ...['%', '%00', 'a&', '%ED%A0%80'].map((value) => () => sent(path, `${name}=${value}&${name}=${value}`, {})),
    ];
    expect(await harmOf(requests)).toEqual([]);
  });

  it('in the answer of a provider of OpenID Connect is harmless', async () => {
    const requests = ['code', 'state', 'iss', 'error'].flatMap((name) =>
      ['', '%00', '%ED%A0%80', 'https://x'].map((value) => async () => {
        const begun = await fetch(`${server.url}/accounts/login/social/oidc/home`, { redirect: 'manual' });
        const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
        const cookie = begun.headers.getSetCookie().map((one) => one.split(';')[0]);
        const path = `/complete/oidc/?code=x&state=${state}&${name}=${value}`;
        return harm(path, { headers: { cookie: cookie.join('; ') } });
      }),
    );
    expect(await harmOf(requests)).toEqual([]);
  });
});

describe('a provider that is away', () => {
  it('is no error of this server', async () => {
    const { status, words } = await new Browser(server.url).open('/accounts/login/social/oidc/away');
    expect([status, words]).toEqual([400, expect.stringContaining('The other system cannot be reached')]);
    const [line] = logged.filter((one) => one.includes('"provider":"away"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      msg: 'OpenID Connect failed',
      reason: 'fetch failed',
      cause: 'ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:2',
    });
  });
});

describe('a provider whose tokens say little', () => {
  const logIn = async (sub: string, email = server.owner.email) => {
    const browser = new Browser(server.url);
    await browser.open(await departed(browser, home, sub, '/accounts/login/social/oidc/home'), { staysHere: true });
    return (await browser.open('/account')).text.includes(email);
  };
  const owner = (more = {}) => somebodyAt(home, { email: server.owner.email, ...more });

  it('is asked whether the address of a token is verified', async () => {
    const sub = owner();
    home.tokens.set(sub, { email: server.owner.email, name: 'Some Body' });
    expect(await logIn(sub)).toBe(true);
  });

  it('is not asked about an address that a token denies', async () => {
    const sub = owner();
    home.tokens.set(sub, { email: server.owner.email, email_verified: false });
    expect(await logIn(sub)).toBe(false);
  });

  it('logs in whom it is linked to while it does not answer, and nobody else', async () => {
    const people = [await server.person(), await server.person()];
    const subs = people.map(({ email }) => somebodyAt(home, { email }));
    const [linked = '', other = ''] = subs;
    expect(await logIn(linked, people[0]?.email)).toBe(true);
    home.isUserinfoAway = true;
    for (const [n, sub] of subs.entries()) home.tokens.set(sub, { email: people[n]?.email });
    expect([await logIn(linked, people[0]?.email), await logIn(other, people[1]?.email)]).toEqual([true, false]);
    home.isUserinfoAway = false;
    expect(logged.join('')).toContain('userinfo of OpenID Connect failed');
  });

  it('logs nobody in by an answer about somebody else', async () => {
    expect(await logIn(owner({ sub: 'somebody-else' }))).toBe(false);
    expect(logged.join('')).toContain('unexpected JSON attribute value');
  });
});

describe('a hostile document', () => {
  const issuer = `<Issuer>${idp.entityId}</Issuer>`;
  it.each([
    ['is no XML', 'no XML'],
    ['has a document type', `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Response>${issuer}&e;</Response>`],
    ['is deep', `<Response>${issuer}${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}</Response>`],
    ['does not end', `<Response>${issuer}${'<Assertion>'.repeat(100)}`],
    ['has no content', `<Response>${issuer}<Assertion/></Response>`],
    ['has characters that XML forbids', `<Response>${issuer}\u0000\ufffe</Response>`],
    ['has names of an object', `<Response>${issuer}<__proto__/><constructor/></Response>`],
  ])('of SAML that %s is harmless', async (_, xml) => {
    const SAMLResponse = Buffer.from(xml).toString('base64');
    expect(await posted('/complete/saml/', { SAMLResponse })).toBeNull();
  });

  const signed = (claims: string): string => {
    const content = [`{"alg":"HS256"}`, claims].map((part) => Buffer.from(part).toString('base64url')).join('.');
    return `${content}.${createHmac('sha256', KEY).update(content).digest('base64url')}`;
  };
  const token = (more: string): string => signed(`{"email":"owner@example.com",${more}}`);
  const TIMES = [
    `${SECONDS + 60.12345}`,
    '1e300',
    '1e400',
    '-1',
    '-1e400',
    '9'.repeat(30),
    `${SECONDS}000`,
    'null',
    '"x"',
    '{}',
  ];
  it('of JSON that is signed is harmless', async () => {
    const tokens = [
      ...TIMES.flatMap((time, n) => [`"exp":${time},"jti":"${n}"`, `"exp":${SECONDS + 60},"nbf":${time}`]).map(token),
      ...['1', 'null', '{}', '[]', '""', '"\\u0000"', '"\\ud800"', 'true'].map((jti) => token(`"jti":${jti}`)),
      ...['"\\u0000"', '"\\ud800"', '{}'].flatMap((text) => [token(`"name":${text}`), signed(`{"email":${text}}`)]),
      ...['null', '[]', '"text"', '1', '{', '', '{"email":"\\ud800@example.com"}'].map(signed),
    ];
    const requests = tokens.map((one) => () => posted('/api/v1/jwt/fetch_api_key', { token: one }));
    expect(await harmOf(requests)).toEqual([]);
  });
});

describe('a hostile header of a proxy', () => {
  it('is harmless', async () => {
    const texts = [' ', '@', 'é@example.com', '"><script>@example.com', 'x'.repeat(5_000), 'a@b.c, d@e.f'];
    const requests = texts.flatMap((text) => [
      () => harm('/accounts/login/sso/', { headers: { 'x-user': text, 'x-name': 'Some Body' } }),
      () => harm('/accounts/login/sso/', { headers: { 'x-user': 'somebody@example.com', 'x-name': text } }),
    ]);
    expect(await harmOf(requests)).toEqual([]);
  });
});
