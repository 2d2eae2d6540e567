import { startWithUsers } from '../../support/server/start-with-users';
import type { Channel } from '../../support/requests/channels';
import { channelListed, createChannel } from '../../support/requests/channels';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, administrator, member, guest } = await startWithUsers()));
afterAll(() => server.close());

describe('client events of a new channel', () => {
  const types = ['stream', 'subscription', 'default_streams'];
  const typesOf = (events: readonly { type: string; op?: string }[]) =>
    events.map(({ type, op }) => `${type} ${op ?? ''}`.trim());

  it('are its creation, then the subscription, then the peers', async () => {
    const names = new Map<string, readonly string[]>();
    const listen = async (name: string, who: Person, act: () => Promise<unknown>) =>
      names.set(name, typesOf(await who.receive(act, { event_types: types })));
    const act = () => createChannel(owner, { name: 'heard', subscribers: [member.id, guest.id] });
    await listen('administrator', administrator, () =>
      listen('member', member, () => listen('guest', guest, () => listen('owner', owner, act))),
    );
    expect(Object.fromEntries(names)).toEqual({
      owner: ['stream create', 'subscription peer_add'],
      administrator: ['stream create', 'subscription peer_add'],
      member: ['stream create', 'subscription add'],
      guest: ['stream create', 'subscription add'],
    });
  });

  it('of a private channel are for administrators, its groups and its subscribers only', async () => {
    const insider = await server.person();
    const outsider = await server.person();
    const received: Record<string, readonly string[]> = {};
    const input = {
      name: 'secret',
      invite_only: true,
      subscribers: [member.id, administrator.id],
      can_subscribe_group: { direct_members: [insider.id], direct_subgroups: [] },
    };
    const everybody = { owner, administrator, member, insider, outsider, guest };
    const listen = Object.entries(everybody).reduce<() => Promise<unknown>>(
      (act, [name, who]) =>
        async () => {
          received[name] = typesOf(await who.receive(act, { event_types: types }));
        },
      () => createChannel(owner, input),
    );
    await listen();
    expect(received).toEqual({
      owner: ['stream create', 'subscription peer_add'],
      administrator: ['stream create', 'subscription add'],
      member: ['stream create', 'subscription add'],
      insider: ['stream create', 'subscription peer_add'],
      outsider: [],
      guest: [],
    });
  });

  it('carry whole objects, without subscribers at first', async () => {
    let id = 0;
    const events = await administrator.receive(
      async () => {
        id = (await createChannel(owner, { name: 'objects', description: '*new*', subscribers: [member.id] })).body.id;
      },
      { event_types: types },
    );
    const channel = { ...(await channelListed(administrator, id)), subscriber_count: 0 };
    expect(events).toEqual([
      { id: expect.any(Number) as number, type: 'stream', op: 'create', streams: [channel] },
      {
        id: expect.any(Number) as number,
        type: 'subscription',
        op: 'peer_add',
        stream_ids: [id],
        user_ids: [member.id],
      },
    ]);
  });

  it('carry the subscription for new subscribers, with subscribers if the client asked for them', async () => {
    const withList = await member.receive(
      () => createChannel(owner, { name: 'with list', subscribers: [member.id, owner.id] }),
      { event_types: ['subscription'], include_subscribers: true },
    );
    const [added] = withList as unknown as { subscriptions: Channel[] }[];
    const [subscription] = added?.subscriptions ?? [];
    const { body } = await member.get<{ subscriptions: Channel[] }>('/users/me/subscriptions', {
      include_subscribers: true,
    });
    expect(subscription).toEqual(body.subscriptions.find(({ name }) => name === 'with list'));
    const without = await member.receive(
      () => createChannel(owner, { name: 'without list', subscribers: [member.id] }),
      {
        event_types: ['subscription'],
      },
    );
    expect(without).toMatchObject([{ op: 'add', subscriptions: [{ name: 'without list', subscriber_count: 1 }] }]);
    expect((without[0] as unknown as { subscriptions: Channel[] }).subscriptions[0]).not.toHaveProperty('subscribers');
  });

  it('of a default channel include the new list of defaults, but not for guests', async () => {
    let id = 0;
    const act = async () => {
      id = (await createChannel(administrator, { name: 'for all', is_default_stream: true })).body.id;
    };
    let toGuest: readonly unknown[] = [];
    const toMember = await member.receive(
      async () => {
        toGuest = await guest.receive(act, { event_types: types });
      },
      { event_types: types },
    );
    expect(typesOf(toMember)).toEqual(['stream create', 'default_streams']);
    expect((toMember[1] as unknown as { default_streams: number[] }).default_streams).toContain(id);
    expect(toGuest).toEqual([]);
    const newcomer = await server.person();
    const { body } = await newcomer.get<{ subscriptions: Channel[] }>('/users/me/subscriptions');
    expect(body.subscriptions.map(({ stream_id }) => stream_id)).toContain(id);
  });
});
