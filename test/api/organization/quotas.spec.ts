import { randomBytes } from 'node:crypto';
import type { RealmId } from '@annals/kernel/domain';
import { measureLog } from '@annals/kernel';
import type { OrganizationLimits } from '@annals/realm';
import { limitOrganization } from '@annals/realm';
import { sendParts, uploadFile } from '../../support/requests/uploads';
import { granted } from '../../support/server/caller';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const REALM = 1 as RealmId;
const MIB = 1024 * 1024;
/** A figure of the log is at most so old. */
const FIGURE_MS = 5_000;

let server: TestServer;
beforeAll(async () => (server = await startTestServer({ apis: 2, env: { ANNALS_RATE_LIMITS: 'on' } })));
afterEach(() => limits({ people: null, storageMib: null, requests: null, logMib: null }));
afterAll(() => server.close());

const limits = (changes: Partial<OrganizationLimits>) => limitOrganization(server.kernel, REALM, changes);
const head = async () => (await server.kernel.events.heads([REALM])).get(REALM);

async function people(): Promise<number> {
  const { members } = granted(await server.owner.get<{ members: { is_bot: boolean; is_active: boolean }[] }>('/users'));
  return members.filter((one) => one.is_active && !one.is_bot).length;
}

describe('the limit of people', () => {
  const account = (n: number) => ({ email: `n${n}@example.com`, password: 'a long password', full_name: `N ${n}` });

  it('lets nobody be added beyond it, and somebody when an account ends', async () => {
    const leaver = await server.person();
    await limits({ people: await people() });
    const before = await head();
    const full = {
      status: 400,
      body: { code: 'BAD_REQUEST', msg: `This organization may have ${await people()} people at most.` },
    };
    expect(await server.owner.post('/users', account(1))).toMatchObject(full);
    expect(await head()).toBe(before);
    granted(await server.owner.delete(`/users/${leaver.id}`));
    granted(await server.owner.post('/users', account(2)));
    expect(await server.owner.post(`/users/${leaver.id}/reactivate`)).toMatchObject(full);
    await limits({ people: null });
    granted(await server.owner.post(`/users/${leaver.id}/reactivate`));
  });

  it('does not count bots, and lets those stay who are there', async () => {
    await limits({ people: 1 });
    await server.bot(server.owner);
    granted(await server.owner.get('/users/me'));
    expect((await server.owner.post('/users', account(3))).status).toBe(400);
  });
});

describe('the limit of storage', () => {
  it('is that of uploads, and clients know it', async () => {
    await limits({ storageMib: 1 });
    const file = (bytes: number) => {
      const form = new FormData();
      form.append('file', new Blob([Buffer.alloc(bytes)]), 'zeros.bin');
      return sendParts(server.owner, form);
    };
    expect(await file(MIB + 1)).toMatchObject({ status: 403, body: { code: 'REALM_UPLOAD_QUOTA' } });
    await uploadFile(server.owner, 'small enough');
    const { realm_upload_quota_mib } = await server.owner.register({ fetch_event_types: ['realm'] });
    expect(realm_upload_quota_mib).toBe(1);
  });
});

describe('the limit of requests', () => {
  it('is for all accounts together', async () => {
    const [ann, bea] = [await server.person(), await server.person()];
    await limits({ requests: 5 });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) for (const one of [ann, bea]) statuses.push((await one.get('/users/me')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    const refused = await ann.get('/users/me');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await limits({ requests: null });
    granted(await ann.get('/users/me'));
  });
});

describe('the limit of the log', () => {
  it('refuses what would be written, and nothing else', async () => {
    const writers = [await server.person(), await server.person()];
    const leaver = await server.person();
    const say = (by: number, content = randomBytes(7_000).toString('base64')) =>
      writers[by]?.post('/messages', { type: 'channel', to: 'general', topic: 'noise', content });
    for (let n = 0; n < 120; n += 1) expect((await say(n % 2))?.status).toBe(200);
    expect(await measureLog(server.kernel.database.pool, REALM)).toBeGreaterThan(MIB);
    await limits({ logMib: 1 });
    server.clock.advance(FIGURE_MS);
    const before = await head();
    const full = { status: 403, body: { result: 'error', code: 'REALM_LOG_QUOTA' } };
    expect(await say(0, 'one more')).toMatchObject(full);
    expect(await server.owner.patch('/realm', { name: 'Other' })).toMatchObject(full);
    expect(await head()).toBe(before);
    granted(await server.owner.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }));
    granted(await server.owner.delete(`/users/${leaver.id}`));
    await limits({ logMib: 100 });
    granted((await say(1, 'room again')) as never);
  });
});
