import { createHash } from 'node:crypto';
import { Browser } from '../../../../test/support/server/browser';
import type { ToyApp } from '../../testing/toy-app';
import { startToyApp } from '../../testing/toy-app';
import { localPath } from './local-path';

let toy: ToyApp;
let url: string;
let browser: Browser;
beforeAll(async () => {
  toy = await startToyApp();
  url = `http://127.0.0.1:${toy.port}`;
});
afterAll(() => toy.close());
beforeEach(() => (browser = new Browser(url)));

const EVIL = '"><script>alert(1)</script>';

describe('a page', () => {
  it('shows every text as a text, in markup that needs no script', async () => {
    const page = await browser.open(`/wish?wish=${encodeURIComponent(EVIL)}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.title).toBe(`Wish ${EVIL} · Toys & <b>Tea</b>`);
    expect(page.text).not.toMatch(/<script|<b>|javascript:| on\w+=/i);
    expect(page.forms).toEqual([
      { action: '/wish', fields: { csrf_token: expect.stringMatching(/.{40}/) as string, wish: EVIL } },
    ]);
  });

  it('runs nothing, fetches nothing, and is shown in no frame and stored nowhere', async () => {
    const { headers } = await browser.open('/wish');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('has the style that its headers allow, to the last space', async () => {
    const { text, headers } = await browser.open('/wish');
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(text) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${digest}'`);
    expect(style).toContain('@media (prefers-color-scheme:dark)');
  });

  it('shows what was wrong beside the field that it is about, with the cursor there', async () => {
    const { text, status } = await browser.fill('/wish', { wish: 'money' });
    expect(status).toBe(400);
    expect(text).toMatch(/aria-describedby="wish-problem wish-hint" aria-invalid="true"[^>]* autofocus/);
    expect(text).toMatch(/<p class="problem" id="wish-problem" role="alert">Not &lt;that&gt;<\/p>/);
    expect(text).not.toContain('class="notice');
  });

  it('has labels, and hints that belong to their inputs', async () => {
    const { text } = await browser.open('/wish');
    expect(text).toMatch(/<html lang="en" dir="ltr">/);
    expect(text).toMatch(
      /<label for="wish">Your wish<\/label>\s*<input\s+id="wish"[^>]*\saria-describedby="wish-hint"/,
    );
    expect(text).toMatch(/<meta name="viewport"/);
  });

  it('is in the language that the browser prefers, and in its direction', async () => {
    const lost = (accept: string) => browser.open('/nowhere', { headers: { 'accept-language': accept } });
    expect((await lost('ar;q=0.9,en;q=0.1')).text).toMatch(/<html lang="ar" dir="rtl">/);
    expect((await lost('tlh,*;q=0.5')).text).toMatch(/<html lang="en" dir="ltr">/);
    expect((await lost('zh-CN,zh;q=0.9')).text).toMatch(/lang="zh-hans"/);
    expect((await lost(`de-AT${',x'.repeat(2_000)}`)).text).toMatch(/lang="de"/);
  });

  it('is answered to HEAD without its text', async () => {
    const answer = await fetch(`${url}/wish`, { method: 'HEAD' });
    expect([answer.status, Number(answer.headers.get('content-length')) > 1_000]).toEqual([200, true]);
    expect(await answer.text()).toBe('');
  });

  it('may lead to other servers that it names', async () => {
    const page = await fetch(`${url}/from-elsewhere`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
    expect(page.headers.get('content-security-policy')).toMatch(
      /form-action 'self' https:\/\/elsewhere\.example\.com;/,
    );
  });
});

describe('a form', () => {
  it('is accepted from the browser that loaded it', async () => {
    const granted = await browser.fill('/wish', { wish: 'peace' });
    expect([granted.status, granted.words]).toEqual([200, expect.stringContaining('peace')]);
    expect(await browser.fill('/wish', { wish: 'money' })).toMatchObject({
      status: 400,
      words: expect.stringContaining('Not <that>') as string,
    });
  });

  it('may be sent again, and from an older copy of its page', async () => {
    const page = await browser.open('/wish');
    await browser.open('/wish');
    for (let n = 0; n < 2; n++) expect((await browser.submit(page, { wish: 'peace' })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example.com' }],
    ['no site', { origin: 'null' }],
    ['a site that the browser calls another one', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling of this server', { 'sec-fetch-site': 'same-site' }],
    ['an address that somebody typed', { 'sec-fetch-site': 'none' }],
  ])('is refused from %s', async (_, headers) => {
    const page = await browser.open('/wish');
    const refused = await browser.submit(page, { wish: 'peace' }, '/wish', { headers });
    expect(refused).toMatchObject({ status: 403, words: expect.stringContaining('too old') as string });
  });

  it('is refused without a token, with that of another browser, and without cookies', async () => {
    const page = await browser.open('/wish');
    const other = await new Browser(url).open('/wish');
    const foreign = other.forms[0]?.fields['csrf_token'] ?? '';
    for (const csrf_token of ['', 'x', foreign]) expect((await browser.submit(page, { csrf_token })).status).toBe(403);
    expect((await new Browser(url).submit(page, {})).status).toBe(403);
    expect((await browser.submit(page, {})).status).toBe(200);
  });

  it('is refused after the person of the browser has changed', async () => {
    browser.cookies.set('annals_session', 'member');
    const before = await browser.open('/wish');
    const headers = { origin: url, cookie: [...browser.cookies].map(([n, v]) => `${n}=${v}`).join('; ') };
    const token = before.forms[0]?.fields['csrf_token'] ?? '';
    const body = new URLSearchParams({ csrf_token: token });
    const answer = await fetch(`${url}/mine`, { method: 'POST', headers, body, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/mine']);
    const [renewed = ''] = answer.headers.getSetCookie();
    expect(renewed).toMatch(/^annals_form=[^;]{40,}; Path=\/; HttpOnly; SameSite=Lax$/);
    browser.cookies.set('annals_form', /=([^;]+)/.exec(renewed)?.[1] ?? '');
    expect((await browser.submit(before, {})).status).toBe(403);
  });

  it('of a program gets the envelope', async () => {
    const answer = await fetch(`${url}/wish`, { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([403, expect.objectContaining({ code: 'CSRF_FAILED' })]);
  });

  it('has cookies for https that no sibling host can plant', async () => {
    const proxied = await startToyApp({}, { trustedProxies: 1 });
    const there = `http://127.0.0.1:${proxied.port}/wish`;
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'chat.example.com' };
    const [cookie = ''] = (await fetch(there, { headers })).headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-annals_form=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    await proxied.close();
  });
});

describe('a page for people with a session', () => {
  it('shows itself to them', async () => {
    browser.cookies.set('annals_session', 'member');
    expect((await browser.open('/mine')).words).toContain('Account 3');
  });

  it('sends everybody else to the login, and the way back with them', async () => {
    for (const session of [undefined, 'nobody']) {
      if (session !== undefined) browser.cookies.set('annals_session', session);
      const { status, headers } = await browser.open('/mine?a=b', { staysHere: true });
      expect([status, headers.get('location')]).toEqual([303, '/login?next=%2Fmine%3Fa%3Db']);
    }
  });

  it('refuses programs in the envelope, a bot, and a key', async () => {
    const answer = await toy.ask('GET', '/mine');
    expect(answer).toMatchObject({ status: 401, json: { code: 'UNAUTHENTICATED_USER' } });
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(await toy.ask('GET', '/mine', { headers: { cookie: 'annals_session=bot' } })).toMatchObject({
      status: 400,
      json: { code: 'BAD_REQUEST' },
    });
  });
});

describe('an error', () => {
  it('is a page for a browser', async () => {
    expect(await browser.open('/nowhere')).toMatchObject({
      status: 404,
      title: 'This page does not exist · Toys & <b>Tea</b>',
    });
    const broken = await browser.open('/broken');
    expect([broken.status, broken.title]).toEqual([500, expect.stringContaining('Something went wrong')]);
    expect(broken.text).not.toContain('secret detail');
    expect(broken.words).toContain(broken.headers.get('x-request-id') ?? 'none');
  });

  it('is explained in the language of the visitor, with its values', async () => {
    const inGerman = async (path: string) => {
      const { status, words } = await browser.open(path, { headers: { 'accept-language': 'de' } });
      return `${status} ${words}`;
    };
    expect(await inGerman(`/wish?wish=${'x'.repeat(1_001)}`)).toMatch(/^400 .* Höchstens 1000 Zeichen sind erlaubt\./);
    expect(await inGerman('/from-elsewhere')).toMatch(/^405 .* Diese Anfrage konnte nicht gelesen werden\./);
    expect(await inGerman('/broken')).toMatch(/^500 .* Auf dem Server ist ein Fehler aufgetreten\./);
  });

  it('is the envelope for a program, and for everybody in the API', async () => {
    for (const path of ['/nowhere', '/broken']) {
      expect((await toy.ask('GET', path)).json).toMatchObject({ result: 'error' });
    }
    const headers = { accept: 'text/html' };
    expect(await toy.ask('GET', '/api/v1/nowhere', { headers })).toMatchObject({
      status: 404,
      json: { msg: 'Not found' },
    });
    expect(await toy.ask('GET', '/api/v1/for/owners', { headers })).toMatchObject({ status: 400 });
  });

  it('is shown where there is no organization, and while the database is away', async () => {
    const at = async (host: string) => {
      const proxied = await browser.open('/wish', { headers: { 'x-forwarded-host': host } });
      return proxied;
    };
    expect((await at('nowhere.example.com')).status).toBe(200); // no proxy is trusted here
    const raw = await toy.raw(
      'GET /wish HTTP/1.1\r\nHost: nowhere.example.com\r\nAccept: text/html\r\nConnection: close\r\n\r\n',
    );
    expect(raw).toMatch(/^HTTP\/1\.1 404 /);
    expect(raw).toContain('There is no organization at this address');
  });
});

describe('the place to go on to', () => {
  it.each(['/account', '/account?a=b&c=%2F', '/', '/a/b:c'])('may be %s', (path) => expect(localPath(path)).toBe(path));

  it.each([
    'https://evil.example.com',
    '//evil.example.com',
    '/\\evil.example.com',
    '\\\\evil.example.com',
    '/\t/evil.example.com',
    '/\n/evil.example.com',
    ' //evil.example.com',
    '/.//evil.example.com',
    '/a/..//evil.example.com',
    'javascript:alert(1)',
    'account',
    '',
    undefined,
  ])('is never %j', (path) => expect(localPath(path)).toBeUndefined());

  it('is a page of this server if a request names another one', async () => {
    const { headers } = await browser.open('/go?next=//evil.example.com', { staysHere: true });
    expect(headers.get('location')).toBe('/wish');
  });
});
