import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { SignJWT, UnsecuredJWT } from 'jose';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { SignOnTestFile } from '../../support/sign-on/sign-on-file';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PUBLIC_PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const SECONDS = Date.UTC(2026, 0, 1) / 1000;

let file: SignOnTestFile;
let server: TestServer;
let ann: Person;
beforeAll(async () => {
  file = await SignOnTestFile.of({
    jwt: { portal: { algorithm: 'RS256', key: PUBLIC_PEM, audience: 'annals', issuer: 'portal' } },
  });
  server = await startTestServer({ env: file.env });
  ann = await server.person({ name: 'Ann Example' });
});
afterAll(async () => {
  await server.close();
  await file.drop();
});

const CLAIMS = { iss: 'portal', aud: 'annals', exp: SECONDS + 60 };
const signed = (claims: JWTPayload, key: KeyObject = privateKey) =>
  new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader({ alg: 'RS256' }).sign(key);
const exchange = (token: string, more = {}) =>
  server.anonymous.post<{ api_key: string; email: string; user?: object }>('/jwt/fetch_api_key', { token, ...more });

describe('POST /jwt/fetch_api_key', () => {
  it('answers a token with a key of the account', async () => {
    const { body } = await exchange(await signed({ email: ann.email.toUpperCase() }));
    expect(body).toEqual({ result: 'success', msg: '', api_key: expect.any(String) as string, email: ann.email });
    const own = server.as({ email: ann.email, key: granted({ status: 200, body, headers: new Headers() }).api_key });
    expect((await own.get('/users/me')).body).toMatchObject({ user_id: ann.id });
  });

  it('adds the account when it is asked for', async () => {
    const { body } = await exchange(await signed({ email: ann.email }), { include_profile: true });
    const { body: own } = await ann.get(`/users/${ann.id}`, { client_gravatar: false });
    const { profile_data: _, ...user } = own['user'] as Record<string, unknown>;
    expect(body.user).toEqual(user);
  });

  it('records who logged in, and how', async () => {
    granted(await exchange(await signed({ email: ann.email })));
    const { body } = await server.owner.get('/audit/events', { types: ['sign-in.*'], limit: 1 });
    expect(JSON.stringify(body)).toContain('"method":"JWT"');
  });

  it('takes a token that names itself once, whichever process gets it', async () => {
    const token = await signed({ email: ann.email, jti: 'once' });
    granted(await exchange(token));
    expect(await exchange(token)).toMatchObject({ status: 400, body: { msg: 'Bad JSON web token' } });
  });

  const hmac = (alg: string, secret: string) => {
    const part = (of: object) => Buffer.from(JSON.stringify(of)).toString('base64url');
    const content = `${part({ alg })}.${part({ ...CLAIMS, email: ann.email })}`;
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  };
  it.each<[string, () => Promise<string> | string]>([
    ['that expired', () => signed({ email: ann.email, exp: SECONDS - 31 })],
    ['that is not valid yet', () => signed({ email: ann.email, nbf: SECONDS + 3_600 })],
    ['for somebody else', () => signed({ email: ann.email, aud: 'another service' })],
    ['of another issuer', () => signed({ email: ann.email, iss: 'elsewhere' })],
    [
      'with another key',
      () => signed({ email: ann.email }, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    ],
    ['without a signature', () => new UnsecuredJWT({ ...CLAIMS, email: ann.email }).encode()],
    ['whose secret is the public key', () => hmac('HS256', PUBLIC_PEM)],
    [
      'whose secret is the public key in DER',
      () => hmac('HS256', createPublicKey(PUBLIC_PEM).export({ type: 'spki', format: 'der' }).toString('latin1')),
    ],
    ['that says none', () => hmac('none', PUBLIC_PEM)],
    ['that is none', () => 'a.b.c'],
  ])('refuses a token %s', async (_, token) => {
    expect(await exchange(await token())).toMatchObject({ status: 400, body: { msg: 'Bad JSON web token' } });
  });

  it.each<[string, number, number, string]>([
    ['a part of a second', SECONDS + 10.12345, 200, ''],
    ['no end', 1e300, 400, 'a time in seconds'],
    ['milliseconds', (SECONDS + 60) * 1000, 400, 'a time in seconds'],
    ['a time before all', -1e300, 400, 'Bad JSON web token'],
  ])('reads %s as the end of a token', async (_, exp, status, msg) => {
    const answer = await exchange(await signed({ email: ann.email, exp, jti: `until ${exp}` }));
    expect(answer).toMatchObject({ status, body: { msg: expect.stringContaining(msg) as string } });
  });

  it('takes a token without an end for a day, and none that says neither when it was made', async () => {
    const { exp: _, ...endless } = CLAIMS;
    const token = (claims: JWTPayload) =>
      new SignJWT({ ...endless, email: ann.email, ...claims }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    const of = async (claims: JWTPayload) => exchange(await token(claims));
    const noEnd = 'Bad JSON web token: it needs "exp", or "iat" of the last day';
    expect(await of({})).toMatchObject({ status: 400, body: { msg: noEnd } });
    granted(await of({ iat: SECONDS - 60, jti: 'made' }));
    expect((await of({ iat: SECONDS - 60, jti: 'made' })).status).toBe(400);
    expect(await of({ iat: SECONDS - 2 * 86_400 })).toMatchObject({ status: 400, body: { msg: 'Bad JSON web token' } });
  });

  it('refuses no token, and one without an address', async () => {
    expect((await exchange('')).body.msg).toBe('No JSON web token passed in request');
    expect((await exchange(await signed({}))).body.msg).toBe('No email specified in JSON web token claims');
  });

  it('refuses addresses that nobody may log in with', async () => {
    const bot = await server.bot(ann);
    const gone = await server.person();
    granted(await server.owner.delete(`/users/${gone.id}`));
    const of = async (email: unknown) => (await exchange(await signed({ email }))).body.code;
    expect(await of(bot.email)).toBe('AUTHENTICATION_FAILED');
    expect(await of(gone.email)).toBe('USER_DEACTIVATED');
    expect(await of('nobody@example.com')).toBe('AUTHENTICATION_FAILED');
    expect(await of(['owner@example.com'])).toBe('AUTHENTICATION_FAILED');
    expect(await of(ann.email.replace('p', '\u0440'))).toBe('AUTHENTICATION_FAILED');
  });

  it('is refused while it is off, and passwords are refused when they are', async () => {
    const choose = async (methods: object) =>
      granted(await server.owner.patch('/realm', { authentication_methods: methods }));
    await choose({ Email: true, JWT: false });
    expect((await exchange(await signed({ email: ann.email }))).body.code).toBe('AUTHENTICATION_FAILED');
    const events = await server.owner.receive(() => choose({ Email: false, JWT: true }), 'realm');
    expect(events).toMatchObject([
      {
        op: 'update_dict',
        property: 'default',
        data: {
          authentication_methods: {
            Email: { enabled: false, available: true },
            JWT: { enabled: true, available: true },
          },
        },
      },
    ]);
    const password = await server.anonymous.post('/fetch_api_key', { username: ann.email, password: ann.password });
    expect(password).toMatchObject({ status: 401, body: { code: 'PASSWORD_AUTH_DISABLED' } });
    const { body } = await server.anonymous.get('/server_settings');
    expect(body).toMatchObject({
      authentication_methods: { password: false, email: false },
      email_auth_enabled: false,
    });
    granted(await exchange(await signed({ email: ann.email })));
    await choose({ Email: true });
  });
});

describe('a token in a form of another site', () => {
  const sent = async (token: string) => {
    const headers = { accept: 'text/html', origin: 'https://portal.example.com', 'sec-fetch-site': 'cross-site' };
    const body = new URLSearchParams({ token });
    return fetch(`${server.url}/accounts/login/jwt/`, { method: 'POST', headers, body, redirect: 'manual' });
  };

  it('logs nobody in who has not confirmed it in this browser', async () => {
    const answer = await sent(await signed({ email: ann.email }));
    expect([answer.status, answer.headers.getSetCookie().join()]).toEqual([
      200,
      expect.not.stringContaining('session'),
    ]);
    const page = await answer.text();
    expect(page).toContain(ann.email);
    const [, confirmation = ''] = /name="token" value="([^"]+)"/.exec(page) ?? [];
    const confirm = (headers: Record<string, string>, fields: Record<string, string>) =>
      fetch(`${server.url}/accounts/login/jwt/confirm`, {
        method: 'POST',
        headers: { accept: 'text/html', ...headers },
        body: new URLSearchParams({ token: confirmation, ...fields }),
        redirect: 'manual',
      });
    expect((await confirm({ origin: 'https://portal.example.com' }, {})).status).toBe(403);
    const [, csrf_token = ''] = /name="csrf_token" value="([^"]+)"/.exec(page) ?? [];
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const own = { origin: server.url, cookie };
    const done = await confirm(own, { csrf_token });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/account']);
    expect((await confirm(own, { csrf_token })).status).toBe(400);
  });

  it('is refused when it is not valid', async () => {
    expect((await sent('a.b.c')).status).toBe(400);
  });
});
