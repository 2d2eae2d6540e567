import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let administrator: Person;
beforeAll(async () => {
  server = await startTestServer();
  administrator = await server.person({ role: 'administrator' });
});
afterAll(() => server.close());

const settings = (names: readonly string[]) => async () => {
  const state = await server.owner.register({ fetch_event_types: ['realm'] });
  return Object.fromEntries(names.map((name) => [name, state[`realm_${name}`]]));
};
const change = (params: Params, by: Person = server.owner) => by.patch('/realm', params);
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });

describe('PATCH /realm', () => {
  it('accepts Jitsi as the provider of calls, with an address of its own', async () => {
    const own = { video_chat_provider: 1, jitsi_server_url: 'https://meet.example.com/our' };
    const events = await administrator.receive(async () => granted(await change(own, administrator)), 'realm');
    expect(events).toMatchObject([{ data: own }]);
    const state = await administrator.register({ fetch_event_types: ['realm'] });
    expect(state).toMatchObject({
      realm_jitsi_server_url: own.jitsi_server_url,
      jitsi_server_url: own.jitsi_server_url,
      server_jitsi_server_url: null,
      realm_available_video_chat_providers: { jitsi_meet: { id: 1 } },
    });
    granted(await change({ video_chat_provider: 0, jitsi_server_url: 'default' }));
    expect(await settings(['jitsi_server_url'])()).toEqual({ jitsi_server_url: null });
  });

  it('is where clients show the settings of digests, because this server sends them', async () => {
    const state = await administrator.register({ fetch_event_types: ['realm'] });
    expect(state['settings_send_digest_emails']).toBe(true);
  });

  it.each<[Params, back: Params]>([
    [
      { digest_emails_enabled: true, digest_weekday: 6 },
      { digest_emails_enabled: false, digest_weekday: 1 },
    ],
    [{ send_welcome_emails: false }, { send_welcome_emails: true }],
    [
      { message_content_allowed_in_email_notifications: false },
      { message_content_allowed_in_email_notifications: true },
    ],
    [{ want_advertise_in_communities_directory: true }, { want_advertise_in_communities_directory: false }],
  ])('%j is for administrators', async (params, back) => {
    const moderator = await server.person({ role: 'moderator' });
    expect(await change(params, moderator)).toMatchObject(refused('UNAUTHORIZED_PRINCIPAL'));
    for (const request of [params, back]) {
      granted(await change(request, administrator));
      expect(await settings(Object.keys(request))()).toEqual(request);
    }
  });
});
