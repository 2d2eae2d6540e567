import { Dispatcher } from '@annals/feed';
import { ActorReader } from '@annals/groups';
import type { UserId } from '@annals/kernel/domain';
import { DAY_MS, Role } from '@annals/kernel/domain';
import { ChangeSettings, deactivateOrganization, reactivateOrganization, runAsVisitor } from '@annals/realm';
import { CommandBus } from '@nestjs/cqrs';
import type { Caller } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { OtherOrganization } from '../../support/server/organizations';
import { SERVER_ENV, anotherOrganization } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const CLOSED = { status: 401, body: { result: 'error', code: 'REALM_DEACTIVATED' } };

let server: TestServer;
beforeAll(async () => (server = await startTestServer({ apis: 2, env: SERVER_ENV })));
afterAll(() => server.close());

let made = 0;
const another = (): Promise<OtherOrganization> => anotherOrganization(server, `team-${++made}`);
const elsewhere = (caller: Caller) => caller.at(server.apis[1]?.url ?? '');
const reactivate = ({ id }: OtherOrganization) => reactivateOrganization(server.kernel, id);
const log = async ({ id }: OtherOrganization) => server.kernel.events.page(id, 0, 1_000);

async function untilPollsWait(count: number): Promise<void> {
  const dispatcher = server.apis[1]?.app.get(Dispatcher);
  while ((dispatcher?.waiting ?? 0) < count) await new Promise((resolve) => setImmediate(resolve));
}

describe('POST /realm/deactivate', () => {
  it('lets nobody use the organization any more, in any process, until it is reactivated', async () => {
    const team = await another();
    const { owner } = team;
    granted(await owner.get('/users/me'));
    expect(granted(await owner.post('/realm/deactivate'))).toEqual({ result: 'success', msg: '' });
    for (const caller of [owner, elsewhere(owner)]) {
      expect(await caller.get('/users/me')).toMatchObject(CLOSED);
      expect(
        await caller.post('/messages', { type: 'channel', to: 'general', topic: 'a', content: 'b' }),
      ).toMatchObject(CLOSED);
    }
    const wrong = server.as({ email: 'owner@example.com', key: 'x'.repeat(32) }).named(team.host);
    expect(await wrong.get('/users/me')).toMatchObject(CLOSED);
    const login = { username: 'nobody@example.com', password: 'not a password' };
    expect(await server.anonymous.named(team.host).post('/fetch_api_key', login)).toMatchObject(CLOSED);
    expect(await server.owner.get('/users/me')).toMatchObject({ status: 200 });
    await reactivate(team);
    for (const caller of [owner, elsewhere(owner)]) granted(await caller.get('/users/me'));
  });

  it('is recorded with the owner, and the reactivation with the server itself', async () => {
    const team = await another();
    granted(await team.owner.post('/realm/deactivate'));
    await reactivate(team);
    expect((await log(team)).slice(-2)).toMatchObject([
      { type: 'realm.Deactivated', actorId: 1, data: { deleteAt: null } },
      { type: 'realm.Reactivated', actorId: null },
    ]);
  });

  it('ends polls at once in every process, after the event for those that asked for it', async () => {
    const { owner, id } = await another();
    const far = elsewhere(owner);
    const [asked, other] = [
      await far.register({ event_types: ['realm'], fetch_event_types: [] }),
      await far.register({ event_types: ['message'], fetch_event_types: [] }),
    ];
    const polls = [asked, other].map(({ queue_id, last_event_id }) => far.poll(queue_id, last_event_id));
    await untilPollsWait(polls.length);
    granted(await owner.post('/realm/deactivate'));
    const [first, second] = await Promise.all(polls);
    expect(first).toMatchObject([{ type: 'realm', op: 'deactivated', realm_id: id }]);
    expect(second).toEqual([]);
    expect(await far.get('/events', { queue_id: asked.queue_id, last_event_id: -1 })).toMatchObject(CLOSED);
  });

  it('keeps queues, which continue after the reactivation', async () => {
    const team = await another();
    const queue = await team.owner.register({ event_types: ['realm', 'message'], fetch_event_types: [] });
    granted(await team.owner.post('/realm/deactivate'));
    await reactivate(team);
    granted(await team.owner.post('/messages', { type: 'channel', to: 'general', topic: 'a', content: 'back' }));
    const types = (await team.owner.events(queue)).map(({ type, op }) => op ?? type);
    expect(types).toEqual(['deactivated', 'message']);
  });

  it('stops a command that began before', async () => {
    const team = await another();
    const { user_id } = granted(await team.owner.get<{ user_id: UserId }>('/users/me'));
    const app = server.apis[0]?.app;
    const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000003', address: null };
    const actor = await app?.get(ActorReader).actor(team.id, user_id, origin);
    granted(await team.owner.post('/realm/deactivate'));
    if (!app || !actor) throw new Error('no api runs');
    const late = new ChangeSettings(actor, { settings: { presence_disabled: true }, texts: {}, expected: {} });
    await expect(app.get(CommandBus).execute(late)).rejects.toMatchObject({ code: 'REALM_DEACTIVATED' });
    expect((await log(team)).at(-1)).toMatchObject({ type: 'realm.Deactivated' });
  });

  it('stops what somebody without an account began before', async () => {
    const { id: realmId } = await another();
    const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000004', address: null };
    const late = runAsVisitor(server.kernel.work, { realmId, origin }, async (work) => {
      await deactivateOrganization(server.kernel, realmId);
      work.secret({ put: 'too-late', kind: 'spec', value: Buffer.from('too late') });
    });
    await expect(late).rejects.toMatchObject({ code: 'REALM_DEACTIVATED' });
    const { rows } = await server.kernel.database.pool.query(`SELECT FROM secrets WHERE id = 'too-late'`);
    expect(rows).toEqual([]);
  });

  it.each([
    [0, 'Data deletion time must be at least 14 days in the future.'],
    [13, 'Data deletion time must be at least 14 days in the future.'],
    [-1, 'Data deletion time must be at least 14 days in the future.'],
    [3_651, 'Data deletion time must be at most 3650 days in the future.'],
  ])('refuses to delete the organization after %i days, and changes nothing', async (days, msg) => {
    const team = await another();
    const answer = await team.owner.post('/realm/deactivate', { deletion_delay_days: days });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', msg } });
    granted(await team.owner.get('/users/me'));
  });

  it('notes when the organization is deleted', async () => {
    const team = await another();
    granted(await team.owner.post('/realm/deactivate', { deletion_delay_days: 14 }));
    const [last] = (await log(team)).slice(-1);
    expect(last).toMatchObject({ type: 'realm.Deactivated', data: { deleteAt: server.clock.now() + 14 * DAY_MS } });
    await reactivate(team);
  });

  it.each(['administrator', 'moderator', 'member', 'guest'] as const)('is not for a role such as %s', async (role) => {
    const person = await server.person({ role });
    expect(await person.post('/realm/deactivate')).toMatchObject({ status: 400, body: { result: 'error' } });
  });

  it('is not for bots of owners', async () => {
    const bot = await server.bot(server.owner);
    granted(await server.owner.patch(`/bots/${bot.id}`, { role: Role.owner }));
    expect((await bot.post('/realm/deactivate')).status).toBe(400);
    granted(await server.owner.get('/users/me'));
  });

  it('leaves the answers that say what the organization is', async () => {
    const team = await another();
    granted(await team.owner.post('/realm/deactivate'));
    const anonymous = server.anonymous.named(team.host);
    expect(granted(await anonymous.get('/server_settings'))).toMatchObject({ realm_name: `The team-${made}` });
    expect(granted(await anonymous.get('/realm/subdomain/team-1'))['msg']).toContain('already in use');
  });
});

describe('GET /realm/subdomain/{subdomain}', () => {
  it.each([
    ['garden', 'available'],
    ['ab', 'Subdomain needs to have length 3 or greater.'],
    ['-abc', "Subdomain cannot start or end with a '-'."],
    ['abc-', "Subdomain cannot start or end with a '-'."],
    ['a_b_c', "Subdomain can only have lowercase letters, numbers, and '-'s."],
    ['Garden', "Subdomain can only have lowercase letters, numbers, and '-'s."],
    ['gärten', "Subdomain can only have lowercase letters, numbers, and '-'s."],
    ['a'.repeat(64), 'Subdomain can have 63 characters at most.'],
    ['www', 'Subdomain reserved. Please choose a different one.'],
  ])('says about %s: %s', async (subdomain, msg) => {
    const answer = await server.anonymous.get(`/realm/subdomain/${encodeURIComponent(subdomain)}`);
    expect(answer).toMatchObject({ status: 200, body: { result: 'success', msg } });
  });

  it('says which one is in use', async () => {
    await another();
    const { body } = await server.anonymous.get(`/realm/subdomain/team-${made}`);
    expect(body.msg).toBe('Subdomain is already in use. Please choose a different one.');
  });
});
