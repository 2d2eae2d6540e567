import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { RealmId } from '@annals/kernel/domain';
import { createOrganization } from '@annals/onboarding';
import { runAsVisitor } from '@annals/realm';
import { PendingLogins, userAggregate } from '@annals/users';
import { secrets } from '../../support/laws/secrets';
import { Browser } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

interface Listed {
  readonly direct_admins: readonly { readonly email: string }[];
  readonly direct_users: readonly { readonly email: string }[];
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { ANNALS_DEV_LOGINS: 'on' } });
  const garden = { organization: 'Garden', ownerEmail: 'owner@garden.example.com', subdomain: 'garden' };
  const ownerApiKey = 'keyOfTheGarden'.padEnd(32, 'x');
  secrets.add('key', ownerApiKey);
  await createOrganization(server.kernel, { ...garden, ownerApiKey, url: server.url });
});
afterAll(() => server.close());

/** What a page reads that has these headers sent. A browser takes the name in `Host` from the address of the page. */
async function readWith(headers: OutgoingHttpHeaders, method: string, path: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { hostname, port, method, path: `/api/v1${path}`, setHost: false, headers, agent: false };
    request(options, resolve).on('error', reject).end();
  });
  return text(answer);
}

describe('logins of developers', () => {
  const logIn = (username: string) =>
    server.anonymous.post<{ api_key: string; email: string }>('/dev_fetch_api_key', { username });

  it('list people and give their keys', async () => {
    const ann = await server.person();
    await server.bot(ann);
    const { direct_admins, direct_users } = granted(await server.anonymous.get<Listed>('/dev_list_users')) as Listed;
    const listed = (email: string) => ({ email, realm_url: server.url, realm_uri: server.url });
    expect(direct_admins).toEqual([listed(server.owner.email)]);
    expect(direct_users).toEqual([listed(ann.email)]);
    const { api_key: key, email } = granted(await logIn(ann.email));
    expect((await server.as({ email, key }).get('/users/me')).body).toMatchObject({ user_id: ann.id });
  });

  it('are shown in the settings of the server', async () => {
    const { body } = await server.anonymous.get('/server_settings');
    expect(body).toMatchObject({ authentication_methods: { dev: true, password: true } });
  });

  it('are refused for unknown people, bots and those who left', async () => {
    const gone = await server.person();
    const bot = await server.bot(gone);
    granted(await server.owner.delete(`/users/${gone.id}`));
    expect((await logIn('nobody@example.com')).body.code).toBe('AUTHENTICATION_FAILED');
    expect((await logIn(bot.email)).body.code).toBe('AUTHENTICATION_FAILED');
    expect((await logIn(gone.email)).body.code).toBe('USER_DEACTIVATED');
    expect((await logIn('no address')).status).toBe(400);
  });

  it.each<[string, OutgoingHttpHeaders]>([
    ['a site whose name leads to this machine', { host: 'evil.example.com:9991' }],
    ['one that names this machine in other headers', { host: 'evil.example.com', 'x-forwarded-host': 'localhost' }],
    ['a name that only looks local', { host: 'localhost.example.com' }],
    ['an address that is none', { host: '127.0.0.1.example.com' }],
    ['no host name', {}],
  ])('are refused for %s', async (_, headers) => {
    const answers = [
      await readWith(headers, 'GET', '/dev_list_users'),
      await readWith(headers, 'POST', `/dev_fetch_api_key?username=${server.owner.email}`),
    ];
    for (const answer of answers) expect(answer).toContain('"Logins of developers need an address of this machine');
  });

  it.each(['localhost', 'LOCALHOST:9991', '127.0.0.1:9991', '[::1]:9991'])('are for pages at %s', async (host) => {
    expect(await readWith({ host }, 'GET', '/dev_list_users')).toContain('"direct_admins"');
  });

  it('are for an organization below localhost, which is at no other name', async () => {
    const { port } = new URL(server.url);
    const listed = await readWith({ host: `garden.localhost:${port}` }, 'GET', '/dev_list_users');
    const url = `http://garden.localhost:${port}`;
    expect((JSON.parse(listed) as Listed).direct_admins).toEqual([
      { email: 'owner@garden.example.com', realm_url: url, realm_uri: url },
    ]);
    expect(await readWith({ host: 'park.localhost' }, 'GET', '/dev_list_users')).toContain('NONEXISTENT_SUBDOMAIN');
  });

  it('end when an owner turns them off', async () => {
    granted(await server.owner.patch('/realm', { authentication_methods: { Email: true, Dev: false } }));
    for (const { status, body } of [await logIn(server.owner.email), await server.anonymous.get('/dev_list_users')]) {
      expect([status, body.msg]).toEqual([400, 'DevAuthBackend not enabled.']);
    }
  });
});

describe('a login that waits in a desktop app', () => {
  const setMethods = async (methods: object) =>
    granted(await server.owner.patch('/realm', { authentication_methods: { Email: true, ...methods } }));
  /** What the app opens. */
  async function pathFor({ id }: Person): Promise<string> {
    const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000005', address: null };
    const pending = server.part(PendingLogins);
    const token = await runAsVisitor(server.kernel.work, { realmId: 1 as RealmId, origin }, async (work) => {
      await work.read(userAggregate, id);
      return pending.begin(work, 'desktop-login', { userId: id, method: 'Dev', provider: null });
    });
    return `/accounts/login/subdomain/${token}`;
  }

  it.each<[string, number, (by: Person) => Promise<unknown>]>([
    ['nothing', 200, () => Promise.resolve()],
    [
      'another password',
      400,
      async (by) => granted(await by.patch('/settings', { old_password: by.password, new_password: 'another one' })),
    ],
    [
      'a deactivation that was undone',
      400,
      async ({ id }) => {
        granted(await server.owner.delete(`/users/${id}`));
        granted(await server.owner.post(`/users/${id}/reactivate`));
      },
    ],
    ['the end of its way to log in', 400, () => setMethods({ Dev: false })],
  ])('is answered after %s with %i', async (_, status, end) => {
    await setMethods({ Dev: true });
    const person = await server.person();
    const path = await pathFor(person);
    await end(person);
    expect((await new Browser(server.url).open(path)).status).toBe(status);
  });
});

describe('a server without logins of developers', () => {
  it('refuses them', async () => {
    const other = await startTestServer();
    try {
      const answers = [
        await other.anonymous.post('/dev_fetch_api_key', { username: other.owner.email }),
        await other.anonymous.get('/dev_list_users'),
        await other.anonymous.post('/jwt/fetch_api_key', { token: 'x' }),
      ];
      expect(answers.map(({ body }) => body.msg)).toEqual([
        'DevAuthBackend not enabled.',
        'DevAuthBackend not enabled.',
        'JWT authentication is not enabled for this organization',
      ]);
    } finally {
      await other.close();
    }
  });
});
