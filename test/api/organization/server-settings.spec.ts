import { systemGroups } from '../../support/requests/groups';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
beforeAll(async () => (server = await startTestServer()));
afterAll(() => server.close());

describe('GET /server_settings', () => {
  const expected = () => ({
    result: 'success',
    msg: '',
    authentication_methods: {
      password: true,
      dev: false,
      email: true,
      ldap: false,
      remoteuser: false,
      github: false,
      azuread: false,
      gitlab: false,
      google: false,
      apple: false,
      saml: false,
      'openid connect': false,
      discord: false,
    },
    external_authentication_methods: [],
    zulip_version: '12.0',
    zulip_merge_base: '12.0',
    zulip_feature_level: 500,
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: server.url,
    realm_uri: server.url,
    realm_name: 'Annals',
    realm_icon: expect.stringMatching(
      /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=1$/,
    ) as string,
    realm_description: '',
    realm_web_public_access_enabled: false,
    audit_verifier_key: null,
  });

  it('returns everything that a client needs before login', async () => {
    const { status, body, headers } = await server.anonymous.get('/server_settings');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual(expected());
  });

  it('ignores credentials, even a revoked key', async () => {
    const stale = server.as({ email: 'nobody@example.com', key: 'x'.repeat(32) });
    expect((await stale.get('/server_settings')).body).toEqual(expected());
    const headers = { authorization: 'Bearer nonsense' };
    expect((await server.anonymous.get('/server_settings', {}, { headers })).body).toEqual(expected());
  });

  it('refuses the one client that the contract names', async () => {
    const of = async (agent: string) => {
      const headers = { 'user-agent': agent };
      return (await server.anonymous.get<{ is_incompatible: boolean }>('/server_settings', {}, { headers })).body;
    };
    expect((await of('ZulipInvalid/1.0')).is_incompatible).toBe(true);
    expect((await of('ZulipMobile/30.0 (Android 14)')).is_incompatible).toBe(false);
  });

  it('shows name and description as they are now, the description as HTML', async () => {
    await server.owner.patch('/realm', { name: 'Annals & Co', description: 'We *write* <b>things</b> down.' });
    const { body } = await server.anonymous.get('/server_settings');
    expect(body).toMatchObject({
      realm_name: 'Annals & Co',
      realm_description: '<p>We <em>write</em> &lt;b&gt;things&lt;/b&gt; down.</p>',
    });
  });

  it('reports unknown parameters', async () => {
    const { body } = await server.anonymous.get('/server_settings', { colour: 'red', client: 'x' });
    expect(body).toMatchObject({ ignored_parameters_unsupported: ['colour'] });
  });
});

describe('the realm block of POST /register', () => {
  it('has every field that clients need to start', async () => {
    const groups = await systemGroups(server.owner);
    const state = await server.owner.register({ fetch_event_types: ['realm'] });
    expect(state).toMatchObject({
      realm_url: server.url,
      realm_uri: server.url,
      realm_bot_domain: 'annals.invalid',
      realm_message_retention_days: -1,
      realm_empty_topic_display_name: 'general chat',
      realm_enable_read_receipts: true,
      realm_presence_disabled: false,
      realm_wildcard_mention_policy: expect.any(Number) as number,
      realm_can_access_all_users_group: groups['everyone'],
      realm_can_manage_all_groups: groups['owners'],
      realm_workplace_users_group: groups['nobody'],
      max_stream_name_length: 60,
      max_topic_length: 60,
      max_message_length: 10_000,
      max_file_upload_size_mib: 100,
      server_presence_ping_interval_seconds: 60,
      server_presence_offline_threshold_seconds: 200,
      event_queue_longpoll_timeout_seconds: 90,
      server_emoji_data_url: expect.stringContaining(server.url) as string,
      realm_default_external_accounts: expect.any(Object) as object,
    });
  });

  it('names the URL of the emoji data', async () => {
    const { server_emoji_data_url } = await server.owner.register({ fetch_event_types: ['realm'] });
    const answer = await fetch(String(server_emoji_data_url));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ code_to_names: { '2764': ['heart', 'love', 'love_you'] } });
  });

  it('describes every permission setting', async () => {
    const { server_supported_permission_settings: catalogue } = await server.owner.register({
      fetch_event_types: ['realm'],
    });
    expect(catalogue).toMatchObject({
      realm: {
        can_create_bots_group: {
          require_system_group: false,
          allow_internet_group: false,
          allow_nobody_group: true,
          allow_everyone_group: false,
          default_group_name: 'role:members',
          default_for_system_groups: null,
          allowed_system_groups: [],
        },
        can_create_web_public_channel_group: {
          require_system_group: true,
          default_group_name: 'role:owners',
          allowed_system_groups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
        },
      },
      stream: { can_administer_channel_group: { default_group_name: 'channel_creator' } },
      group: { can_manage_group: { default_group_name: 'group_creator', default_for_system_groups: 'role:nobody' } },
    });
  });
});
