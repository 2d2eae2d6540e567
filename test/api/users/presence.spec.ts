import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Presences } from '../../../libs/presence/src/application/presences';
import { PresenceSweep } from '../../../libs/presence/src/jobs/presence-sweep';
import { eventsAfter, openQueue } from '../../support/events/client-queues';
import { PollingClient } from '../../support/events/polling-client';
import type { Caller, Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { withoutDefaultChannels } from '../../support/requests/channels';
import type { PresenceAnswer } from '../../support/requests/presence';
import { legacy, listPresences, ping, times, website } from '../../support/requests/presence';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ apis: 2 });
  await withoutDefaultChannels(server.owner);
});
afterAll(() => server.close());

const REALM = 1 as RealmId;
const MINUTE = 60_000;
const now = () => Math.floor(server.clock.now() / 1_000);
/** All apis write what they have. A second later each api knows the log, and reads what the others have written. */
async function written(): Promise<void> {
  for (const { app } of server.apis) await app.get(Presences).write();
  server.clock.advance(1_000);
  // Pings do not ask for events of the last milliseconds.
  for (const { app } of server.apis) await app.get(Kernel).fence.reach(REALM);
}
const elsewhere = (person: Person) => person.at(server.apis[1]?.url ?? '');
const refused = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });

describe('POST /users/me/presence', () => {
  it('answers a ping with nothing, or with all presences in both forms', async () => {
    const [ann, bob] = [await server.person(), await server.person()];
    const since = now();
    expect(granted(await ping(ann))).toEqual({ result: 'success', msg: '' });
    granted(await ping(bob, { status: 'idle', new_user_input: true }));
    server.clock.advance(10_000);
    const { presences, server_timestamp } = await listPresences(ann);
    expect(presences).toMatchObject({ [ann.id]: times(since), [bob.id]: { idle_timestamp: since } });
    expect(server_timestamp).toBe(server.clock.now() / 1_000);
    const old = granted(await ping(ann, { ping_only: false }));
    expect(old.presences).toMatchObject({ [ann.email]: legacy('active', since), [bob.email]: legacy('active', since) });
  });

  it('answers what has changed since an update, and everything for an update of another installation', async () => {
    const [ann, bob, eve] = [await server.person(), await server.person(), await server.person()];
    granted(await ping(ann));
    await written();
    const first = await listPresences(ann, { last_update_id: -1 });
    expect(Object.keys(first.presences ?? {})).toContain(String(ann.id));
    granted(await ping(elsewhere(bob)));
    await written();
    const second = await listPresences(ann, { last_update_id: first.presence_last_update_id });
    expect(Object.keys(second.presences ?? {})).toEqual([String(bob.id)]);
    expect(second.presence_last_update_id).toBeGreaterThan(first.presence_last_update_id ?? Infinity);
    granted(await ping(eve));
    const third = await listPresences(ann, { last_update_id: second.presence_last_update_id });
    expect(Object.keys(third.presences ?? {})).toEqual([String(eve.id)]);
    const all = await listPresences(ann, { last_update_id: 1_000_000_000 });
    expect(Object.keys(all.presences ?? {})).toEqual(
      expect.arrayContaining([ann, bob, eve].map(({ id }) => String(id))),
    );
  });

  it('is seen at all apis, and the later ping counts', async () => {
    const [ann, bob] = [await server.person(), await server.person()];
    const first = now();
    granted(await ping(ann));
    server.clock.advance(MINUTE);
    const second = now();
    granted(await ping(elsewhere(ann), { status: 'idle' }));
    await written();
    for (const caller of [bob, elsewhere(bob)]) {
      expect((await listPresences(caller)).presences).toMatchObject({ [ann.id]: times(first, second) });
    }
  });

  it('limits how old a presence may be, to 14 days by default', async () => {
    const [ann, bob] = [await server.person(), await server.person()];
    granted(await ping(ann));
    await written();
    server.clock.advance(15 * 24 * 60 * MINUTE);
    expect((await listPresences(bob)).presences).not.toHaveProperty(String(ann.id));
    expect((await listPresences(bob, { history_limit_days: 16 })).presences).toHaveProperty(String(ann.id));
    const state = await bob.register({ fetch_event_types: ['presence'], slim_presence: true });
    expect(state['presences']).not.toHaveProperty(String(ann.id));
  });

  it.each<[Params, string]>([
    [{ status: 'away' }, 'Invalid status: away'],
    [{ status: '' }, 'Invalid status: '],
    [{ last_update_id: -2 }, 'last_update_id is too small'],
    [{ history_limit_days: -1 }, 'history_limit_days is too small'],
    [{ ping_only: 'yes' }, 'ping_only is not valid JSON'],
  ])('refuses %j', async (params, msg) => {
    expect(await ping(server.owner, params)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    if (!('ping_only' in params)) expect(await ping(server.owner, params)).toMatchObject(refused(msg));
  });

  it('requires a status, a login and a person', async () => {
    expect(await server.owner.post('/users/me/presence')).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'status' },
    });
    expect((await ping(server.anonymous)).status).toBe(401);
    expect(await ping(await server.bot(server.owner))).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  it('adds nothing to the log', async () => {
    const ann = await server.person();
    const head = async () => (await server.kernel.events.heads()).get(1 as never);
    const before = await head();
    granted(await ping(ann));
    await written();
    expect(await head()).toBe(before);
  });
});

describe('the presence of one user', () => {
  const show = (by: Caller, user: string | number) => by.get<{ presence: object }>(`/users/${user}/presence`);

  it('has both forms, by id and by email', async () => {
    const [ann, bob] = [await server.person(), await server.person()];
    granted(await ping(ann));
    const since = now();
    const { status, timestamp } = { status: 'active', timestamp: since };
    const shown = { ...times(since), aggregated: { status, timestamp }, website: { status, timestamp } };
    for (const named of [ann.id, ann.email]) {
      expect(granted(await show(bob, named))).toMatchObject({
        presence: shown,
        server_timestamp: server.clock.now() / 1_000,
      });
    }
    server.clock.advance(4 * MINUTE);
    expect(granted(await show(bob, ann.id)).presence).toMatchObject({ aggregated: { status: 'offline' } });
  });

  it('is refused for bots, for users who never pinged or left, and for unknown ones', async () => {
    const [ann, quiet] = [await server.person(), await server.person()];
    const bot = await server.bot(server.owner);
    granted(await ping(ann));
    granted(await server.owner.delete(`/users/${ann.id}`));
    expect(await show(server.owner, bot.id)).toMatchObject(refused('Presence is not supported for bot users.'));
    expect(await show(server.owner, quiet.id)).toMatchObject(refused(`No presence data for ${quiet.id}`));
    expect(await show(server.owner, ann.id)).toMatchObject(refused('No such user'));
    for (const unknown of [999_999, 'nobody@example.com']) {
      expect(await show(server.owner, unknown)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    }
  });

  it('is in GET /realm/presence by email', async () => {
    const ann = await server.person();
    granted(await ping(ann));
    const all = granted(await (await server.bot(ann)).get<PresenceAnswer>('/realm/presence'));
    expect(all.presences).toMatchObject({ [ann.email]: legacy('active', now()) });
    expect(all.server_timestamp).toBe(server.clock.now() / 1_000);
  });
});

describe('the users who are seen', () => {
  const seenBy = async (by: Caller) => Object.keys((await listPresences(by)).presences ?? {}).map(Number);

  it('are not users who turned presence off, deactivated users and deleted ones, and they leave no row', async () => {
    const [hidden, departed, deleted, bob] = await Promise.all([1, 2, 3, 4].map(() => server.person()));
    const people = [hidden, departed, deleted] as Person[];
    for (const one of people) granted(await ping(one));
    await written();
    expect(await seenBy(elsewhere(bob as Person))).toEqual(expect.arrayContaining(people.map(({ id }) => id)));
    granted(await (hidden as Person).patch('/settings', { presence_enabled: false }));
    granted(await server.owner.delete(`/users/${departed?.id}`));
    granted(await server.owner.delete(`/users/${deleted?.id}`, { actions: { delete_profile: true } }));
    granted(await ping(hidden as Person));
    await written();
    for (const caller of [bob as Person, elsewhere(bob as Person)]) {
      const seen = await seenBy(caller);
      expect(people.map(({ id }) => seen.includes(id))).toEqual([false, false, false]);
    }
    const { rows } = await server.kernel.database.pool.query('SELECT FROM presences WHERE user_id = ANY($1)', [
      people.map(({ id }) => id),
    ]);
    expect(rows).toEqual([]);
  });

  it('are only users whom a restricted guest can see', async () => {
    const [peer, stranger, guest] = [
      await server.person(),
      await server.person(),
      await server.person({ role: 'guest' }),
    ];
    await server.channel(server.owner, { subscribers: [peer, guest] });
    const { user_groups } = granted(
      await server.owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups'),
    );
    const group = (name: string) => user_groups.find((one) => one.name === name)?.id ?? 0;
    const restrict = async (name: string) =>
      granted(await server.owner.patch('/realm', { can_access_all_users_group: { new: group(name) } }));
    await restrict('role:members');
    const clients = [await openQueue(guest), await openQueue(peer)];
    const events = await eventsAfter(clients, async () => {
      granted(await ping(stranger));
      granted(await ping(peer));
    });
    const senders = events.map((theirs) => theirs.map((event) => event['user_id']));
    expect(senders).toEqual([[peer.id], [stranger.id, peer.id]]);
    expect((await seenBy(guest)).filter((id) => id === stranger.id)).toEqual([]);
    expect(await seenBy(guest)).toEqual(expect.arrayContaining([peer.id, guest.id]));
    expect(await guest.get(`/users/${stranger.id}/presence`)).toMatchObject({ status: 400 });
    await restrict('role:everyone');
  });

  it('is nobody while the organization has turned presence off', async () => {
    const ann = await server.person();
    granted(await ping(ann));
    granted(await server.owner.patch('/realm', { presence_disabled: true }));
    const clients = [await openQueue(ann, { event_types: ['presence'] })];
    expect(await eventsAfter(clients, () => ping(server.owner))).toEqual([[]]);
    expect(await listPresences(ann)).toMatchObject({ presences: {}, presence_last_update_id: -1 });
    expect(granted(await ann.get<PresenceAnswer>('/realm/presence')).presences).toEqual({});
    expect(await ann.get(`/users/${ann.id}/presence`)).toMatchObject(refused(`No presence data for ${ann.id}`));
    expect((await ann.register({ fetch_event_types: ['presence'] }))['presences']).toEqual({});
    granted(await server.owner.patch('/realm', { presence_disabled: false }));
  });
});

describe('clients', () => {
  it('receive an event in their shape when a user comes online, and none for later pings', async () => {
    const [ann, bob] = [await server.person(), await server.person()];
    const shapes = [{}, { slim_presence: true }, { client_capabilities: { simplified_presence_events: true } }];
    const clients = await Promise.all(shapes.map((shape) => openQueue(bob, { event_types: ['presence'], ...shape })));
    const since = now();
    const old = {
      type: 'presence',
      user_id: ann.id,
      server_timestamp: server.clock.now() / 1_000,
      presence: { website: { ...website('active', since), pushable: false } },
    };
    const events = await eventsAfter(clients, async () => {
      granted(await ping(ann));
      granted(await ping(ann));
    });
    expect(events).toEqual([
      [{ ...old, email: ann.email }],
      [old],
      [{ type: 'presence', presences: { [ann.id]: times(since) } }],
    ]);
    server.clock.advance(MINUTE);
    const later = await eventsAfter([await openQueue(bob, { event_types: ['presence'] })], async () => {
      granted(await ping(ann, { status: 'idle' }));
      granted(await ping(ann));
    });
    expect(later).toEqual([[]]);
    server.clock.advance(4 * MINUTE);
    // The signal of another api arrives some time after its answer.
    const follower = new PollingClient(bob, (await openQueue(bob, { event_types: ['presence'] })).queue);
    granted(await ping(elsewhere(ann)));
    expect(await follower.received(1)).toMatchObject([{ user_id: ann.id }]);
    await follower.stop();
  });

  it('begin with all presences, in the form that they ask for', async () => {
    const ann = await server.person();
    const empty = await ann.register({ fetch_event_types: ['presence'] });
    expect(empty).toMatchObject({ server_timestamp: server.clock.now() / 1_000 });
    granted(await ping(ann));
    await written();
    const since = now() - 1;
    const slim = await ann.register({ fetch_event_types: ['presence'], slim_presence: true });
    expect(slim['presences']).toMatchObject({ [ann.id]: times(since) });
    const { presence_last_update_id } = await listPresences(ann);
    expect(slim['presence_last_update_id']).toBe(presence_last_update_id);
    const full = await ann.register({ fetch_event_types: ['presence'] });
    expect(full['presences']).toMatchObject({ [ann.email]: legacy('active', since) });
    expect(await ann.register({ fetch_event_types: ['realm'] })).not.toHaveProperty('presences');
  });
});

describe('a sweep', () => {
  it('deletes presences after a year', async () => {
    const ann = await server.person();
    granted(await ping(ann));
    await written();
    const rows = async () =>
      (await server.kernel.database.pool.query('SELECT FROM presences WHERE user_id = $1', [ann.id])).rowCount;
    const sweep = new PresenceSweep(server.kernel);
    server.clock.advance(365 * 24 * 60 * MINUTE - 1_000);
    await sweep.sweep();
    expect(await rows()).toBe(1);
    server.clock.advance(1);
    await sweep.sweep();
    expect(await rows()).toBe(0);
  });
});
