import type { ChannelId } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let groups: Record<string, number>;
let administrator: Person;
beforeAll(async () => {
  server = await startTestServer();
  administrator = await server.person({ role: 'administrator' });
  const { body } = await server.owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
  groups = Object.fromEntries(body.user_groups.map(({ id, name }) => [name.replace('role:', ''), id]));
});
afterAll(() => server.close());

const settings = (names: readonly string[]) => async () => {
  const state = await server.owner.register({ fetch_event_types: ['realm'] });
  return Object.fromEntries(names.map((name) => [name, state[`realm_${name}`]]));
};
const change = (params: Params, by: Person = server.owner) => by.patch('/realm', params);
const refused = (code: string, extra: object = {}) => ({ status: 400, body: { result: 'error', code, ...extra } });

describe('PATCH /realm', () => {
  it.each<[params: Params, changed: object]>([
    [{ name: 'Forest' }, { name: 'Forest' }],
    [{ name: '"  Quoted  "' }, { name: 'Quoted' }],
    [{ description: 'Many\n\ntrees.' }, { description: 'Many\n\ntrees.', rendered_description: '<p>Many trees.</p>' }],
    [{ description: 'Trees.' }, { description: 'Trees.', rendered_description: '<p>Trees.</p>' }],
    [{ allow_message_editing: false }, { allow_message_editing: false }],
    [{ message_content_edit_limit_seconds: 120 }, { message_content_edit_limit_seconds: 120 }],
    [{ message_content_edit_limit_seconds: 'unlimited' }, { message_content_edit_limit_seconds: null }],
    [{ message_content_edit_limit_seconds: 60 }, { message_content_edit_limit_seconds: 60 }],
    [{ message_content_edit_limit_seconds: '"unlimited"' }, { message_content_edit_limit_seconds: null }],
    [{ require_unique_names: true }, { require_unique_names: true }],
    [{ enable_spectator_access: true }, { enable_spectator_access: true }],
    [{ topics_policy: 'disable_empty_topic' }, { topics_policy: 'disable_empty_topic', mandatory_topics: true }],
    [{ topics_policy: '"allow_empty_topic"' }, { topics_policy: 'allow_empty_topic', mandatory_topics: false }],
    [
      { message_edit_history_visibility_policy: 'none' },
      { message_edit_history_visibility_policy: 'none', allow_edit_history: false },
    ],
    [{ enable_guest_user_indicator: false }, { enable_guest_user_indicator: false }],
    [{ enable_guest_user_dm_warning: false }, { enable_guest_user_dm_warning: false }],
    [{ enable_read_receipts: false }, { enable_read_receipts: false }],
    [{ enable_read_receipts: true }, { enable_read_receipts: true }],
    [{ presence_disabled: true }, { presence_disabled: true }],
    [{ presence_disabled: false }, { presence_disabled: false }],
    [{ gif_rating_policy: 0 }, { gif_rating_policy: 0 }],
    [{ org_type: 1000 }, { org_type: 1000 }],
    [{ media_preview_size: 150 }, { media_preview_size: 150 }],
    [{ inline_image_preview: false }, { inline_image_preview: false }],
    [{ inline_image_preview: true }, { inline_image_preview: true }],
  ])('%j is answered and sent at once', async (params, changed) => {
    const events = await administrator.receive(async () => {
      const { status, body } = await change(params, administrator);
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
      expect(await settings(Object.keys(changed))()).toEqual(changed);
    }, 'realm');
    expect(events).toEqual([
      { id: expect.any(Number) as number, type: 'realm', op: 'update_dict', property: 'default', data: changed },
    ]);
  });

  it('sends no event when nothing changes', async () => {
    await change({ name: 'Meadow', allow_message_editing: true });
    const again = () => change({ name: ' Meadow ', allow_message_editing: true });
    expect(await administrator.receive(again, 'realm')).toEqual([]);
    expect(await administrator.receive(() => change({}), 'realm')).toEqual([]);
  });

  it('changes several settings in one event', async () => {
    const act = () => change({ waiting_period_threshold: 1, name: 'Two at once' });
    const events = await administrator.receive(act, 'realm');
    expect(events.map(({ data }) => data)).toEqual([{ waiting_period_threshold: 1, name: 'Two at once' }]);
    await change({ waiting_period_threshold: 0 });
  });

  it('is for administrators', async () => {
    for (const role of ['moderator', 'member', 'guest'] as const) {
      const person = await server.person({ role });
      expect(await change({ name: 'Mine' }, person)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    }
  });

  it.each<[Params, back: Params]>([
    [{ waiting_period_threshold: 3 }, { waiting_period_threshold: 0 }],
    [{ disallow_disposable_email_addresses: false }, { disallow_disposable_email_addresses: true }],
    [{ invite_required: false }, { invite_required: true }],
  ])('%j is for owners, and is answered and sent at once', async (params, back) => {
    expect(await change(params, administrator)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    expect(await settings(Object.keys(params))()).toEqual(back);
    for (const request of [params, back]) {
      const events = await administrator.receive(async () => granted(await change(request)), 'realm');
      expect(events).toMatchObject([{ op: 'update_dict', property: 'default', data: request }]);
      expect(await settings(Object.keys(request))()).toEqual(request);
    }
  });

  it.each(['can_create_groups', 'can_manage_all_groups', 'can_manage_billing_group', 'workplace_users_group'])(
    'lets only owners change %s',
    async (name) => {
      const request = { [name]: { new: groups['administrators'] } };
      expect(await change(request, administrator)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
      const before = await settings([name])();
      granted(await change(request));
      expect(await settings([name])()).toEqual({ [name]: groups['administrators'] });
      granted(await change({ [name]: { new: before[name] } }));
    },
  );

  it('accepts the languages of clients', async () => {
    const events = await administrator.receive(
      async () => granted(await change({ default_language: 'pt-br' })),
      'realm',
    );
    expect(events).toMatchObject([{ data: { default_language: 'pt-br' } }]);
    expect(await settings(['default_language'])()).toEqual({ default_language: 'pt-br' });
    const { user_settings: own } = await (await server.person()).register({ fetch_event_types: ['user_settings'] });
    expect(own).toMatchObject({ default_language: 'pt-br' });
    expect(
      granted(await change({ default_language: '"en"', video_chat_provider: 0, default_avatar_source: 'G' })),
    ).not.toHaveProperty('ignored_parameters_unsupported');
  });

  it('keeps messages forever, and reports that it deletes none', async () => {
    for (const message_retention_days of ['unlimited', '"unlimited"', -1]) {
      expect(granted(await change({ message_retention_days }))).toEqual({ result: 'success', msg: '' });
    }
    expect(await change({ message_retention_days: 30 })).toMatchObject({
      body: { msg: expect.stringContaining('does not delete old messages') as string },
    });
    expect(await change({ message_retention_days: 'unlimited' }, administrator)).toMatchObject(
      refused('UNAUTHORIZED_PRINCIPAL'),
    );
  });

  it('reports unsupported settings as ignored parameters', async () => {
    const { body } = await change({ name: 'Ignoring', nonsense: 1 });
    expect(body).toMatchObject({ ignored_parameters_unsupported: ['nonsense'] });
  });

  it.each<[Params]>([
    [{ name: '' }],
    [{ name: '   ' }],
    [{ name: 'x'.repeat(41) }],
    [{ name: 'Two\nlines' }],
    [{ name: 'A\u0007bell' }],
    [{ name: 'A\ufdd0 non-character' }],
    [{ description: 'x'.repeat(1001) }],
    [{ allow_message_editing: 'yes' }],
    [{ allow_message_editing: 1 }],
    [{ message_content_edit_limit_seconds: 0 }],
    [{ message_content_edit_limit_seconds: -5 }],
    [{ message_content_edit_limit_seconds: 1.5 }],
    [{ message_content_edit_limit_seconds: 2 ** 31 }],
    [{ message_content_edit_limit_seconds: 'never' }],
    [{ waiting_period_threshold: -1 }],
    [{ waiting_period_threshold: '9999999999999' }],
    [{ default_language: 'tlh' }],
    [{ video_chat_provider: 2 }],
    [{ jitsi_server_url: 'meet' }],
    [{ jitsi_server_url: 'ftp://meet.example.com' }],
    [{ jitsi_server_url: 'javascript:alert(1)' }],
    [{ jitsi_server_url: `https://meet.example.com/${'x'.repeat(200)}` }],
    [{ digest_weekday: 7 }],
    [{ default_avatar_source: 'U' }],
    [{ string_id: 'other' }],
    [{ message_retention_days: 30 }],
    [{ message_retention_days: 0 }],
    [{ message_retention_days: 'for ever' }],
    [{ gif_rating_policy: 6 }],
    [{ org_type: 15 }],
    [{ media_preview_size: 24 }],
    [{ media_preview_size: 201 }],
    [{ enable_guest_user_indicator: 'no' }],
    [{ topics_policy: 'inherit' }],
    [{ topics_policy: 'empty_topic_only' }],
    [{ message_edit_history_visibility_policy: 'some' }],
    [{ new_stream_announcements_stream_id: 999 }],
    [{ new_stream_announcements_stream_id: 0 }],
    [{ new_stream_announcements_stream_id: -2 }],
    [{ can_create_bots_group: 'members' }],
    [{ can_create_bots_group: 1 }],
    [{ can_create_bots_group: { new: 1.5 } }],
    [{ can_create_bots_group: { old: 1 } }],
    [{ can_create_bots_group: { new: 1, extra: 1 } }],
    [{ can_create_bots_group: { new: { direct_members: [] } } }],
  ])('refuses %j, and changes nothing else either', async (params) => {
    const before = await settings(['require_unique_names', 'name'])();
    const attempt = () => change({ require_unique_names: false, ...params });
    expect(await attempt()).toMatchObject(refused('BAD_REQUEST'));
    expect(await settings(['require_unique_names', 'name'])()).toEqual(before);
  });

  it('posts announcements of new channels in the chosen channel, until it is unset', async () => {
    const channel: ChannelId = await server.channel(server.owner);
    const name = 'new_stream_announcements_stream_id';
    expect(await settings([name])()).toEqual({ [name]: -1 });
    await change({ [name]: channel });
    expect(await settings([name])()).toEqual({ [name]: channel });
    const events = await administrator.receive(() => change({ [name]: -1 }), 'realm');
    expect(events).toMatchObject([{ data: { [name]: -1 } }]);
    expect(await settings([name])()).toEqual({ [name]: -1 });
  });

  it.each([
    'new_stream_announcements_stream_id',
    'moderation_request_channel_id',
    'signup_announcements_stream_id',
    'zulip_update_announcements_stream_id',
  ])('allows only active channels for %s', async (name) => {
    const channel = await server.channel(server.owner);
    granted(await change({ [name]: channel }));
    granted(await server.owner.delete(`/streams/${channel}`));
    expect(await settings([name])()).toEqual({ [name]: -1 });
    expect(await change({ [name]: channel, name: 'Archive' })).toMatchObject(refused('BAD_REQUEST'));
    expect(await settings([name, 'name'])()).not.toMatchObject({ name: 'Archive' });
    granted(await server.owner.patch(`/streams/${channel}`, { is_archived: false }));
    granted(await change({ [name]: channel }));
    expect(await settings([name])()).toEqual({ [name]: channel });
    granted(await change({ [name]: -1 }));
  });
});

describe('PATCH /realm with a group setting', () => {
  const name = 'can_create_bots_group';
  const current = settings([name]);
  const set = (input: unknown, old?: unknown) =>
    change({ [name]: old === undefined ? { new: input } : { new: input, old } });
  beforeEach(() => set(groups['members']));

  it('accepts a group, and users with groups in normal form', async () => {
    await set(groups['moderators']);
    expect(await current()).toEqual({ [name]: groups['moderators'] });
    const [first, second] = [await server.person(), await server.person()];
    const value = { direct_members: [second.id, first.id, second.id], direct_subgroups: [groups['owners']] };
    const events = await administrator.receive(() => set(value), 'realm');
    const normal = { direct_members: [first.id, second.id], direct_subgroups: [groups['owners']] };
    expect(events).toMatchObject([{ data: { [name]: normal } }]);
    expect(await current()).toEqual({ [name]: normal });
    await set({ direct_members: [], direct_subgroups: [groups['owners']] });
    expect(await current()).toEqual({ [name]: groups['owners'] });
    await set({ direct_members: [], direct_subgroups: [] });
    expect(await current()).toEqual({ [name]: groups['nobody'] });
  });

  it('requires the given old value to be right', async () => {
    expect(await set(groups['owners'], groups['moderators'])).toMatchObject(refused('EXPECTATION_MISMATCH'));
    expect(await current()).toEqual({ [name]: groups['members'] });
    const old = { direct_members: [], direct_subgroups: [groups['members']] };
    expect(await set(groups['owners'], old)).toMatchObject({ status: 200 });
    expect(await set(groups['members'], null)).toMatchObject({ status: 200 });
    expect(await current()).toEqual({ [name]: groups['members'] });
  });

  it('refuses groups that this setting does not allow', async () => {
    for (const group of ['everyone', 'internet']) {
      expect(await set(groups[group])).toMatchObject(refused('BAD_REQUEST'));
    }
    expect(await change({ can_mention_many_users_group: { new: groups['everyone'] } })).toMatchObject({ status: 200 });
  });

  it('requires a system group where nothing else is allowed', async () => {
    const webPublic = 'can_create_web_public_channel_group';
    const value = { direct_members: [server.owner.id], direct_subgroups: [] };
    expect(await change({ [webPublic]: { new: value } })).toMatchObject(
      refused('SYSTEM_GROUP_REQUIRED', { setting_name: webPublic }),
    );
    expect(await change({ [webPublic]: { new: groups['members'] } })).toMatchObject(refused('BAD_REQUEST'));
    expect(await change({ [webPublic]: { new: groups['moderators'] } })).toMatchObject({ status: 200 });
  });

  it('refuses unknown groups and users', async () => {
    const deactivated = await server.person();
    await server.owner.delete(`/users/${deactivated.id}`);
    const { cross_realm_bots } = await server.owner.register({ fetch_event_types: ['realm_user'] });
    const system = (cross_realm_bots as { user_id: number }[]).map(({ user_id }) => user_id);
    for (const members of [[deactivated.id], [99_999], [0], [-1], system]) {
      expect(await set({ direct_members: members, direct_subgroups: [] })).toMatchObject(refused('BAD_REQUEST'));
    }
    expect(await set(99_999)).toMatchObject(refused('BAD_REQUEST'));
    expect(await set({ direct_members: [], direct_subgroups: [99_999, groups['owners']] })).toMatchObject(
      refused('BAD_REQUEST'),
    );
    expect(await current()).toEqual({ [name]: groups['members'] });
  });

  it('hides deactivated users', async () => {
    const [stays, goes] = [await server.person(), await server.person()];
    await set({ direct_members: [stays.id, goes.id], direct_subgroups: [] });
    await server.owner.delete(`/users/${goes.id}`);
    expect(await current()).toEqual({ [name]: { direct_members: [stays.id], direct_subgroups: [] } });
  });
});
