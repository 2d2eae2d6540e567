import type { Params } from '../support/caller';
import { granted } from '../support/caller';
import type { Person } from '../support/organization';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let keeper: Person;
let guest: Person;
let groups: Record<string, number>;
beforeAll(async () => {
  server = await startServer({ env: { ANNALS_WEB_PUBLIC_CHANNELS: 'on' } });
  owner = server.owner;
  administrator = await server.person({ role: 'administrator' });
  member = await server.person();
  keeper = await server.person();
  guest = await server.person({ role: 'guest' });
  const { body } = await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
  groups = Object.fromEntries(body.user_groups.map(({ id, name }) => [name.replace('role:', ''), id]));
});
afterAll(() => server.close());

type Channel = Record<string, unknown> & { readonly name: string };
const only = (...people: Person[]) => ({ direct_members: people.map(({ id }) => id), direct_subgroups: [] });
const refused = (code = 'BAD_REQUEST', status = 400) => ({ status, body: { result: 'error', code } });
const change = (by: Person, id: number, params: Params) => by.patch(`/streams/${id}`, params);
const shown = async (by: Person, id: number) => (await by.get<{ stream: Channel }>(`/streams/${id}`)).body.stream;
const kept = (params: Params = {}) => server.channel(keeper, params);
/** What the first person hears of an act, without ids. */
const hears = async (by: Person, act: () => Promise<unknown>, params: Params = {}) => {
  const types = ['stream', 'subscription', 'default_streams', 'realm'];
  const events = await by.receive(act, { event_types: types, ...params });
  return events.map(({ id: _, ...event }) => event);
};

describe('GET /streams/{id}', () => {
  it('shows a channel to those who may know of it, archived or not', async () => {
    const id = await kept({ name: 'shown', invite_only: true });
    expect(await shown(keeper, id)).toMatchObject({ stream_id: id, name: 'shown', invite_only: true });
    expect(await shown(administrator, id)).toMatchObject({ stream_id: id });
    granted(await keeper.delete(`/streams/${id}`));
    expect(await shown(keeper, id)).toMatchObject({ stream_id: id, is_archived: true });
    expect(await member.get(`/streams/${id}`)).toMatchObject(refused());
    expect(await member.get('/streams/999999')).toMatchObject(refused());
  });
});

describe('GET /streams/{id}/email_address', () => {
  it('has none to give, and only asks who may post there', async () => {
    const id = await kept({ can_send_message_group: groups['administrators'], subscribers: [keeper, guest] });
    const hidden = await kept({ invite_only: true });
    const bot = await server.bot(administrator);
    const ask = (by: Person, channel: number, params: Params = {}) =>
      by.get(`/streams/${channel}/email_address`, params);
    for (const params of [{}, { sender_id: administrator.id }, { sender_id: bot.id }]) {
      expect(await ask(administrator, id, params)).toMatchObject({ status: 200, body: { email: '' } });
    }
    expect(await ask(administrator, id, { sender_id: member.id })).toMatchObject(refused());
    for (const by of [keeper, member, guest]) expect(await ask(by, id)).toMatchObject(refused());
    expect(await ask(keeper, hidden)).toMatchObject({ status: 200 });
    for (const by of [administrator, member]) expect(await ask(by, hidden)).toMatchObject(refused());
  });
});

describe('who may change a channel', () => {
  it('is an administrator of it or of the organization; others who see it are told so, all others nothing', async () => {
    const open = await kept();
    const hidden = await kept({ invite_only: true });
    for (const by of [keeper, administrator, owner]) {
      expect(await change(by, open, { description: `by ${by.id}` })).toMatchObject({ status: 200 });
      expect(await change(by, hidden, { description: `by ${by.id}` })).toMatchObject({ status: 200 });
    }
    expect(await change(member, open, { description: 'mine' })).toMatchObject(refused('CANNOT_ADMINISTER_CHANNEL'));
    expect(await change(guest, open, { description: 'mine' })).toMatchObject(refused());
    expect(await change(member, hidden, { description: 'mine' })).toMatchObject(refused());
    expect(await member.delete(`/streams/${open}`)).toMatchObject(refused('CANNOT_ADMINISTER_CHANNEL'));
    expect(await member.delete(`/streams/${hidden}`)).toMatchObject(refused());
  });

  it('changes nothing without parameters', async () => {
    const id = await kept();
    expect(await hears(keeper, () => change(keeper, id, {}))).toEqual([]);
    expect(await hears(keeper, () => change(keeper, id, { is_archived: true }))).toEqual([]);
  });
});

describe('words', () => {
  it('are told with the name that clients know', async () => {
    const id = await kept({ name: 'before' });
    const heard = await hears(member, () => change(keeper, id, { new_name: ' After ', description: 'of *it*\n all' }));
    const common = { type: 'stream', op: 'update', stream_id: id };
    expect(heard).toEqual([
      { ...common, property: 'name', name: 'before', value: 'After' },
      {
        ...common,
        property: 'description',
        name: 'After',
        value: 'of *it* all',
        rendered_description: '<p>of <em>it</em> all</p>',
      },
    ]);
    expect(await shown(member, id)).toMatchObject({ name: 'After', description: 'of *it* all' });
    expect((await member.get('/get_stream_id', { stream: 'after' })).body).toMatchObject({ stream_id: id });
    expect(await member.get('/get_stream_id', { stream: 'before' })).toMatchObject(refused());
  });

  it('are refused when they are too long, unprintable, in use or the same', async () => {
    const id = await kept({ name: 'mine to name' });
    await kept({ name: 'Taken', invite_only: true });
    for (const params of [
      { new_name: 'mine to name' },
      { new_name: ' ' },
      { new_name: 'x'.repeat(61) },
      { new_name: 'a\u0007' },
      { description: 'x'.repeat(1025) },
    ]) {
      expect(await change(keeper, id, params)).toMatchObject(refused());
    }
    expect(await change(keeper, id, { new_name: 'taken' })).toMatchObject(refused('CHANNEL_ALREADY_EXISTS', 409));
    expect(await change(keeper, id, { new_name: 'Mine To Name' })).toMatchObject({ status: 200 });
  });

  it('give one name to one of those who want it at once, and free the old one', async () => {
    const ids = await Promise.all([1, 2, 3].map((n) => kept({ name: `rival ${n}` })));
    const answers = await Promise.all(ids.map((id) => change(keeper, id, { new_name: 'The One' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const freed = `rival ${answers.findIndex(({ status }) => status === 200) + 1}`;
    expect((await keeper.post('/channels/create', { name: freed, subscribers: [] })).status).toBe(200);
  });
});

describe('privacy', () => {
  it('becomes private for all but subscribers and those who administer, and public again', async () => {
    const id = await kept({ name: 'now and then', subscribers: [keeper, guest] });
    const toPrivate = () => change(keeper, id, { is_private: true });
    const update = {
      ...{ type: 'stream', op: 'update', property: 'invite_only', stream_id: id, name: 'now and then' },
      ...{ value: true, history_public_to_subscribers: false, is_web_public: false },
    };
    const queue = await member.register({ event_types: ['stream', 'subscription'] });
    expect(await hears(guest, toPrivate)).toEqual([update]);
    const lost = (await member.events(queue)).map(({ id: _, ...event }) => event);
    expect(lost).toEqual([{ type: 'stream', op: 'delete', streams: [{ stream_id: id }], stream_ids: [id] }]);
    expect(await member.get(`/streams/${id}`)).toMatchObject(refused());
    const gained = await hears(member, () => change(keeper, id, { is_private: false }));
    expect(gained).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ stream_id: id, invite_only: false, subscriber_count: 0 }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [id] },
    ]);
    expect(gained[1]?.['user_ids']).toEqual([keeper.id, guest.id].sort((a, b) => a - b));
    expect(await shown(member, id)).toMatchObject({ history_public_to_subscribers: true });
  });

  it('needs the content, and the right to create channels of the new kind', async () => {
    const id = await kept({ invite_only: true });
    expect(await change(administrator, id, { is_private: false })).toMatchObject(refused());
    const may = (setting: string, group: string) =>
      owner.patch('/realm', { [setting]: { new: groups[group] } }).then(granted);
    await may('can_create_public_channel_group', 'administrators');
    expect(await change(keeper, id, { is_private: false })).toMatchObject(refused());
    await may('can_create_public_channel_group', 'members');
    expect(await change(keeper, id, { is_private: false })).toMatchObject({ status: 200 });
    await may('can_create_private_channel_group', 'administrators');
    expect(await change(keeper, id, { is_private: true })).toMatchObject(refused());
    await may('can_create_private_channel_group', 'members');
  });

  it('knows four shapes only', async () => {
    const id = await kept();
    expect(await change(keeper, id, { history_public_to_subscribers: false })).toMatchObject(refused());
    expect(await change(keeper, id, { is_private: true, is_web_public: true })).toMatchObject(refused());
    const mixed = { is_private: false, history_public_to_subscribers: false };
    expect(await change(keeper, id, mixed)).toMatchObject(refused());
  });

  it('lets everyone begin topics where history becomes protected', async () => {
    const id = await kept({ can_create_topic_group: groups['members'] });
    expect(await change(keeper, id, { is_private: true })).toMatchObject({
      status: 400,
      body: { parameters: 'history_public_to_subscribers, can_create_topic_group' },
    });
    const both = { is_private: true, can_create_topic_group: { new: groups['everyone'] } };
    expect(await change(keeper, id, both)).toMatchObject({ status: 200 });
    const back = { can_create_topic_group: { new: groups['members'] } };
    expect(await change(keeper, id, back)).toMatchObject(refused());
  });

  it('opens a channel to the web under three conditions', async () => {
    const id = await kept({ name: 'for the web' });
    const open = (by: Person) => change(by, id, { is_web_public: true });
    expect(await open(owner)).toMatchObject(refused());
    granted(await owner.patch('/realm', { enable_spectator_access: true }));
    expect(await open(keeper)).toMatchObject(refused());
    const events = await hears(guest, () => open(owner));
    expect(events).toMatchObject([
      { op: 'create', streams: [{ stream_id: id, is_web_public: true }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [id] },
    ]);
    const created = await owner.post('/channels/create', { name: 'web at once', subscribers: [], is_web_public: true });
    expect(created).toMatchObject({ status: 200 });
    granted(await owner.patch('/realm', { enable_spectator_access: false }));
  });

  it('stays private in the channel for requests to moderators', async () => {
    const id = await server.channel(owner, { invite_only: true });
    granted(await owner.patch('/realm', { moderation_request_channel_id: id }));
    expect(await change(owner, id, { is_private: false })).toMatchObject(refused());
    granted(await owner.patch('/realm', { moderation_request_channel_id: -1 }));
    expect(await change(owner, id, { is_private: false })).toMatchObject({ status: 200 });
  });
});

describe('default channels', () => {
  it('are made by administrators of the organization, and never private', async () => {
    const id = await kept();
    expect(await change(keeper, id, { is_default_stream: true })).toMatchObject(refused());
    expect(await hears(member, () => change(administrator, id, { is_default_stream: true }))).toMatchObject([
      { type: 'default_streams' },
    ]);
    expect(await change(keeper, id, { is_private: true })).toMatchObject(refused());
    const both = { is_private: true, is_default_stream: false };
    expect(await change(administrator, id, both)).toMatchObject({ status: 200 });
    expect(await change(administrator, id, { is_default_stream: true })).toMatchObject(refused());
  });

  it('come and go by their own endpoints', async () => {
    const id = await kept();
    const hidden = await kept({ invite_only: true });
    const set = (by: Person, method: 'post' | 'delete', stream_id: number) =>
      by[method]('/default_streams', { stream_id });
    expect(await set(member, 'post', id)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    expect(await set(administrator, 'post', hidden)).toMatchObject(refused());
    expect(await set(administrator, 'post', 999_999)).toMatchObject(refused());
    const added = await hears(member, () => set(administrator, 'post', id));
    expect(added).toEqual([{ type: 'default_streams', default_streams: expect.arrayContaining([id]) as number[] }]);
    expect(await set(administrator, 'post', id)).toMatchObject({ status: 200 });
    expect(await set(member, 'delete', id)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    const [removed] = await hears(member, () => set(administrator, 'delete', id));
    expect(removed?.['default_streams']).not.toContain(id);
  });
});

describe('retention, topics and folders', () => {
  it('let owners alone set how long messages are kept', async () => {
    const id = await kept();
    const days = (by: Person, message_retention_days: unknown) => change(by, id, { message_retention_days });
    expect(await days(administrator, 30)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    expect(await days(owner, 0)).toMatchObject(refused('REQUEST_VARIABLE_INVALID'));
    expect(await hears(member, () => days(owner, 30))).toMatchObject([
      { property: 'message_retention_days', value: 30 },
    ]);
    expect(await hears(member, () => days(owner, 'unlimited'))).toMatchObject([{ value: -1 }]);
    expect(await hears(member, () => days(owner, '"realm_default"'))).toMatchObject([{ value: null }]);
  });

  it('ask who may set the policy on topics, and whether there are topics with names', async () => {
    const id = await kept();
    const set = (by: Person, topics_policy: string) => change(by, id, { topics_policy });
    expect(await set(keeper, 'sometimes')).toMatchObject(refused());
    granted(await owner.patch('/realm', { can_set_topics_policy_group: { new: groups['moderators'] } }));
    expect(await set(keeper, 'allow_empty_topic')).toMatchObject(refused());
    granted(await owner.patch('/realm', { can_set_topics_policy_group: { new: groups['members'] } }));
    granted(await keeper.post('/messages', { type: 'channel', to: id, topic: '', content: 'nameless' }));
    expect(await hears(member, () => set(keeper, 'empty_topic_only'))).toMatchObject([
      { property: 'topics_policy', value: 'empty_topic_only' },
    ]);
    expect(await set(keeper, 'inherit')).toMatchObject({ status: 200 });
    granted(await keeper.post('/messages', { type: 'channel', to: id, topic: 'named', content: 'named' }));
    expect(await set(keeper, 'empty_topic_only')).toMatchObject(refused());
  });

  it('never end with both a named topic and a policy against it, whoever is first', async () => {
    for (let n = 0; n < 5; n++) {
      const id = await kept();
      const named = { type: 'channel', to: id, topic: 'named', content: 'me first' };
      const answers = await Promise.all([
        keeper.post('/messages', named),
        change(keeper, id, { topics_policy: 'empty_topic_only' }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('put channels into folders that are open', async () => {
    const words = { name: 'Open', description: '' };
    const folder = await owner.post<{ channel_folder_id: number }>('/channel_folders/create', words);
    const { channel_folder_id } = granted(folder);
    const id = await kept();
    expect(await change(keeper, id, { folder_id: 999 })).toMatchObject(refused());
    const chosen = await hears(member, () => change(keeper, id, { folder_id: channel_folder_id }));
    expect(chosen).toMatchObject([{ property: 'folder_id', value: channel_folder_id }]);
    expect(await owner.patch(`/channel_folders/${channel_folder_id}`, { is_archived: true })).toMatchObject(refused());
    expect(await hears(member, () => change(keeper, id, { folder_id: null }))).toMatchObject([{ value: null }]);
    expect(await owner.patch(`/channel_folders/${channel_folder_id}`, { is_archived: true })).toMatchObject({
      status: 200,
    });
    expect(await change(keeper, id, { folder_id: channel_folder_id })).toMatchObject(refused());
  });
});

describe('permissions of a channel', () => {
  it('change when nobody was faster', async () => {
    const id = await kept({ name: 'permitting' });
    const setting = 'can_send_message_group';
    const mine = { new: groups['administrators'], old: groups['everyone'] };
    const common = { type: 'stream', op: 'update', stream_id: id, name: 'permitting' };
    expect(await hears(member, () => change(keeper, id, { [setting]: mine }))).toEqual([
      { ...common, property: setting, value: groups['administrators'] },
      { ...common, property: 'stream_post_policy', value: 2 },
      { ...common, property: 'is_announcement_only', value: true },
    ]);
    expect(await change(keeper, id, { [setting]: mine })).toMatchObject(refused('EXPECTATION_MISMATCH'));
    const same = { new: groups['administrators'] };
    expect(await hears(member, () => change(keeper, id, { [setting]: same }))).toEqual([]);
    const people = { new: only(member, keeper) };
    expect(await hears(member, () => change(keeper, id, { [setting]: people }))).toEqual([
      { ...common, property: setting, value: { ...only(member, keeper) } },
      { ...common, property: 'stream_post_policy', value: 1 },
      { ...common, property: 'is_announcement_only', value: false },
    ]);
  });

  it.each([
    ['an unknown group', { can_send_message_group: { new: 99_999 } }],
    ['the internet', { can_send_message_group: { new: 8 } }],
    ['a shape of its own', { can_send_message_group: { new: [1] } }],
    ['a bare value', { can_send_message_group: 1 }],
    ['everyone, where no guest may', { can_remove_subscribers_group: { new: 7 } }],
    ['the deletion of messages, by who may not set that', { can_delete_own_message_group: { new: 7 } }],
  ])('are refused for %s', async (_, params) => {
    const id = await kept();
    expect(await change(keeper, id, params)).toMatchObject(refused());
  });

  it('that give the content are changed by those who have it', async () => {
    const id = await kept({ invite_only: true });
    for (const setting of ['can_add_subscribers_group', 'can_subscribe_group']) {
      const params = { [setting]: { new: only(administrator) } };
      expect(await change(administrator, id, params)).toMatchObject(refused());
    }
    const open = { can_administer_channel_group: { new: groups['moderators'] } };
    expect(await change(administrator, id, open)).toMatchObject({ status: 200 });
  });

  it.each(['can_add_subscribers_group', 'can_administer_channel_group', 'can_subscribe_group'])(
    'named %s bring and take the sight of a private channel',
    async (setting) => {
      const id = await kept({ invite_only: true });
      const give = (...people: Person[]) => change(owner, id, { [setting]: { new: only(owner, ...people) } });
      granted(await keeper.post('/users/me/subscriptions', await naming(id, owner)));
      expect(await hears(member, () => give(member))).toMatchObject([
        { type: 'stream', op: 'create', streams: [{ stream_id: id }] },
        { type: 'subscription', op: 'peer_add', stream_ids: [id] },
      ]);
      expect(await hears(keeper, () => give())).toMatchObject([{ op: 'update', property: setting, stream_id: id }]);
      granted(await give(member));
      expect(await hears(member, () => give())).toMatchObject([{ op: 'delete', stream_ids: [id] }]);
    },
  );

  const naming = async (id: number, person: Person) => ({
    subscriptions: [{ name: (await shown(keeper, id)).name }],
    principals: [person.id],
  });
});

describe('DELETE /streams/{id}', () => {
  const KNOWING = { client_capabilities: { notification_settings_null: true, archived_channels: true } };

  it('archives: nothing is written there any more, everything stays', async () => {
    const id = await kept({ name: 'finished', subscribers: [keeper, member] });
    const message = { type: 'channel', to: id, topic: 't', content: 'the end' };
    const { id: last } = granted(await keeper.post<{ id: number }>('/messages', message));
    granted(await keeper.delete(`/streams/${id}`));
    expect(await keeper.post('/messages', message)).toMatchObject(refused());
    expect(await keeper.patch(`/messages/${last}`, { content: 'no' })).toMatchObject(refused());
    expect((await member.get(`/messages/${last}`)).status).toBe(200);
    expect(await keeper.delete(`/streams/${id}`)).toMatchObject(refused());
    expect(await keeper.post('/channels/create', { name: 'Finished', subscribers: [] })).toMatchObject(
      refused('CHANNEL_ALREADY_EXISTS', 409),
    );
    const listed = (await member.get<{ streams: Channel[] }>('/streams')).body.streams.map(({ name }) => name);
    expect(listed).not.toContain('finished');
    granted(await keeper.patch(`/streams/${id}`, { is_archived: false }));
    expect((await keeper.post('/messages', message)).status).toBe(200);
    expect(await keeper.patch(`/streams/${id}`, { is_archived: false })).toMatchObject(refused());
  });

  it('is told as a change, or as the end to clients that do not know of archives', async () => {
    const id = await kept({ name: 'ending', subscribers: [keeper, member] });
    const old = await member.register({ event_types: ['stream', 'subscription'] });
    const heard = await hears(member, () => keeper.delete(`/streams/${id}`), KNOWING);
    const update = { type: 'stream', op: 'update', property: 'is_archived', stream_id: id, name: 'ending' };
    expect(heard).toEqual([{ ...update, value: true }]);
    const back = await hears(member, () => change(keeper, id, { is_archived: false }), KNOWING);
    expect(back).toEqual([{ ...update, value: false }]);
    expect(await member.events(old)).toMatchObject([
      { type: 'stream', op: 'delete', stream_ids: [id] },
      { type: 'stream', op: 'create', streams: [{ stream_id: id }] },
      { type: 'subscription', op: 'add', subscriptions: [{ stream_id: id, subscriber_count: 2 }] },
    ]);
  });

  it('takes settings of the organization and the list of defaults with it', async () => {
    const id = await server.channel(owner, { is_default_stream: true });
    granted(await owner.patch('/realm', { new_stream_announcements_stream_id: id }));
    const heard = await hears(owner, () => owner.delete(`/streams/${id}`), KNOWING);
    expect(heard).toMatchObject([
      { type: 'realm', op: 'update_dict', property: 'default', data: { new_stream_announcements_stream_id: -1 } },
      { type: 'default_streams' },
      { type: 'stream', property: 'is_archived' },
    ]);
    expect(heard[1]?.['default_streams']).not.toContain(id);
  });

  it('leaves a private channel without subscribers in the archive', async () => {
    const id = await kept({ invite_only: true, subscribers: [] });
    granted(await keeper.delete(`/streams/${id}`));
    expect(await change(keeper, id, { is_archived: false })).toMatchObject(refused());
  });
});

describe('notices of changes', () => {
  it('are given in the channel, where the organization wants them, one for each change', async () => {
    const id = await kept({ name: 'noticed', subscribers: [keeper, member] });
    const told = async () => {
      const asked = { narrow: [{ operator: 'channel', operand: id }], anchor: 'newest', num_before: 20 };
      const { messages } = granted(
        await member.get<{ messages: { subject: string; content: string; flags: string[] }[] }>('/messages', {
          ...asked,
          apply_markdown: false,
        }),
      );
      return messages;
    };
    granted(await change(keeper, id, { description: 'quietly' }));
    expect(await told()).toEqual([]);
    granted(await owner.patch('/realm', { send_channel_events_messages: true }));
    const changes = [
      { new_name: 'noted' },
      { description: 'aloud' },
      { is_private: true },
      { can_send_message_group: { new: groups['members'] } },
      { can_resolve_topics_group: { new: groups['members'] } },
      { topics_policy: 'disable_empty_topic' },
    ];
    for (const params of changes) granted(await change(keeper, id, params));
    granted(await change(owner, id, { message_retention_days: 9 }));
    granted(await keeper.delete(`/streams/${id}`));
    granted(await change(keeper, id, { is_archived: false }));
    const messages = await told();
    expect(messages.map(({ subject }) => subject)).toEqual(Array(8).fill('channel events'));
    expect(messages.map(({ content }) => content).join('\n')).toMatch(
      /noticed.*noted.*aloud.*private.*send messages.*use of topics.*9 days.*archived.*out of the archive/s,
    );
    granted(await owner.patch('/realm', { send_channel_events_messages: false }));
  });
});

describe('what somebody may not know any more', () => {
  it('is not told with what they missed: words are those of the moment', async () => {
    const id = await kept({ name: 'open book', subscribers: [keeper, member], invite_only: true });
    const queue = await member.register({ event_types: ['stream', 'subscription'] });
    granted(await keeper.delete('/users/me/subscriptions', { subscriptions: ['open book'] }));
    granted(await owner.delete('/users/me/subscriptions', { subscriptions: ['open book'], principals: [member.id] }));
    granted(await change(keeper, id, { new_name: 'closed book', description: 'a secret' }));
    const heard = await member.events(queue);
    expect(heard).toMatchObject([
      { op: 'peer_remove' },
      { op: 'remove', subscriptions: [{ name: 'open book', stream_id: id }] },
      { op: 'delete', stream_ids: [id] },
    ]);
    expect(JSON.stringify(heard)).not.toMatch(/closed|secret/);
  });

  it('is not ended twice, for clients that do not know of archives', async () => {
    const id = await kept({ name: 'ended once', subscribers: [keeper, member], invite_only: true });
    const queue = await member.register({ event_types: ['stream', 'subscription'] });
    granted(await keeper.delete(`/streams/${id}`));
    granted(await owner.delete('/users/me/subscriptions', { subscriptions: ['ended once'], principals: [member.id] }));
    expect(await member.events(queue)).toMatchObject([{ type: 'stream', op: 'delete', stream_ids: [id] }]);
  });
});

describe('what callers say of a channel', () => {
  it('is taken as it is: quotes stay, null days are not given, old values may be those that are shown', async () => {
    const id = await kept();
    granted(await change(keeper, id, { description: '"Less is more"' }));
    expect((await shown(keeper, id))['description']).toBe('"Less is more"');
    granted(await change(keeper, id, { message_retention_days: 'null' }));
    const gone = await server.person();
    granted(await change(keeper, id, { can_send_message_group: { new: only(keeper, gone) } }));
    granted(await owner.delete(`/users/${gone.id}`));
    const old = (await shown(keeper, id))['can_send_message_group'];
    expect(old).toEqual(only(keeper));
    expect(await change(keeper, id, { can_send_message_group: { new: groups['members'], old } })).toMatchObject({
      status: 200,
    });
  });

  it('may take it out of the archive and make it a default at once, but not for those who are gone', async () => {
    const id = await server.channel(owner);
    granted(await owner.delete(`/streams/${id}`));
    expect(await change(owner, id, { is_archived: false, is_default_stream: true })).toMatchObject({ status: 200 });
    const gone = await server.person();
    const left = await server.channel(owner, { invite_only: true, subscribers: [gone] });
    granted(await owner.delete(`/users/${gone.id}`));
    granted(await owner.delete(`/streams/${left}`));
    expect(await change(owner, left, { is_archived: false })).toMatchObject(refused());
  });

  it('is refused in the order of the contract: a name in use before settings', async () => {
    const wish = { name: 'general', subscribers: [], can_send_message_group: 99_999 };
    expect(await owner.post('/channels/create', wish)).toMatchObject(refused('CHANNEL_ALREADY_EXISTS', 409));
  });
});
