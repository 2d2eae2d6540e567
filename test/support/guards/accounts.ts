import { Role } from '@annals/kernel/domain';
import type { Answer, Caller } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import type { ProcessServer } from '../processes/processes';
import { scheduleMany } from '../requests/scheduling';
import { draftMany, saveMany } from '../requests/personal';
import type { Races } from './stage';
import { bad } from './stage';

/** Races for accounts, groups and what is personal. */
export const accountRaces = (server: ProcessServer): Races => ({
  'email-free': async () => {
    const [here, there] = server.sides(server.owner);
    const account = (full_name: string) => ({ email: 'twin@example.com', password: 'one password for two', full_name });
    return {
      acts: [() => here.post('/users', account('Twin One')), () => there.post('/users', account('Twin Two'))],
      second: bad('Email is already in use'),
      look: async () => {
        const { members } = granted(await here.get<{ members: { full_name: string }[] }>('/users'));
        expect(members.filter(({ full_name }) => full_name.startsWith('Twin'))).toHaveLength(1);
      },
    };
  },

  'name-free': async () => {
    const [here, there] = server.sides(server.owner);
    granted(await here.patch('/realm', { require_unique_names: true }));
    const people = [await server.person(), await server.person()] as const;
    const rename = (by: Caller, { id }: Person) => by.patch(`/users/${id}`, { full_name: 'The Only One' });
    return {
      acts: [() => rename(here, people[0]), () => rename(there, people[1])],
      second: bad('Unique names required in this organization.'),
      look: async () => {
        const names = await Promise.all(people.map(async (one) => granted(await one.get('/users/me'))['full_name']));
        expect(names.filter((name) => name === 'The Only One')).toHaveLength(1);
        granted(await here.patch('/realm', { require_unique_names: false }));
      },
    };
  },

  'last-owner': async () => {
    const owners = [server.owner, await server.person({ role: 'owner' })] as const;
    const [here] = server.sides(owners[0]);
    const [, there] = server.sides(owners[1]);
    const abdicate = (by: Caller, { id }: Person) => by.patch(`/users/${id}`, { role: Role.member });
    return {
      acts: [() => abdicate(here, owners[0]), () => abdicate(there, owners[1])],
      second: bad('The owner permission cannot be removed from the only organization owner.'),
      look: async () => {
        const roles = await Promise.all(owners.map(async (one) => granted(await one.get('/users/me'))['role']));
        expect([...roles].sort()).toEqual([Role.owner, Role.member]);
        const left = owners[roles.indexOf(Role.owner)];
        granted((await left?.patch(`/users/${server.owner.id}`, { role: Role.owner })) as Answer);
      },
    };
  },

  'still-active': async () => {
    const [here, there] = server.sides(server.owner);
    const bob = await server.person();
    const input = { subscriptions: [{ name: 'too late' }], principals: [bob.id] };
    return {
      acts: [() => here.delete(`/users/${bob.id}`), () => there.post('/users/me/subscriptions', input)],
      second: bad('No such user, or the account is deactivated'),
      look: async () => {
        const { streams } = granted(await here.get<{ streams: { name: string }[] }>('/streams'));
        expect(streams.map(({ name }) => name)).not.toContain('too late');
      },
    };
  },

  'snippet-room': async () => {
    const writer = await server.person();
    await saveMany(server.kernel, writer, 499);
    const save = (by: Caller) => by.post('/saved_snippets', { title: 'The last one', content: 'Good bye.' });
    const [here, there] = server.sides(writer);
    return {
      acts: [() => save(here), () => save(there)],
      second: bad('There are 500 saved snippets already.'),
      look: async () => {
        const { saved_snippets } = granted(await writer.get<{ saved_snippets: object[] }>('/saved_snippets'));
        expect(saved_snippets).toHaveLength(500);
      },
    };
  },

  'drafts-known': async () => {
    const writer = await server.person();
    await draftMany(server.kernel, writer, 999);
    const save = (by: Caller) => by.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'one more' }] });
    const [here, there] = server.sides(writer);
    return {
      acts: [() => save(here), () => save(there)],
      second: bad('An account has 1000 drafts at most.'),
      look: async () => expect(granted(await writer.get<{ count: number }>('/drafts')).count).toBe(1_000),
    };
  },

  'scheduled-room': async () => {
    const writer = await server.person();
    await scheduleMany(server.kernel, writer, 999);
    const [here, there] = server.sides(writer);
    const later = Math.floor(Date.now() / 1_000) + 3_600;
    const plan = { type: 'direct', to: [writer.id], content: 'the last one', scheduled_delivery_timestamp: later };
    return {
      acts: [
        () => here.post('/scheduled_messages', plan),
        () => there.post('/reminders', { note: 'one too many', scheduled_delivery_timestamp: later }),
      ],
      second: bad('There are 1000 scheduled messages and reminders already.'),
      look: async () => {
        const { scheduled_messages } = granted(
          await writer.get<{ scheduled_messages: object[] }>('/scheduled_messages'),
        );
        expect(scheduled_messages).toHaveLength(1_000);
      },
    };
  },

  'group-name-free': async () => {
    const [here, there] = server.sides(server.owner);
    const create = (by: Caller) => by.post('/user_groups/create', { name: 'bakers', description: '', members: [] });
    return {
      acts: [() => create(here), () => create(there)],
      second: bad("User group 'bakers' already exists."),
      look: async () => expect((await groupsOf(server)).filter(({ name }) => name === 'bakers')).toHaveLength(1),
    };
  },

  'group-unused': async () => {
    const [here, there] = server.sides(server.owner);
    const id = await group(server, 'cooks');
    const channel = { name: 'kitchen', subscribers: [], can_send_message_group: id };
    return {
      acts: [() => here.post('/channels/create', channel), () => there.post(`/user_groups/${id}/deactivate`)],
      second: { status: 400, body: { code: 'CANNOT_DEACTIVATE_GROUP_IN_USE', objections: [{ type: 'channel' }] } },
      look: async () => expect((await groupsOf(server)).map((one) => one.id)).toContain(id),
    };
  },
});

const groupsOf = async ({ owner }: ProcessServer) =>
  granted(await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups')).user_groups;

/** A new group without members. */
async function group({ owner }: ProcessServer, name: string): Promise<number> {
  const input = { name, description: '', members: [] };
  return granted(await owner.post<{ group_id: number }>('/user_groups/create', input)).group_id;
}
