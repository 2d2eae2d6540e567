import type { Answer, Caller, Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { makeGroup, refused, systemGroups } from '../../support/requests/groups';
import type { Person } from '../../support/server/organization';
import type { ProcessServer } from '../../support/processes/processes';
import { race } from '../../support/guards/race';

/** Groups are nested, used, deactivated and filled at once. */
export function groups(the: () => ProcessServer): void {
  let server: ProcessServer;
  let here: Caller;
  let there: Caller;
  beforeAll(async () => {
    server = the();
    [here, there] = server.sides(server.owner);
  });

  const group = (input: Params = {}) => makeGroup(server.owner, input);

  /** The first succeeds. The second, which decided on the same facts, is refused. */
  async function loses(first: () => Promise<Answer>, second: () => Promise<Answer>, refusal: object): Promise<void> {
    const [one, other] = await race(server.kernel, [first, second]);
    expect(one).toMatchObject({ status: 200 });
    expect(other).toMatchObject({ status: 400, body: refusal });
  }

  describe('of two processes that change groups at once', () => {
    const nest = (by: Caller, into: number, id: number) => by.post(`/user_groups/${into}/subgroups`, { add: [id] });

    it('one cannot put a group into what the other puts into it', async () => {
      const [a, b] = [await group(), await group()];
      await loses(
        () => nest(here, a, b),
        () => nest(there, b, a),
        { msg: 'A user group cannot be inside itself.' },
      );
    });

    it('one cannot use what the other deactivates, nor deactivate what the other uses', async () => {
      const end = (by: Caller, id: number) => by.post(`/user_groups/${id}/deactivate`);
      const begin = (by: Caller, id: number) => by.patch(`/user_groups/${id}`, { deactivated: false });
      const manage = (by: Caller, of: number, id: number) =>
        by.patch(`/user_groups/${of}`, { can_manage_group: { new: id } });
      const deactivated = { msg: 'User group is deactivated.' };
      const managing = (id: number) => ({
        objections: [{ type: 'user_group', group_id: id, settings: ['can_manage_group'] }],
      });
      const [a, b, c, d] = [await group(), await group(), await group(), await group()];
      const [e, f] = [await group(), await group()];
      await loses(
        () => end(here, a),
        () => manage(there, b, a),
        deactivated,
      );
      await loses(
        () => manage(here, b, c),
        () => end(there, c),
        managing(b),
      );
      const inside = { objections: [{ type: 'subgroup', supergroup_ids: [b] }] };
      await loses(
        () => nest(here, b, d),
        () => end(there, d),
        inside,
      );
      await loses(
        () => end(here, e),
        () => nest(there, b, e),
        deactivated,
      );
      granted(await end(here, b));
      granted(await here.patch(`/user_groups/${b}`, { can_manage_group: { new: c } }));
      await loses(
        () => begin(here, b),
        () => end(there, c),
        managing(b),
      );
      const allow = (id: number | undefined) => here.patch('/realm', { can_create_bots_group: { new: id } });
      const allowed = { objections: [{ type: 'realm', settings: ['can_create_bots_group'] }] };
      await loses(
        () => allow(f),
        () => end(there, f),
        allowed,
      );
      granted(await allow((await systemGroups(server.owner))['members']));
    });
  });

  /** The commands that name a user who has to be active, and who is a member of the group before. */
  interface Naming {
    readonly what: string;
    readonly members?: (id: number) => readonly number[];
    readonly does: (by: Caller, id: number, group: number) => Promise<Answer>;
  }

  const only = (id: number) => ({ direct_members: [id], direct_subgroups: [] });
  const NAMINGS: readonly Naming[] = [
    { what: 'puts into a group', does: (by, id, into) => by.post(`/user_groups/${into}/members`, { add: [id] }) },
    {
      what: 'takes out of a group',
      members: (id) => [id],
      does: (by, id, from) => by.post(`/user_groups/${from}/members`, { delete: [id] }),
    },
    {
      what: 'begins a group with',
      does: (by, id) => by.post('/user_groups/create', { name: `with ${id}`, description: '', members: [id] }),
    },
    {
      what: 'gives a permission of a group to',
      does: (by, id, of) => by.patch(`/user_groups/${of}`, { can_join_group: { new: only(id) } }),
    },
    {
      what: 'gives a permission of a new channel to',
      does: (by, id) =>
        by.post('/channels/create', { name: `for ${id}`, subscribers: [], can_subscribe_group: only(id) }),
    },
    {
      what: 'gives a permission of the organization to',
      does: (by, id) => by.patch('/realm', { can_create_groups: { new: only(id) } }),
    },
  ];

  describe.each(NAMINGS)('a user whom one process $what while the other deactivates them', ({ members, does }) => {
    let bob: Person;
    let id: number;
    beforeEach(async () => {
      bob = await server.person();
      id = await group({ members: members?.(bob.id) ?? [] });
    });
    const leave = (by: Caller) => by.delete(`/users/${bob.id}`);

    it('does not exist for the second one, and nothing is written', async () => {
      const before = await log();
      await loses(
        () => leave(here),
        () => does(there, bob.id, id),
        refused().body,
      );
      expect((await log()).slice(before.length)).toEqual(['users.Deactivated']);
    });

    it('may be named first and then go', async () => {
      const answers = await race(server.kernel, [() => does(there, bob.id, id), () => leave(here)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect((await log()).at(-1)).toBe('users.Deactivated');
    });
  });

  /** Types of all that has happened. */
  async function log(): Promise<readonly string[]> {
    const { rows } = await server.kernel.database.pool.query<{ type: string }>(
      'SELECT type FROM events WHERE realm_id = 1 ORDER BY position',
    );
    return rows.map(({ type }) => type);
  }
}
