import type { Answered, ToyApp } from '../../testing/toy-app';
import { startToyApp } from '../../testing/toy-app';

let toy: ToyApp;
beforeAll(async () => (toy = await startToyApp()));
afterAll(() => toy.close());

const CHALLENGE = 'Basic realm="zulip"';
const seen = ({ status, json, headers }: Answered) => [status, json.code ?? 'ok', headers.get('www-authenticate')];
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('logging in', () => {
  const knock = async (authorization: string | undefined, path = '/api/v1/things/5?name=x') =>
    seen(await toy.ask('GET', path, { as: null, ...(authorization !== undefined && { headers: { authorization } }) }));

  it.each([
    ['without a header', undefined, 'UNAUTHORIZED'],
    ['with an empty header', '', 'UNAUTHORIZED'],
    ['with a bearer token', 'Bearer abcdef', 'UNAUTHORIZED'],
    ['with no credentials', 'Basic', 'UNAUTHORIZED'],
    ['with credentials that are no base64', 'Basic %%%', 'UNAUTHORIZED'],
    ['with credentials without a colon', `Basic ${base64('nobody')}`, 'UNAUTHORIZED'],
    ['with an unknown name', `Basic ${base64('nobody:key')}`, 'INVALID_API_KEY'],
    ['with an empty key', `Basic ${base64('member@example.com:')}`, 'INVALID_API_KEY'],
    ['with an empty name', `Basic ${base64(':key')}`, 'INVALID_API_KEY'],
    ['with an empty name and an empty key', `Basic ${base64(':')}`, 'INVALID_API_KEY'],
    ['with a NUL in the name', `Basic ${base64('mem\0ber:key')}`, 'INVALID_API_KEY'],
    ['with a wrong key', `Basic ${base64('member@example.com:wrong')}`, 'INVALID_API_KEY'],
  ])('%s is 401 with a challenge', async (_, authorization, code) => {
    expect(await knock(authorization)).toEqual([401, code, CHALLENGE]);
  });

  it('with a name and its key succeeds', async () => {
    expect(await knock(toy.basic('member'))).toEqual([200, 'ok', null]);
  });

  it('is refused with UNAUTHENTICATED_USER if an organization may be open to the public', async () => {
    const path = '/api/v1/for/public_access';
    expect(await knock(undefined, path)).toEqual([401, 'UNAUTHENTICATED_USER', CHALLENGE]);
    expect(await knock('Basic %%%', path)).toEqual([401, 'UNAUTHORIZED', CHALLENGE]);
    expect(await knock(toy.basic('guest'), path)).toEqual([200, 'ok', null]);
  });

  it('is never needed for a public endpoint: a header, stale or malformed, is ignored', async () => {
    for (const authorization of [undefined, '', 'Bearer x', 'Basic %%%', toy.basic('member', 'wrong')]) {
      expect(await knock(authorization, '/api/v1/server_settings')).toEqual([200, 'ok', null]);
    }
  });
});

describe('the host', () => {
  const ask = (host: string, line = 'GET /api/v1/server_settings') =>
    toy.raw(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

  it('names the organization of a public endpoint', async () => {
    expect(await ask('Chat.Example.com:9991')).toContain('"realm":1,"host":"Chat.Example.com:9991"');
  });

  it('without an organization is NONEXISTENT_SUBDOMAIN', async () => {
    const answer = await ask('nowhere.example.com');
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).toContain('"code":"NONEXISTENT_SUBDOMAIN"');
  });
});

describe('callers of an endpoint', () => {
  it.each([
    ['GET', 'for/members', 'guest', 400, 'BAD_REQUEST'],
    ['GET', 'for/members', 'bot', 200, 'ok'],
    ['GET', 'for/humans', 'bot', 400, 'BAD_REQUEST'],
    ['GET', 'for/humans', 'guest', 200, 'ok'],
    ['POST', 'for/administrators', 'member', 400, 'UNAUTHORIZED_PRINCIPAL'],
    ['GET', 'for/owners', 'administrator', 400, 'UNAUTHORIZED_PRINCIPAL'],
    ['GET', 'for/owners', 'owner', 200, 'ok'],
    ['GET', 'for/public_access', 'webhook', 401, 'UNAUTHORIZED'],
    ['POST', 'for/webhooks', 'webhook', 200, 'ok'],
  ])('%s %s as %s: %i %s', async (method, path, as, status, code) => {
    expect(seen(await toy.ask(method, `/api/v1/${path}`, { as })).slice(0, 2)).toEqual([status, code]);
  });

  it('are checked after the login and before the parameters', async () => {
    const path = '/api/v1/for/administrators';
    expect(seen(await toy.ask('POST', path, { as: null }))[1]).toBe('UNAUTHORIZED');
    expect(seen(await toy.ask('POST', path, { as: 'member' }))[1]).toBe('UNAUTHORIZED_PRINCIPAL');
    expect(seen(await toy.ask('POST', path, { as: 'administrator' }))[1]).toBe('REQUEST_VARIABLE_MISSING');
  });

  it('a route that does not match is 404 even without a login', async () => {
    expect(seen(await toy.ask('GET', '/api/v1/things/abc', { as: null }))).toEqual([404, 'BAD_REQUEST', null]);
  });
});
