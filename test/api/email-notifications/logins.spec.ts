import { unsubscribePath } from '../../support/mail/missed';
import { outboxOf } from '../../support/mail/outbox';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let bob: Person;
beforeAll(async () => (server = await startTestServer({ env: { ANNALS_TRUSTED_PROXIES: '1' } })));
beforeEach(async () => (bob = await server.person({ name: 'Bob Example' })));
afterAll(() => server.close());

const logIn = async (program: string, address = '203.0.113.9') =>
  granted(
    await server.anonymous.post(
      '/fetch_api_key',
      { username: bob.email, password: bob.password },
      { headers: { 'user-agent': program, 'x-forwarded-for': address } },
    ),
  );
const mails = async () => (await outboxOf(server)).filter(({ to }) => to.includes(bob.email));
const PHONE = 'ZulipMobile/27.0 (Android 14)';

describe('a mail about a login', () => {
  it('is sent for a program or a network that the account was not used from before', async () => {
    expect(await mails()).toEqual([]);
    await logIn(PHONE);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('New login to Annals');
    expect(mail?.text).toMatch(
      /Time: Thursday, January 1, 2026[^\n]*UTC\n\* Program: ZulipMobile\n\* Network: 203\.0\.113\.9/,
    );
    await logIn(PHONE);
    expect(await mails()).toHaveLength(1);
    await logIn(PHONE, '198.51.100.7');
    expect(await mails()).toHaveLength(2);
    await logIn('curl/8.0', '198.51.100.7');
    expect(await mails()).toHaveLength(3);
  });

  it('is not sent for keys that are no logins', async () => {
    granted(await bob.post('/users/me/api_key/regenerate'));
    expect(await mails()).toEqual([]);
  });

  it('is in the language and the time zone of the user', async () => {
    granted(await bob.patch('/settings', { timezone: 'Asia/Tokyo' }));
    await logIn(PHONE);
    expect((await mails())[0]?.text).toMatch(/9:00:00 AM (GMT\+9|JST)/);
  });

  it('is not sent to users who want none, which the link in it also says', async () => {
    await logIn(PHONE);
    const path = unsubscribePath((await mails())[0]);
    expect((await fetch(new URL(path, server.url), { method: 'POST' })).status).toBe(200);
    await logIn('curl/8.0');
    expect(await mails()).toHaveLength(1);
    granted(await bob.patch('/settings', { enable_login_emails: true }));
    await logIn('wget/1.0');
    expect(await mails()).toHaveLength(2);
  });
});
