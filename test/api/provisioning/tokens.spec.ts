import type { TokenBearer } from '@annals/kernel';
import { RateLimits } from '../../../libs/web/src/limits/rate-limits';
import type { FastifyReply } from 'fastify';
import type { ScimCaller } from '../../support/provisioning/scim-caller';
import { ScimCaller as Directory, directoryOf, scimError } from '../../support/provisioning/scim-caller';
import { granted } from '../../support/server/caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

interface Issued {
  readonly id: number;
  readonly token: string;
}

interface Listed {
  readonly id: number;
  readonly creator_id: number | null;
  readonly creator_is_owner: boolean | null;
}

let users: ServerWithUsers;
beforeAll(async () => {
  users = await startWithUsers({ apis: 2 });
});
afterAll(() => users.server.close());

const issue = async (params: Readonly<Record<string, unknown>> = {}): Promise<Issued & { directory: ScimCaller }> => {
  const issued = granted(await users.owner.post<Issued>('/provisioning/tokens', { name: 'Okta', ...params }));
  return { ...issued, directory: new Directory(users.server.url, issued.token) };
};
const listed = async () => granted(await users.owner.get<{ tokens: Listed[] }>('/provisioning/tokens')).tokens;
const statusOf = async (directory: ScimCaller) => (await directory.get('/ServiceProviderConfig')).status;
const urls = () => users.server.apis.map(({ url }) => url);
const now = () => Math.floor(users.server.clock.now() / 1000);

describe('a token', () => {
  it('is shown once, and listed without its secret', async () => {
    const { id, token } = await issue({ rights: 'read-only' });
    expect(token).toMatch(/^annals-\d+-[A-Za-z0-9]{32}$/);
    expect((await listed()).find((one) => one.id === id)).toEqual({
      id,
      name: 'Okta',
      rights: 'read-only',
      creator_id: users.owner.id,
      creator_is_owner: true,
      date_created: now(),
      expiry_date: null,
      last_used: null,
    });
  });

  it('says when it was used, to the hour', async () => {
    const { id, directory } = await issue();
    expect(await statusOf(directory)).toBe(200);
    expect((await listed()).find((one) => one.id === id)).toMatchObject({ last_used: now() });
  });

  it('is refused in every process as soon as it is ended', async () => {
    const { id, directory } = await issue();
    for (const url of urls()) expect(await statusOf(directory.at(url))).toBe(200);
    granted(await users.owner.delete(`/provisioning/tokens/${id}`));
    for (const url of urls()) expect(await statusOf(directory.at(url))).toBe(401);
    expect((await listed()).map((one) => one.id)).not.toContain(id);
    expect(await users.owner.delete(`/provisioning/tokens/${id}`)).toMatchObject({ status: 404 });
  });

  it('outlives the owner who issued it, and the listing shows that', async () => {
    const owner = await users.server.person({ role: 'owner' });
    const [demoted, left] = [await directoryOf(owner), await directoryOf(await users.server.person({ role: 'owner' }))];
    const marks = async () => (await listed()).slice(-2).map(({ creator_is_owner }) => creator_is_owner);
    expect(await marks()).toEqual([true, true]);
    granted(await users.owner.patch(`/users/${owner.id}`, { role: 400 }));
    expect(await marks()).toEqual([false, true]);
    const [creator] = (await listed()).slice(-1).map(({ creator_id }) => creator_id);
    granted(await users.owner.delete(`/users/${String(creator)}`));
    expect(await marks()).toEqual([false, false]);
    for (const directory of [demoted, left]) expect(await statusOf(directory)).toBe(200);
    for (const { id } of (await listed()).slice(-2)) granted(await users.owner.delete(`/provisioning/tokens/${id}`));
  });

  it('is refused when it has expired', async () => {
    const { directory } = await issue({ expiry_date: now() + 60 });
    expect(await statusOf(directory)).toBe(200);
    users.server.clock.advance(60_000);
    expect(await statusOf(directory)).toBe(401);
  });

  it('that may only read changes nothing', async () => {
    const { directory } = await issue({ rights: 'read-only' });
    expect(await directory.find('/Users', 'id pr')).not.toHaveLength(0);
    expect(await directory.post('/Users/.search', {})).toMatchObject({ status: 200 });
    const path = `/Users/${users.member.id}`;
    for (const answer of [
      await directory.post('/Users', { userName: 'x@example.com' }),
      await directory.put(path, { userName: 'x@example.com' }),
      await directory.patch(path, [{ op: 'replace', path: 'active', value: false }]),
      await directory.delete(path),
      await directory.post('/Groups', { displayName: 'x' }),
    ])
      expect(answer).toMatchObject({ status: 403, body: scimError(403) });
  });

  it.each([
    ['none', {}],
    ['an empty one', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${btoa('owner@example.com:x')}` }],
    ['one that is none', { authorization: 'Bearer abc' }],
    ['one of an unknown id', { authorization: `Bearer annals-999-${'a'.repeat(32)}` }],
    ['one with a wrong secret', { authorization: `Bearer annals-1-${'a'.repeat(32)}` }],
    ['one with a NUL', { authorization: 'Bearer annals-1-%00' }],
  ])('is needed: %s is refused', async (_, headers) => {
    const answer = await fetch(`${users.server.url}/scim/v2/Users`, { headers });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="scim"']);
    expect(await answer.json()).toEqual(scimError(401));
  });

  it('is no key of the API, and a key of the API is no token', async () => {
    const { token } = await issue();
    const asKey = await fetch(`${users.server.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(asKey.status).toBe(401);
    expect(await statusOf(new Directory(users.server.url, users.owner.key))).toBe(401);
  });
});

describe('tokens', () => {
  it('are for owners', async () => {
    const { id } = await issue();
    for (const person of [users.administrator, users.member, users.guest]) {
      const refusal = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } };
      expect(await person.get('/provisioning/tokens')).toMatchObject(refusal);
      expect(await person.post('/provisioning/tokens', { name: 'x' })).toMatchObject(refusal);
      expect(await person.delete(`/provisioning/tokens/${id}`)).toMatchObject(refusal);
    }
  });

  it.each([
    ['without a name', {}],
    ['with a blank name', { name: ' ' }],
    ['with a long name', { name: 'x'.repeat(61) }],
    ['with other rights', { name: 'x', rights: 'all' }],
    ['that have expired', { name: 'x', expiry_date: 5 }],
    ['with a date that is none', { name: 'x', expiry_date: 'soon' }],
  ])('%s are refused', async (_, params) => {
    expect(await users.owner.post('/provisioning/tokens', params)).toMatchObject({ status: 400 });
  });

  it('are at most fifty', async () => {
    for (let left = 50 - (await listed()).length; left > 0; left--) await issue();
    const refused = await users.owner.post<Issued>('/provisioning/tokens', { name: 'x' });
    expect(refused).toMatchObject({ status: 400, body: { msg: expect.stringContaining('at most 50') as unknown } });
    const ends = (await listed()).map(({ id }) => users.owner.delete(`/provisioning/tokens/${id}`));
    for (const ended of await Promise.all(ends)) granted(ended);
  });

  it('are named by the events of what they do', async () => {
    const directory = await directoryOf(users.owner);
    const { body } = await directory.post('/Users', { userName: 'named@example.com', displayName: 'Nan' });
    const id = directory.token.split('-')[1] ?? '';
    const { events } = granted(
      await users.owner.get<{ events: object[] }>('/audit/events', {
        types: ['users.*', 'provisioning.*'],
        order: 'newest',
      }),
    );
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'users.AccountCreated',
          request: expect.objectContaining({ client: `SCIM token ${id}` }) as unknown,
        }) as unknown,
      ]),
    );
    expect(body.displayName).toBe('Nan');
  });
});

describe('the quota', () => {
  let limited: ServerWithUsers;
  beforeAll(async () => (limited = await startWithUsers({ env: { ANNALS_RATE_LIMITS: 'on' } })));
  afterAll(() => limited.server.close());

  it('of an address counts wrong tokens', async () => {
    const wrong = new Directory(limited.server.url, `annals-1-${'b'.repeat(32)}`);
    const statuses = new Set<number>();
    for (let n = 0; n < 101; n++) statuses.add(await statusOf(wrong));
    expect([...statuses]).toEqual([401, 429]);
  });

  it('of a token is 30,000 requests a minute, and other tokens have their own', async () => {
    const [busy, other] = [await directoryOf(limited.owner), await directoryOf(limited.owner)];
    const limits = limited.server.apis[0]?.app.get(RateLimits, { strict: false });
    const bearer = { realmId: 1, tokenId: Number(busy.token.split('-')[1]) } as TokenBearer;
    const reply = { getHeader: () => undefined, header: () => undefined } as unknown as FastifyReply;
    for (let n = 1; n < 30_000; n++) await limits?.chargeToken(bearer, reply);
    expect(await statusOf(busy)).toBe(200);
    const refused = await busy.get('/Users');
    expect([refused.status, refused.body]).toEqual([429, scimError(429)]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await statusOf(other)).toBe(200);
  });
});
