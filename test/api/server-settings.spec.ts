import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

let server: TestServer;
beforeAll(async () => (server = await startServer()));
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
  });

  it('tells everything a client must know before it logs in', async () => {
    const { status, body, headers } = await server.stranger.get('/server_settings');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual(expected());
  });

  it('does not care who asks, not even with a stale key', async () => {
    const stale = server.as({ email: 'nobody@example.com', key: 'x'.repeat(32) });
    expect((await stale.get('/server_settings')).body).toEqual(expected());
    const headers = { authorization: 'Bearer nonsense' };
    expect((await server.stranger.get('/server_settings', {}, { headers })).body).toEqual(expected());
  });

  it('sends away the one client that asks for it', async () => {
    const of = async (agent: string) => {
      const headers = { 'user-agent': agent };
      return (await server.stranger.get<{ is_incompatible: boolean }>('/server_settings', {}, { headers })).body;
    };
    expect((await of('ZulipInvalid/1.0')).is_incompatible).toBe(true);
    expect((await of('ZulipMobile/30.0 (Android 14)')).is_incompatible).toBe(false);
  });

  it('shows name and description as they are now, the description as HTML', async () => {
    await server.owner.patch('/realm', { name: 'Annals & Co', description: 'We *write* <b>things</b> down.' });
    const { body } = await server.stranger.get('/server_settings');
    expect(body).toMatchObject({
      realm_name: 'Annals & Co',
      realm_description: '<p>We <em>write</em> &lt;b&gt;things&lt;/b&gt; down.</p>',
    });
  });

  it('reports parameters it does not know', async () => {
    const { body } = await server.stranger.get('/server_settings', { colour: 'red', client: 'x' });
    expect(body).toMatchObject({ ignored_parameters_unsupported: ['colour'] });
  });
});
