import { granted } from '../../support/server/caller';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
beforeAll(async () => (server = await startTestServer()));
afterAll(() => server.close());

describe('PATCH /realm with authentication_methods', () => {
  const change = (methods: unknown, by = server.owner) => by.patch('/realm', { authentication_methods: methods });

  it('is refused when nobody could log in any more', async () => {
    const { status, body } = await change({ Email: false });
    expect({ status, msg: body.msg }).toEqual({
      status: 400,
      msg: 'At least one authentication method must be enabled.',
    });
  });

  it('is refused for a method that the server does not offer', async () => {
    const { status, body } = await change({ Email: true, SAML: true });
    expect({ status, msg: body.msg }).toEqual({
      status: 400,
      msg: "Invalid authentication method: SAML. Valid methods are: ['Email']",
    });
  });

  it('is refused for administrators, and for other values', async () => {
    const administrator = await server.person({ role: 'administrator' });
    const refused = await change({ Email: true }, administrator);
    expect(refused).toMatchObject({ status: 400, body: { msg: 'Must be an organization owner' } });
    expect((await change({ Email: 'yes' })).status).toBe(400);
    expect((await change(['Email'])).status).toBe(400);
  });

  it('changes nothing when everything is as it was', async () => {
    const events = await server.owner.receive(() => change({ Email: true }), 'realm');
    expect(events).toEqual([]);
  });

  it('is what a client registers with', async () => {
    const state = granted(await server.owner.post('/register', { fetch_event_types: ['realm'] }));
    expect(state).toMatchObject({
      realm_authentication_methods: { Email: { enabled: true, available: true } },
      realm_email_auth_enabled: true,
      realm_password_auth_enabled: true,
    });
  });
});
