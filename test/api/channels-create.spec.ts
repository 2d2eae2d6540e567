import type { Person } from '../support/organization';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
let groups: Record<string, number>;
let kinds = 0;
beforeAll(async () => {
  server = await startServer();
  owner = server.owner;
  administrator = await server.person({ role: 'administrator' });
  member = await server.person();
  guest = await server.person({ role: 'guest' });
  const { body } = await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
  groups = Object.fromEntries(body.user_groups.map(({ id, name }) => [name.replace('role:', ''), id]));
});
afterAll(() => server.close());

type Channel = Record<string, unknown> & { readonly stream_id: number; readonly name: string };
const refused = (code: string, status = 400) => ({ status, body: { result: 'error', code } });
const create = (by: Person, wish: Record<string, unknown>) =>
  by.post<{ id: number }>('/channels/create', { subscribers: [], ...wish });
const channelsOf = async (by: Person) =>
  (await by.get<{ streams: Channel[] }>('/streams', { include_all: true })).body.streams;
const shown = async (by: Person, id: number) => (await channelsOf(by)).find(({ stream_id }) => stream_id === id);
const created = async (by: Person, wish: Record<string, unknown>) => shown(by, (await create(by, wish)).body.id);

describe('POST /channels/create', () => {
  it('answers the id of the new channel and nothing else', async () => {
    const { status, body } = await create(member, { name: 'first' });
    expect({ status, body }).toEqual({
      status: 200,
      body: { result: 'success', msg: '', id: expect.any(Number) as number },
    });
  });

  it('makes a channel with everything as usual', async () => {
    const channel = await created(member, { name: '  usual  ', description: 'one\ntwo' });
    expect(channel).toEqual({
      stream_id: channel?.stream_id,
      name: 'usual',
      is_archived: false,
      description: 'one two',
      rendered_description: '<p>one two</p>',
      date_created: Date.UTC(2026, 0, 1) / 1000,
      creator_id: member.id,
      invite_only: false,
      is_web_public: false,
      history_public_to_subscribers: true,
      message_retention_days: null,
      first_message_id: null,
      folder_id: null,
      is_recently_active: true,
      stream_weekly_traffic: null,
      subscriber_count: 0,
      topics_policy: 'inherit',
      stream_post_policy: 1,
      is_announcement_only: false,
      can_add_subscribers_group: groups['nobody'],
      can_administer_channel_group: { direct_members: [member.id], direct_subgroups: [] },
      can_create_topic_group: groups['everyone'],
      can_delete_any_message_group: groups['nobody'],
      can_delete_own_message_group: groups['nobody'],
      can_move_messages_out_of_channel_group: groups['nobody'],
      can_move_messages_within_channel_group: groups['nobody'],
      can_remove_subscribers_group: groups['administrators'],
      can_resolve_topics_group: groups['nobody'],
      can_send_message_group: groups['everyone'],
      can_subscribe_group: groups['nobody'],
    });
  });

  it('honours what is wished, quoted or not', async () => {
    const wish = {
      name: 'as wished',
      invite_only: true,
      history_public_to_subscribers: true,
      topics_policy: '"empty_topic_only"',
      message_retention_days: 30,
      can_send_message_group: groups['administrators'],
      can_subscribe_group: { direct_members: [guest.id, member.id], direct_subgroups: [] },
      can_delete_any_message_group: { direct_members: [], direct_subgroups: [groups['moderators']] },
      can_resolve_topics_group: { direct_members: [], direct_subgroups: [] },
      can_create_topic_group: null,
    };
    expect(await created(owner, wish)).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: true,
      topics_policy: 'empty_topic_only',
      message_retention_days: 30,
      can_send_message_group: groups['administrators'],
      stream_post_policy: 2,
      is_announcement_only: true,
      can_subscribe_group: { direct_members: [member.id, guest.id].sort((a, b) => a - b), direct_subgroups: [] },
      can_delete_any_message_group: groups['moderators'],
      can_resolve_topics_group: groups['nobody'],
      can_create_topic_group: groups['everyone'],
    });
  });

  it.each([
    [{}, true],
    [{ history_public_to_subscribers: false }, true],
    [{ invite_only: true }, false],
    [{ invite_only: true, history_public_to_subscribers: true }, true],
  ])('shares the history of %j: %s', async (privacy, isShared) => {
    const channel = await created(owner, { name: `kind ${++kinds}`, ...privacy });
    expect(channel?.['history_public_to_subscribers']).toBe(isShared);
  });

  it.each([
    ['realm_default', null],
    ['"unlimited"', -1],
    ['unlimited', -1],
    ['1', 1],
  ])('reads a retention of %s as %s', async (message_retention_days, days) => {
    const channel = await created(owner, { name: `kept ${message_retention_days}`, message_retention_days });
    expect(channel?.['message_retention_days']).toBe(days);
  });

  it('subscribes exactly those who are listed', async () => {
    const { id } = (await create(member, { name: 'ours', subscribers: [guest.id, owner.id, guest.id] })).body;
    const lists = async (by: Person) => {
      const params = { include_subscribers: true };
      const { body } = await by.get<{ subscriptions: Channel[] }>('/users/me/subscriptions', params);
      return body.subscriptions.find(({ stream_id }) => stream_id === id)?.['subscribers'];
    };
    expect(await lists(owner)).toEqual([owner.id, guest.id].sort((a, b) => a - b));
    expect(await lists(guest)).toEqual(await lists(owner));
    expect(await lists(member)).toBeUndefined();
    expect(await shown(member, id)).toMatchObject({ subscriber_count: 2 });
  });
});

describe('a channel is refused', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['without a name', { name: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['without subscribers', { name: 'no list', subscribers: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['with a blank name', { name: '  ' }, 'BAD_REQUEST'],
    ['with a long name', { name: 'x'.repeat(61) }, 'BAD_REQUEST'],
    ['with an unprintable name', { name: 'a\u0007b' }, 'BAD_REQUEST'],
    ['with a long description', { name: 'long', description: 'x'.repeat(1025) }, 'BAD_REQUEST'],
    ['with an unknown topics policy', { name: 'policy', topics_policy: 'whatever' }, 'BAD_REQUEST'],
    ['with a number as a boolean', { name: 'boolean', invite_only: 1 }, 'BAD_REQUEST'],
    ['with a group of the wrong shape', { name: 'shape', can_send_message_group: [1] }, 'BAD_REQUEST'],
    ['with an unknown group', { name: 'group', can_send_message_group: 9999 }, 'BAD_REQUEST'],
    ['with a folder, as there are none', { name: 'folder', folder_id: 1 }, 'BAD_REQUEST'],
    ['when web-public', { name: 'web', is_web_public: true }, 'BAD_REQUEST'],
    ['when web-public and private', { name: 'web', is_web_public: true, invite_only: true }, 'BAD_REQUEST'],
    ['when default and private', { name: 'default', is_default_stream: true, invite_only: true }, 'BAD_REQUEST'],
    ['with unknown subscribers', { name: 'who', subscribers: [999_999] }, 'BAD_REQUEST'],
    ['with subscribers beyond any id', { name: 'who', subscribers: [2 ** 40] }, 'BAD_REQUEST'],
    ['with subscribers of the wrong kind', { name: 'who', subscribers: ['a@b.c'] }, 'BAD_REQUEST'],
  ])('%s', async (_, wish, code) => {
    const before = await channelsOf(owner);
    expect(await create(owner, { name: 'refused', ...wish })).toMatchObject(refused(code));
    expect(await channelsOf(owner)).toEqual(before);
  });

  it.each(['0', '-5', '"forever"', '1.5', '99999999999'])('with a retention of %s', async (message_retention_days) => {
    expect(await create(owner, { name: 'retention', message_retention_days })).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_INVALID', var_name: 'message_retention_days' },
    });
  });

  it('with any retention of its own, by anybody but an owner', async () => {
    for (const message_retention_days of [30, 'unlimited']) {
      const wish = { name: 'kept by others', message_retention_days };
      expect(await create(administrator, wish)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    }
  });

  it('to guests, and as a default channel to members', async () => {
    expect(await create(guest, { name: 'by a guest' })).toMatchObject(refused('BAD_REQUEST'));
    expect(await create(member, { name: 'default', is_default_stream: true })).toMatchObject(refused('BAD_REQUEST'));
  });

  it('with a deactivated subscriber', async () => {
    const gone = await server.person();
    await owner.delete(`/users/${gone.id}`);
    expect(await create(owner, { name: 'gone', subscribers: [gone.id] })).toMatchObject(refused('BAD_REQUEST'));
    const setting = { direct_members: [gone.id], direct_subgroups: [] };
    expect(await create(owner, { name: 'gone', can_subscribe_group: setting })).toMatchObject(refused('BAD_REQUEST'));
  });

  it('to those whom the organization does not let, for each kind', async () => {
    const only = (setting: string, group: string) => owner.patch('/realm', { [setting]: { new: groups[group] } });
    await only('can_create_public_channel_group', 'administrators');
    expect(await create(member, { name: 'public' })).toMatchObject(refused('BAD_REQUEST'));
    expect((await create(member, { name: 'still private', invite_only: true })).status).toBe(200);
    await only('can_create_public_channel_group', 'members');
    await only('can_create_private_channel_group', 'administrators');
    expect(await create(member, { name: 'private', invite_only: true })).toMatchObject(refused('BAD_REQUEST'));
    expect((await create(member, { name: 'still public' })).status).toBe(200);
    await only('can_create_private_channel_group', 'members');
    await only('can_set_topics_policy_group', 'moderators');
    const policy = { name: 'policy', topics_policy: 'allow_empty_topic' };
    expect(await create(member, policy)).toMatchObject(refused('BAD_REQUEST'));
    await only('can_set_topics_policy_group', 'members');
  });

  it.each([
    'can_add_subscribers_group',
    'can_administer_channel_group',
    'can_remove_subscribers_group',
    'can_subscribe_group',
  ])('with everyone as %s', async (setting) => {
    expect(await create(owner, { name: 'guests', [setting]: groups['everyone'] })).toMatchObject(
      refused('BAD_REQUEST'),
    );
  });

  it('with the internet as any setting', async () => {
    const wish = { name: 'internet', can_send_message_group: groups['internet'] };
    expect(await create(owner, wish)).toMatchObject(refused('BAD_REQUEST'));
  });

  it('when members let others delete messages, which only some may', async () => {
    for (const setting of ['can_delete_any_message_group', 'can_delete_own_message_group']) {
      const wish = { name: `deleting ${setting}`, [setting]: groups['members'] };
      expect(await create(member, wish)).toMatchObject(refused('BAD_REQUEST'));
      expect((await create(member, { ...wish, [setting]: groups['nobody'] })).status).toBe(200);
    }
  });

  it('with protected history where not everyone may begin topics', async () => {
    const wish = { name: 'protected', invite_only: true, can_create_topic_group: groups['members'] };
    expect(await create(owner, wish)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', parameters: 'history_public_to_subscribers, can_create_topic_group' },
    });
    expect((await create(owner, { ...wish, history_public_to_subscribers: true })).status).toBe(200);
  });

  it('under a name in use, whatever its letter case, also to who cannot see the channel', async () => {
    expect((await create(owner, { name: 'Éclair', invite_only: true })).status).toBe(200);
    for (const name of ['Éclair', 'éCLAIR']) {
      expect(await create(member, { name })).toMatchObject({
        status: 409,
        body: { result: 'error', code: 'CHANNEL_ALREADY_EXISTS', channel_name: name },
      });
    }
  });

  it('to all but one of those who claim a name at once', async () => {
    const claims = ['Race', 'race', 'RACE', 'rAcE', 'racE'].map((name) => create(member, { name }));
    const statuses = (await Promise.all(claims)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
    expect((await channelsOf(member)).filter(({ name }) => name.toLowerCase() === 'race')).toHaveLength(1);
  });

  it('and what is unknown is named as ignored', async () => {
    const { status, body } = await create(member, { name: 'announced', announce: true, shout: true });
    expect({ status, body }).toMatchObject({ status: 200, body: { ignored_parameters_unsupported: ['shout'] } });
  });
});

describe('what clients hear of a new channel', () => {
  const types = ['stream', 'subscription', 'default_streams'];
  const told = (events: readonly { type: string; op?: string }[]) =>
    events.map(({ type, op }) => `${type} ${op ?? ''}`.trim());

  it('is creation, then the subscription, then the peers', async () => {
    const names = new Map<string, readonly string[]>();
    const listen = async (name: string, who: Person, act: () => Promise<unknown>) =>
      names.set(name, told(await who.receive(act, { event_types: types })));
    const act = () => create(owner, { name: 'heard', subscribers: [member.id, guest.id] });
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

  it('of a private one reaches administrators, its groups and its subscribers, nobody else', async () => {
    const insider = await server.person();
    const outsider = await server.person();
    const heard: Record<string, readonly string[]> = {};
    const wish = {
      name: 'secret',
      invite_only: true,
      subscribers: [member.id, administrator.id],
      can_subscribe_group: { direct_members: [insider.id], direct_subgroups: [] },
    };
    const everybody = { owner, administrator, member, insider, outsider, guest };
    const listen = Object.entries(everybody).reduce<() => Promise<unknown>>(
      (act, [name, who]) =>
        async () => {
          heard[name] = told(await who.receive(act, { event_types: types }));
        },
      () => create(owner, wish),
    );
    await listen();
    expect(heard).toEqual({
      owner: ['stream create', 'subscription peer_add'],
      administrator: ['stream create', 'subscription add'],
      member: ['stream create', 'subscription add'],
      insider: ['stream create', 'subscription peer_add'],
      outsider: [],
      guest: [],
    });
  });

  it('has the whole objects, with nobody in it at first', async () => {
    let id = 0;
    const events = await administrator.receive(
      async () => {
        id = (await create(owner, { name: 'objects', description: '*new*', subscribers: [member.id] })).body.id;
      },
      { event_types: types },
    );
    const channel = { ...(await shown(administrator, id)), subscriber_count: 0 };
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

  it('tells the new subscriber their subscription, with subscribers where they asked for them', async () => {
    const withList = await member.receive(
      () => create(owner, { name: 'with list', subscribers: [member.id, owner.id] }),
      { event_types: ['subscription'], include_subscribers: true },
    );
    const [added] = withList as unknown as { subscriptions: Channel[] }[];
    const [subscription] = added?.subscriptions ?? [];
    const { body } = await member.get<{ subscriptions: Channel[] }>('/users/me/subscriptions', {
      include_subscribers: true,
    });
    expect(subscription).toEqual(body.subscriptions.find(({ name }) => name === 'with list'));
    const without = await member.receive(() => create(owner, { name: 'without list', subscribers: [member.id] }), {
      event_types: ['subscription'],
    });
    expect(without).toMatchObject([{ op: 'add', subscriptions: [{ name: 'without list', subscriber_count: 1 }] }]);
    expect((without[0] as unknown as { subscriptions: Channel[] }).subscriptions[0]).not.toHaveProperty('subscribers');
  });

  it('that is a default one includes the new list, but not for guests', async () => {
    let id = 0;
    const act = async () => {
      id = (await create(administrator, { name: 'for all', is_default_stream: true })).body.id;
    };
    let toGuest: readonly unknown[] = [];
    const toMember = await member.receive(
      async () => {
        toGuest = await guest.receive(act, { event_types: types });
      },
      { event_types: types },
    );
    expect(told(toMember)).toEqual(['stream create', 'default_streams']);
    expect((toMember[1] as unknown as { default_streams: number[] }).default_streams).toContain(id);
    expect(toGuest).toEqual([]);
    const newcomer = await server.person();
    const { body } = await newcomer.get<{ subscriptions: Channel[] }>('/users/me/subscriptions');
    expect(body.subscriptions.map(({ stream_id }) => stream_id)).toContain(id);
  });
});
