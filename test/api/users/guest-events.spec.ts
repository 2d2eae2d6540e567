import type { Registered, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';
import { withoutDefaultChannels } from '../../support/requests/channels';
import { openQueue, eventsAfter as eventsTo } from '../../support/events/client-queues';
import type { Person } from '../../support/server/organization';

let users: ServerWithUsers;
beforeAll(async () => {
  users = await startWithUsers();
  await withoutDefaultChannels(users.owner);
  await restrict(true);
});
afterAll(() => users.server.close());

const restrict = async (isRestricted: boolean) => {
  const value = users.groups[isRestricted ? 'members' : 'everyone'];
  granted(await users.owner.patch('/realm', { can_access_all_users_group: { new: value } }));
};

interface About {
  readonly user_id: number;
  readonly full_name?: string;
  readonly [field: string]: unknown;
}
type Users = { readonly realm_users: readonly About[]; readonly realm_non_active_users: readonly About[] };

/** Two queues of a user, with and without the capability of incomplete user lists. */
const LOOKS = { placeholders: {}, gaps: { client_capabilities: { user_list_incomplete: true } } };

/** The user events of both queues: the op, the user id, and the rest. */
async function received(by: Person, act: () => Promise<unknown>) {
  const opened: [string, Registered][] = [];
  for (const [name, params] of Object.entries(LOOKS)) {
    const input = { event_types: ['realm_user'], fetch_event_types: [], ...params };
    opened.push([name, await by.register(input)]);
  }
  await act();
  const events: Record<string, (readonly [string | undefined, number, string | undefined])[]> = {};
  for (const [name, queue] of opened) events[name] = (await by.events(queue)).map(summary);
  return events;
}

function summary({ op, person }: WireEvent): readonly [string | undefined, number, string | undefined] {
  const { user_id, full_name } = person as About;
  return [op, user_id, full_name];
}

const both = <Event>(...events: readonly Event[]) => ({ placeholders: events, gaps: events });

async function scene() {
  const { server, owner } = users;
  const [guest, stranger] = [await server.person({ role: 'guest' }), await server.person({ name: 'Stranger' })];
  const peer = await server.person({ name: 'Peer' });
  const channel = await server.namedChannel(owner, { subscribers: [guest, peer] });
  return { guest, stranger, peer, channel };
}
type Channel = Awaited<ReturnType<typeof scene>>['channel'];

const subscribe = async (channel: Channel, ...people: readonly Person[]) =>
  granted(
    await users.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: channel.name }],
      principals: people.map(({ id }) => id),
    }),
  );
const unsubscribe = async (channel: Channel, ...people: readonly Person[]) =>
  granted(
    await users.owner.delete('/users/me/subscriptions', {
      subscriptions: [channel.name],
      principals: people.map(({ id }) => id),
    }),
  );
const rename = async (person: Person, full_name: string) =>
  granted(await users.owner.patch(`/users/${person.id}`, { full_name }));

describe('POST /register for a restricted guest', () => {
  it('lists accessible users, and a placeholder for each other one', async () => {
    const { guest, stranger, peer } = await scene();
    const users = (await guest.register({ fetch_event_types: ['realm_user'] })) as unknown as Users;
    const shown = (id: number) => users.realm_users.find(({ user_id }) => user_id === id);
    expect(shown(peer.id)).toMatchObject({ full_name: 'Peer' });
    expect(shown(stranger.id)).toEqual({
      user_id: stranger.id,
      email: `user${stranger.id}@annals.invalid`,
      delivery_email: null,
      full_name: 'Unknown user',
      date_joined: '1970-01-01T00:00+00:00',
      is_owner: false,
      is_admin: false,
      is_guest: false,
      is_bot: false,
      role: 400,
      bot_type: null,
      bot_owner_id: null,
      timezone: '',
      avatar_url: expect.any(String) as string,
      avatar_version: 1,
      is_imported_stub: false,
      profile_data: {},
    });
    const ids = users.realm_users.map(({ user_id }) => user_id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  it('leaves the others out for clients with that capability', async () => {
    const { guest, stranger, peer } = await scene();
    const users = (await guest.register({
      fetch_event_types: ['realm_user'],
      ...LOOKS.gaps,
    })) as unknown as Users;
    const ids = users.realm_users.map(({ user_id }) => user_id);
    expect(ids).toEqual(expect.arrayContaining([guest.id, peer.id]));
    expect(ids).not.toContain(stranger.id);
  });

  it('does not reveal whether an unknown user is active', async () => {
    const { guest, stranger } = await scene();
    granted(await users.owner.delete(`/users/${stranger.id}`));
    const seen = (await guest.register({ fetch_event_types: ['realm_user'] })) as unknown as Users;
    expect(seen.realm_users).toContainEqual(
      expect.objectContaining({ user_id: stranger.id, full_name: 'Unknown user' }),
    );
    expect(seen.realm_non_active_users.map(({ user_id }) => user_id)).not.toContain(stranger.id);
  });
});

describe('a restricted guest receives events', () => {
  it('of changes to accessible users only', async () => {
    const { guest, stranger, peer } = await scene();
    expect(await received(guest, () => rename(peer, 'Other Peer'))).toEqual(both(['update', peer.id, 'Other Peer']));
    expect(await received(guest, () => rename(stranger, 'Other Stranger'))).toEqual(both());
    expect(await received(peer, () => rename(stranger, 'Stranger'))).toEqual(both(['update', stranger.id, 'Stranger']));
  });

  it('of a new unknown user, unless their list may be incomplete', async () => {
    const { guest } = await scene();
    let newcomer: Person | undefined;
    const events = await received(guest, async () => (newcomer = await users.server.person({ name: 'Newcomer' })));
    expect(events).toEqual({ placeholders: [['add', newcomer?.id, 'Unknown user']], gaps: [] });
  });

  it('of subscriptions and unsubscriptions in their channels', async () => {
    const { guest, stranger, peer, channel } = await scene();
    expect(await received(guest, () => subscribe(channel, stranger, peer))).toEqual(
      both(['add', stranger.id, 'Stranger']),
    );
    expect(await received(guest, () => unsubscribe(channel, stranger))).toEqual(
      both(['remove', stranger.id, 'Unknown user']),
    );
  });

  it('of users who become visible or hidden with a subscription of their own', async () => {
    const { server, owner } = users;
    const { guest, stranger, peer } = await scene();
    const other = await server.namedChannel(owner, { subscribers: [stranger, peer] });
    expect(await received(guest, () => subscribe(other, guest))).toEqual(both(['add', stranger.id, 'Stranger']));
    expect(await received(guest, () => unsubscribe(other, guest))).toEqual(
      both(['remove', stranger.id, 'Unknown user']),
    );
  });

  it('of a newly visible user as each client requested it', async () => {
    const { guest, stranger, channel } = await scene();
    const queues = await Promise.all(
      [true, false].map((client_gravatar) =>
        guest.register({ event_types: ['realm_user'], fetch_event_types: [], client_gravatar }),
      ),
    );
    const polls = queues.map(({ queue_id, last_event_id }) => guest.poll(queue_id, last_event_id));
    await subscribe(channel, stranger);
    const pictures = (await Promise.all(polls)).map((events) => (events[0]?.['person'] as About)['avatar_url']);
    expect(pictures).toEqual([null, expect.stringContaining('gravatar')]);
  });

  it('of the users in a new conversation, before its first message', async () => {
    const { guest, stranger, peer } = await scene();
    const write = () => stranger.post('/messages', { type: 'direct', to: [guest.id, peer.id], content: 'hello' });
    const input = { event_types: ['realm_user', 'message'] };
    const events = await guest.receive(async () => granted(await write()), input);
    expect(events.map(({ type, op }) => [type, op])).toEqual([
      ['realm_user', 'add'],
      ['message', undefined],
    ]);
    expect(events[0]?.['person']).toMatchObject({ user_id: stranger.id, full_name: 'Stranger', is_active: true });
    expect(await received(guest, write)).toEqual(both());
  });

  it('of a deactivation, as an update for conversation partners, else as a removal', async () => {
    const { guest, stranger, peer } = await scene();
    granted(await stranger.post('/messages', { type: 'direct', to: [guest.id], content: 'hello' }));
    const leave = (one: Person) => users.owner.delete(`/users/${one.id}`);
    expect(await received(guest, () => leave(peer))).toEqual(both(['remove', peer.id, 'Unknown user']));
    expect(await received(guest, () => leave(stranger))).toEqual(both(['update', stranger.id, undefined]));
    const back = () => users.owner.post(`/users/${peer.id}/reactivate`);
    expect(await received(guest, back)).toEqual(both(['add', peer.id, 'Peer']));
  });

  it('of users who become visible or hidden by a change of the setting', async () => {
    const { guest, stranger, peer } = await scene();
    const opened = await received(guest, () => restrict(false));
    expect(opened['gaps']).toContainEqual(['add', stranger.id, 'Stranger']);
    expect(opened['gaps']?.map(([, id]) => id)).not.toContain(peer.id);
    expect(opened['gaps']).toEqual(opened['placeholders']);
    const closed = await received(guest, () => restrict(true));
    expect(closed['gaps']).toContainEqual(['remove', stranger.id, 'Unknown user']);
    expect(closed['gaps']?.every(([op, id]) => op === 'remove' && id !== peer.id && id !== guest.id)).toBe(true);
    expect(await received(peer, async () => (await restrict(false), await restrict(true)))).toEqual(both());
  });

  it('of the same when their role changes to guest, or from guest', async () => {
    const { guest, stranger, peer } = await scene();
    const change = (role: number) => users.owner.patch(`/users/${guest.id}`, { role });
    const opened = await received(guest, () => change(400));
    expect(opened['gaps']?.[0]).toEqual(['update', guest.id, undefined]);
    expect(opened['gaps']).toContainEqual(['add', stranger.id, 'Stranger']);
    const closed = await received(guest, () => change(600));
    expect(closed['gaps']).toContainEqual(['remove', stranger.id, 'Unknown user']);
    expect(closed['gaps']?.map(([, id]) => id)).not.toContain(peer.id);
  });
});

describe('a restricted guest with a late delivery receives', () => {
  it('the state of that position, without users who were hidden since', async () => {
    const { guest, stranger, peer, channel } = await scene();
    const place = { type: 'channel', to: channel.id, topic: 'now' };
    const send = async (by: Person) => granted(await by.post('/messages', { ...place, content: 'so?' }));
    const events = await guest.receive(
      async () => {
        await send(stranger);
        await subscribe(channel, stranger);
        await send(stranger);
        await send(peer);
        await unsubscribe(channel, stranger);
        await rename(stranger, 'Somebody Else');
      },
      { event_types: ['realm_user', 'message'] },
    );
    const name = ({ message, person }: WireEvent) =>
      (message as { sender_full_name: string } | undefined)?.sender_full_name ?? (person as About).full_name;
    expect(events.map((event) => [event.type, event.op, name(event)])).toEqual([
      ['message', undefined, 'Unknown user'],
      ['message', undefined, 'Unknown user'],
      ['message', undefined, 'Peer'],
      ['realm_user', 'remove', 'Unknown user'],
    ]);
  });

  it('events of a user who was hidden and is visible again', async () => {
    const { guest, stranger, channel } = await scene();
    const events = await received(guest, async () => {
      await subscribe(channel, stranger);
      await unsubscribe(channel, stranger);
      await rename(stranger, 'Somebody');
      await subscribe(channel, stranger);
      await rename(stranger, 'Stranger');
    });
    expect(events).toEqual(
      both(
        ['add', stranger.id, 'Stranger'],
        ['remove', stranger.id, 'Unknown user'],
        ['add', stranger.id, 'Stranger'],
        ['update', stranger.id, 'Stranger'],
      ),
    );
  });

  it('no email of an unknown user who types', async () => {
    const { guest, stranger, peer } = await scene();
    const typed = async (by: Person) => {
      const client = await openQueue(guest, { event_types: ['typing'] });
      const to = [guest.id];
      return (
        await eventsTo([client], async () => granted(await by.post('/typing', { op: 'start', type: 'direct', to })))
      ).flat();
    };
    const hidden = { user_id: stranger.id, email: `user${stranger.id}@annals.invalid` };
    expect(await typed(stranger)).toMatchObject([{ sender: hidden }]);
    expect(await typed(peer)).toMatchObject([{ sender: { user_id: peer.id, email: peer.email } }]);
  });
});
