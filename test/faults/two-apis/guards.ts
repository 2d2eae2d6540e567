import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Role } from '@annals/kernel/domain';
import { contexts } from '../../../apps/shared/src/contexts';
import type { Caller } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { withoutDefaultChannels } from '../../support/requests/channels';
import { systemGroups } from '../../support/requests/groups';
import { accountRaces } from '../../support/guards/accounts';
import { channelRaces } from '../../support/guards/channels';
import { consumerRaces } from '../../support/guards/consumers';
import { identityRaces } from '../../support/guards/identities';
import { invitationRaces } from '../../support/guards/invitations';
import { organizationRaces } from '../../support/guards/organizations';
import { messageRaces } from '../../support/guards/messages';
import type { Races } from '../../support/guards/stage';
import { bad } from '../../support/guards/stage';
import type { Person } from '../../support/server/organization';
import type { ProcessServer } from '../../support/processes/processes';
import type { OidcServer } from '../../support/sign-on/oidc-server';
import type { Acts } from '../../support/guards/race';
import { race } from '../../support/guards/race';

/** Things that only one can have: each guard lets one succeed. @param provider of logins of the server */
export function guards(the: () => ProcessServer, provider: () => OidcServer): void {
  const GUARDS = contexts.flatMap(({ guards }) => guards.map(({ name }) => name)).sort();

  let server: ProcessServer;
  let races: Races;
  beforeAll(async () => {
    server = the();
    const all = [accountRaces, channelRaces, messageRaces, consumerRaces, invitationRaces, organizationRaces];
    races = Object.assign(identityRaces(server, provider()), ...all.map((of) => of(server))) as Races;
  });

  describe('of two processes that decide at once what only one can have', () => {
    it.each(GUARDS)('the guard %s lets one succeed and refuses the other', async (guard) => {
      const prepared = await races[guard]?.();
      if (!prepared) throw new Error(`the guard ${guard} has no race`);
      const [first, second] = await race(server.kernel, prepared.acts, prepared.realms);
      expect(first).toMatchObject({ status: 200, body: { result: 'success' } });
      expect(second).toMatchObject(prepared.second);
      await prepared.look();
    });

    it.each([
      ['the other', false],
      ['the guest', true],
    ])('a guest does not begin a conversation through a channel that %s is leaving', async (_, guestLeaves) => {
      const { owner } = server;
      await withoutDefaultChannels(owner);
      const [guest, friend] = [await server.person({ role: 'guest' }), await server.person()];
      const other = await server.person();
      const groups = await systemGroups(owner);
      const seen = (group: string) => owner.patch('/realm', { can_access_all_users_group: { new: groups[group] } });
      const { name } = await server.namedChannel(owner, { subscribers: [guest, other, friend] });
      await server.channel(owner, { subscribers: [guest, friend] });
      granted(await seen('members'));
      const leaving = { subscriptions: [name], principals: [guestLeaves ? guest.id : other.id] };
      const [here] = server.sides(guest);
      const [, there] = server.sides(owner);
      const write = (to: readonly Person[]) =>
        here.post('/messages', { type: 'direct', to: to.map(({ id }) => id), content: 'still there?' });
      const acts: Acts = [() => there.delete('/users/me/subscriptions', leaving), () => write([other, friend])];
      const [first, second] = await race(server.kernel, acts);
      expect(first.status).toBe(200);
      expect(second).toMatchObject({ status: 400, body: { result: 'error', code: 'BAD_REQUEST' } });
      granted(await write([friend]));
      granted(await seen('everyone'));
    });

    it('of two owners who remove each other one remains', async () => {
      const [one, other] = [await server.person({ role: 'owner' }), await server.person({ role: 'owner' })];
      const [here] = server.sides(one);
      const [, there] = server.sides(other);
      const demote = (by: Caller, { id }: Person) => by.patch(`/users/${id}`, { role: Role.member });
      const [first, second] = await race(server.kernel, [() => demote(here, other), () => demote(there, one)]);
      expect(first.status).toBe(200);
      expect(second).toMatchObject(bad('Insufficient permission'));
      expect(granted(await one.get('/users/me'))['role']).toBe(Role.owner);
      granted(await server.owner.patch(`/users/${one.id}`, { role: Role.member }));
    });

    it('a read of the history that both answer at once is recorded once', async () => {
      const recorded = async () => {
        const sql = `SELECT FROM events WHERE realm_id = 1 AND type = 'audit.Viewed'`;
        return (await server.kernel.database.pool.query(sql)).rowCount ?? 0;
      };
      const before = await recorded();
      const [here, there] = server.sides(server.owner);
      const read = (by: Caller) => () => by.get('/audit/events', { limit: 7 });
      const answers = await race(server.kernel, [read(here), read(there)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await recorded()).toBe(before + 1);
    });

    it('there is no race for a guard that does not exist', () => {
      expect(Object.keys(races).sort()).toEqual(GUARDS);
    });
  });

  describe('the table of guards in docs/event-log.md', () => {
    it('lists those that exist', () => {
      const text = readFileSync(join(__dirname, '../../../docs/event-log.md'), 'utf8');
      const table = /<!-- guards:begin -->(.*)<!-- guards:end -->/s.exec(text)?.[1] ?? '';
      const names = [...table.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name);
      expect(names).toEqual(GUARDS);
    });
  });
}
