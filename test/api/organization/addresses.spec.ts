import { ServerAddress, addHost, removeHost, renameOrganization } from '@annals/realm';
import type { Caller } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { OtherOrganization } from '../../support/server/organizations';
import { SERVER_ENV, SERVER_URL, anotherOrganization } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const ADDRESS = new ServerAddress(SERVER_URL);
const NOWHERE = { status: 404, body: { result: 'error', code: 'NONEXISTENT_SUBDOMAIN' } };
/** For so long a process may still take a new host name for that of the first organization. */
const FALLBACK_MS = 1_000;

let server: TestServer;
beforeAll(async () => (server = await startTestServer({ apis: 2, env: SERVER_ENV })));
afterAll(() => server.close());

let made = 0;
const another = (): Promise<OtherOrganization> => anotherOrganization(server, `place-${++made}`);
const everywhere = (caller: Caller) => server.apis.map(({ url }) => caller.at(url));
const nameAt = async (caller: Caller) =>
  granted(await caller.get<{ realm_name: string }>('/server_settings')).realm_name;
/** The name and the key of a log. */
const verifierAt = async (caller: Caller) =>
  granted(await caller.get<{ audit_verifier_key: string }>('/server_settings')).audit_verifier_key;
const nameOf = (verifier: string) => verifier.split('+')[0];

describe('an organization', () => {
  it('is at its subdomain only, with its own address in all answers', async () => {
    const { owner, host } = await another();
    const settings = granted(await owner.get('/server_settings'));
    expect(settings).toMatchObject({ realm_url: `http://${host}`, realm_name: `The place-${made}` });
    expect(await owner.named('chat.example.com').get('/users/me')).toMatchObject({
      status: 401,
      body: { code: 'INVALID_API_KEY' },
    });
    expect(await owner.named('nobody.chat.example.com').get('/users/me')).toMatchObject(NOWHERE);
    for (const written of [`${host}.`, host.toUpperCase()]) granted(await owner.named(written).get('/users/me'));
    expect(await owner.named('nobody.chat.example.com.').get('/users/me')).toMatchObject(NOWHERE);
  });

  it('that moves is found at its new subdomain, and no more at the old one, in every process at once', async () => {
    const { owner, id, host } = await another();
    for (const api of everywhere(owner)) granted(await api.get('/users/me'));
    await renameOrganization(server.kernel, id, { subdomain: 'moved-away', name: 'Moved away' });
    for (const api of everywhere(owner)) expect(await api.get('/users/me')).toMatchObject(NOWHERE);
    for (const api of everywhere(owner.named('moved-away.chat.example.com'))) {
      granted(await api.get('/users/me'));
      const settings = granted(await api.get('/server_settings'));
      expect(settings).toMatchObject({ realm_url: 'http://moved-away.chat.example.com', realm_name: 'Moved away' });
    }
    expect(host).not.toContain('moved-away');
  });

  it('may have the subdomain that another one has left, and only with its own keys', async () => {
    const [first, second] = [await another(), await another()];
    for (const api of everywhere(first.owner)) granted(await api.get('/users/me'));
    await renameOrganization(server.kernel, first.id, { subdomain: `left-${made}` });
    const [subdomain = ''] = first.host.split('.');
    await renameOrganization(server.kernel, second.id, { subdomain });
    for (const api of everywhere(first.owner))
      expect(await api.get('/users/me')).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    for (const api of everywhere(second.owner.named(first.host))) granted(await api.get('/users/me'));
  });

  it('at a subdomain that another one has left has a log of another name, signed by the same server', async () => {
    const first = await another();
    const [subdomain = ''] = first.host.split('.');
    await server.signCheckpoint();
    const before = await verifierAt(first.owner);
    await renameOrganization(server.kernel, first.id, { subdomain: `left-${made}` });
    const second = await anotherOrganization(server, subdomain);
    await server.signCheckpoint();
    const after = await verifierAt(second.owner);
    expect(await verifierAt(first.owner.named(`left-${made}.chat.example.com`))).toBe(before);
    expect(nameOf(after)).not.toBe(nameOf(before));
    for (const verifier of [before, after]) expect(nameOf(verifier)).toMatch(`${first.host}/api/v1/audit/`);
    expect(nameOf(await verifierAt(server.owner.named('chat.example.com')))).toBe('chat.example.com/api/v1/audit');
  });

  it('is at host names of its own, from the next second on, until they are removed', async () => {
    const { owner, id } = await another();
    const host = `talk-${made}.example.org`;
    const there = owner.named(host);
    for (const api of everywhere(there)) expect(await nameAt(api)).toBe('Annals');
    await addHost(server.kernel, ADDRESS, id, host);
    server.clock.advance(FALLBACK_MS);
    for (const api of everywhere(there)) {
      granted(await api.get('/users/me'));
      expect(await nameAt(api)).toBe(`The place-${made}`);
    }
    await removeHost(server.kernel, id, host);
    for (const api of everywhere(there)) {
      expect((await api.get('/users/me')).body.code).toBe('INVALID_API_KEY');
      expect(await nameAt(api)).toBe('Annals');
    }
  });

  it('cannot take the address of the server, or of another organization', async () => {
    const [one, other] = [await another(), await another()];
    await addHost(server.kernel, ADDRESS, one.id, 'taken.example.org');
    const refusal = (host: string) => expect(addHost(server.kernel, ADDRESS, other.id, host)).rejects;
    for (const host of ['chat.example.com', one.host, 'unused.chat.example.com'])
      await refusal(host).toThrow(`${host} is the host name of this server or below it.`);
    for (const host of ['taken.example.org', 'TAKEN.example.org'])
      await refusal(host).toThrow('taken.example.org already means an organization');
    for (const host of ['', 'localhost', '127.0.0.1', 'a b.example.org', '-a.example.org', `${'a'.repeat(64)}.org`])
      await expect(addHost(server.kernel, ADDRESS, other.id, host)).rejects.toThrow('is not a host name');
  });

  it('has at most twenty host names', async () => {
    const { id } = await another();
    for (let n = 0; n < 20; n += 1) await addHost(server.kernel, ADDRESS, id, `n${n}.many.example.org`);
    await expect(addHost(server.kernel, ADDRESS, id, 'more.many.example.org')).rejects.toThrow('20 host names');
  });
});
