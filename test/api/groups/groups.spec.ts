import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const DAY = 24 * 60 * 60 * 1000;

interface Group {
  readonly id: number;
  readonly name: string;
  readonly members: readonly number[];
}

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
});
afterAll(() => server.close());

const groups = async (by: Person = owner) => (await by.get<{ user_groups: Group[] }>('/user_groups')).body.user_groups;
const members = async (name: string) => (await groups()).find((group) => group.name === `role:${name}`)?.members;

describe('GET /user_groups', () => {
  it('lists the system groups in order', async () => {
    const listed = await groups();
    const [nobody, owners, administrators, ...rest] = listed;
    expect([nobody, owners, administrators, ...rest].map((group) => group?.name)).toEqual([
      'role:nobody',
      'role:owners',
      'role:administrators',
      'role:moderators',
      'role:fullmembers',
      'role:members',
      'role:everyone',
      'role:internet',
    ]);
    expect(administrators).toEqual({
      id: administrators?.id,
      name: 'role:administrators',
      description: expect.any(String) as string,
      date_created: Date.UTC(2026, 0, 1) / 1000,
      creator_id: null,
      members: [],
      direct_subgroup_ids: [owners?.id],
      is_system_group: true,
      deactivated: false,
      can_add_members_group: nobody?.id,
      can_join_group: nobody?.id,
      can_leave_group: nobody?.id,
      can_manage_group: nobody?.id,
      can_mention_group: nobody?.id,
      can_remove_members_group: nobody?.id,
    });
  });

  it('has users and bots in the group of their role, without deactivated ones', async () => {
    const [person, guest] = [await server.person(), await server.person({ role: 'guest' })];
    const bot = await server.bot(person);
    expect(await members('owners')).toEqual([owner.id]);
    expect(await members('members')).toEqual(expect.arrayContaining([person.id, bot.id]));
    expect(await members('fullmembers')).toEqual(await members('members'));
    expect(await members('everyone')).toEqual([guest.id]);
    await owner.patch(`/users/${person.id}`, { role: 300 });
    expect(await members('moderators')).toEqual([person.id]);
    expect(await members('members')).not.toContain(person.id);
    await owner.delete(`/users/${person.id}`);
    expect(await members('moderators')).toEqual([]);
  });

  it('applies the waiting period of full members, and sends who changes groups when it changes', async () => {
    const watcher = await server.person();
    const full = (await groups()).find(({ name }) => name === 'role:fullmembers');
    server.clock.advance(2 * DAY);
    const fresh = await server.person();
    const received = (days: number) =>
      watcher.receive(() => owner.patch('/realm', { waiting_period_threshold: days }), 'user_group');
    expect(await received(1)).toEqual([
      {
        id: expect.any(Number) as number,
        type: 'user_group',
        op: 'remove_members',
        group_id: full?.id,
        user_ids: [fresh.id],
      },
    ]);
    expect(await members('fullmembers')).not.toContain(fresh.id);
    expect(await members('fullmembers')).toContain(watcher.id);
    server.clock.advance(DAY);
    expect(await members('fullmembers')).toContain(fresh.id);
    expect(await received(0)).toEqual([]);
  });

  it('is the list of POST /register', async () => {
    const state = await owner.register({ fetch_event_types: ['realm_user_groups'] });
    expect(state['realm_user_groups']).toEqual(await groups());
  });

  it('is not allowed to guests', async () => {
    const guest = await server.person({ role: 'guest' });
    expect(await guest.get('/user_groups')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    const state = await guest.register({ fetch_event_types: ['realm_user_groups'] });
    expect(state['realm_user_groups']).toHaveLength(8);
  });

  it('accepts its one parameter', async () => {
    expect((await owner.get('/user_groups', { include_deactivated_groups: true })).status).toBe(200);
    expect((await owner.get('/user_groups', { include_deactivated_groups: 1 })).status).toBe(400);
  });
});
