import type { Params, WireEvent } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import type { Subscription } from '../../support/requests/subscriptions';
import { subscribe } from '../../support/requests/subscriptions';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
let groups: Readonly<Record<string, number>>;
beforeAll(async () => ({ server, owner, administrator, member, guest, groups } = await startWithUsers()));
afterAll(() => server.close());

let made = 0;
const fresh = (what = 'channel') => `${what} ${++made}`;
const privateChannel = (input: Params = {}) => {
  const name = fresh('private');
  return server.channel(owner, { name, invite_only: true, ...input }).then((id) => ({ id, name }));
};

describe('client events of subscriptions', () => {
  const kinds = (events: readonly WireEvent[]) => events.map(({ type, op }) => `${type} ${op ?? ''}`.trim());

  it('are one event for all new channels of a user, and one for each channel for peers', async () => {
    const other = await server.person();
    const names = [fresh(), fresh()];
    for (const name of names) await server.channel(owner, { name, subscribers: [owner] });
    let toPeer: readonly WireEvent[] = [];
    const toOther = await other.receive(
      async () => {
        toPeer = await member.receive(() => subscribe(owner, names, { principals: [other.id] }), 'subscription');
      },
      { event_types: ['subscription', 'stream'] },
    );
    expect(toOther).toMatchObject([
      { type: 'subscription', op: 'add', subscriptions: names.map((name) => ({ name })) },
    ]);
    expect(toPeer).toMatchObject(names.map(() => ({ op: 'peer_add', user_ids: [other.id] })));
  });

  it('begin with the channel for users who could not see it: guests, and others in private channels', async () => {
    const { name } = await privateChannel({ subscribers: [owner, member] });
    const open = fresh();
    await server.channel(owner, { name: open, subscribers: [owner] });
    const received = async (who: Person, channel: string) =>
      kinds(
        await who.receive(() => subscribe(owner, [channel], { principals: [who.id] }), {
          event_types: ['stream', 'subscription'],
        }),
      );
    const other = await server.person();
    expect(await received(other, name)).toEqual(['stream create', 'subscription add']);
    expect(await received(administrator, name)).toEqual(['subscription add']);
    expect(await received(guest, open)).toEqual(['stream create', 'subscription add']);
    expect(await received(other, open)).toEqual(['subscription add']);
  });

  it('are hidden from users who may not see the subscribers of a private channel', async () => {
    const { name } = await privateChannel({ subscribers: [owner, member] });
    const [other, outsider] = [await server.person(), await server.person()];
    const act = () => subscribe(owner, [name], { principals: [other.id] });
    expect(await outsider.receive(act, 'subscription')).toEqual([]);
  });

  it('remove a deactivated user from channels before the deactivation itself', async () => {
    const leaving = await server.person();
    const ids = [await server.channel(leaving, { name: fresh() }), await server.channel(leaving, { name: fresh() })];
    const { id: hidden } = await privateChannel({ subscribers: [owner, leaving] });
    const events = await member.receive(() => owner.delete(`/users/${leaving.id}`), {
      event_types: ['subscription', 'realm_user'],
    });
    expect(kinds(events).at(-1)).toBe('realm_user update');
    const left = events.filter(({ type }) => type === 'subscription');
    expect(left.every(({ op, user_ids }) => op === 'peer_remove' && String(user_ids) === String(leaving.id))).toBe(
      true,
    );
    const channels = left.flatMap(({ stream_ids }) => stream_ids as number[]);
    expect(channels).toEqual(expect.arrayContaining(ids));
    expect(channels).not.toContain(hidden);
  });

  it('show and hide channels as roles change', async () => {
    const other = await server.person();
    const { id: secret } = await privateChannel({ subscribers: [owner, member] });
    const mine = await server.channel(other, { name: fresh(), subscribers: [other] });
    const become = (role: number) =>
      other.receive(() => owner.patch(`/users/${other.id}`, { role }), { event_types: ['stream', 'subscription'] });
    const promoted = await become(200);
    expect(promoted[0]).toMatchObject({ type: 'stream', op: 'create' });
    const gained = (promoted[0] as unknown as { streams: Subscription[] }).streams.map(({ stream_id }) => stream_id);
    expect(gained).toContain(secret);
    const peers = promoted.find(({ stream_ids }) => String(stream_ids) === String(secret));
    expect(peers).toMatchObject({ op: 'peer_add', user_ids: [owner.id, member.id].sort((a, b) => a - b) });
    expect(await become(400)).toMatchObject([
      { type: 'stream', op: 'delete', stream_ids: gained, streams: gained.map((stream_id) => ({ stream_id })) },
    ]);
    const [demoted] = await become(600);
    expect(demoted).toMatchObject({ type: 'stream', op: 'delete' });
    expect(demoted?.['stream_ids']).not.toContain(mine);
  });

  it('count the subscribers of a newly visible channel once, in the event that names them', async () => {
    const other = await server.person({ role: 'guest' });
    const id = await server.channel(owner, { name: fresh(), subscribers: [owner, member] });
    const seen = await other.receive(() => owner.patch(`/users/${other.id}`, { role: 400 }), {
      event_types: ['stream', 'subscription'],
    });
    const { streams } = seen[0] as unknown as { streams: Subscription[] };
    expect(streams.find(({ stream_id }) => stream_id === id)).toMatchObject({ subscriber_count: 0 });
    const peers = seen.filter(({ stream_ids }) => String(stream_ids) === String(id));
    expect(peers).toMatchObject([{ op: 'peer_add', user_ids: [owner.id, member.id].sort((a, b) => a - b) }]);
  });

  it('hide the default channels from a user who becomes a guest, and show them again', async () => {
    const other = await server.person();
    const become = (role: number) =>
      other.receive(() => owner.patch(`/users/${other.id}`, { role }), 'default_streams');
    const { realm_default_streams: defaults } = await other.register({ fetch_event_types: ['default_streams'] });
    expect(defaults).not.toEqual([]);
    expect(await become(600)).toMatchObject([{ type: 'default_streams', default_streams: [] }]);
    expect(await become(400)).toMatchObject([{ type: 'default_streams', default_streams: defaults }]);
    expect(await become(200)).toEqual([]);
    const others = await member.receive(() => owner.patch(`/users/${other.id}`, { role: 400 }), 'default_streams');
    expect(others).toEqual([]);
  });

  it('show and hide what full members can see as the waiting period changes', async () => {
    const { id } = await privateChannel({ subscribers: [owner], can_subscribe_group: groups['fullmembers'] });
    const newcomer = await server.person();
    const wait = (days: number) => () => owner.patch('/realm', { waiting_period_threshold: days });
    const types = { event_types: ['stream', 'subscription'] };
    expect(await newcomer.receive(wait(3), types)).toMatchObject([{ type: 'stream', op: 'delete', stream_ids: [id] }]);
    expect(await guest.receive(wait(0), types)).toEqual([]);
    await wait(3)();
    expect(await newcomer.receive(wait(0), types)).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ stream_id: id, subscriber_count: 0 }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [owner.id] },
    ]);
  });
});
