import { laterMailsTo, unsubscribePath } from '../../support/mail/missed';
import { idOf, send, sendDirect } from '../../support/requests/messages';
import { Browser } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let [ann, bob]: Person[] = [];
beforeAll(async () => (server = await startTestServer()));
beforeEach(async () => {
  [ann, bob] = [await server.person({ name: 'Ann Example' }), await server.person({ name: 'Bob Example' })];
});
afterAll(() => server.close());

const anns = () => ann as Person;
const bobs = () => bob as Person;
const direct = () => idOf(sendDirect(anns(), [bobs().id]));
/** The path of the link in a mail to Bob. */
async function link(): Promise<string> {
  await direct();
  return unsubscribePath((await laterMailsTo(server, bobs())).at(-1));
}
const settings = async () => {
  const registered = await bobs().register({ event_types: [], fetch_event_types: ['user_settings'] });
  return registered['user_settings'] as Readonly<Record<string, unknown>>;
};
/** As a mail program sends it, without cookies and without having loaded the page. */
const oneClick = (path: string) =>
  fetch(new URL(path, server.url), {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    headers: { origin: 'https://mail.example.org' },
  });

describe('the link of a mail that ends such mails', () => {
  it('opens a page that only asks, since programs that check mails follow links', async () => {
    const path = await link();
    const page = await new Browser(server.url).open(path);
    expect([page.status, page.words]).toEqual([
      200,
      expect.stringContaining('Do you want no more mails about missed messages?'),
    ]);
    expect(await settings()).toMatchObject({ enable_offline_email_notifications: true });
    await direct();
    expect(await laterMailsTo(server, bobs())).toHaveLength(2);
  });

  it('ends them with the button of the page, by an event of the user that clients receive', async () => {
    const path = await link();
    const events = await bobs().receive(async () => {
      const done = await new Browser(server.url).fill(path, {});
      expect(done.words).toContain('You receive no more of these mails.');
    }, 'user_settings');
    expect(events.map(({ property, value }) => [property, value])).toContainEqual([
      'enable_offline_email_notifications',
      false,
    ]);
    await direct();
    expect(await laterMailsTo(server, bobs())).toHaveLength(1);
  });

  it('ends them in one step for mail programs, and again without an error', async () => {
    const path = await link();
    expect((await oneClick(path)).status).toBe(200);
    expect((await oneClick(path.toUpperCase().replace('/UNSUBSCRIBE/', '/unsubscribe/'))).status).toBe(200);
    expect(await settings()).toMatchObject({
      enable_offline_email_notifications: false,
      enable_followed_topic_email_notifications: false,
      enable_digest_emails: true,
      enable_login_emails: true,
    });
  });

  it('ends them for programs that send the form in parts, or no form', async () => {
    const path = await link();
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    for (const body of [form, undefined]) {
      granted(await bobs().patch('/settings', { enable_offline_email_notifications: true }));
      const answer = await fetch(new URL(path, server.url), { method: 'POST', ...(body && { body }) });
      expect(answer.status).toBe(200);
      expect(await settings()).toMatchObject({ enable_offline_email_notifications: false });
    }
  });

  it('ends mails about channels that the user chose too', async () => {
    const to = await server.channel(anns(), { subscribers: [anns(), bobs()] });
    granted(
      await bobs().post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: to, property: 'email_notifications', value: true }],
      }),
    );
    await idOf(send(anns(), { to }));
    const path = unsubscribePath((await laterMailsTo(server, bobs())).at(-1));
    expect((await oneClick(path)).status).toBe(200);
    await idOf(send(anns(), { to }));
    expect(await laterMailsTo(server, bobs())).toHaveLength(1);
  });

  it('is refused if it was changed in any way', async () => {
    const path = await link();
    const token = path.slice('/unsubscribe/'.length);
    const changed = [
      token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a'),
      token.replace('um', 'ud'),
      token.replace(/^um[0-9a-z]+/, `um${anns().id.toString(36)}`),
      token.split('.')[0] ?? '',
      `${token}.${token}`,
      'x'.repeat(100),
      '%00',
    ];
    for (const wrong of changed) {
      for (const answer of [
        await oneClick(`/unsubscribe/${wrong}`),
        await fetch(`${server.url}/unsubscribe/${wrong}`),
      ]) {
        expect([wrong, Math.floor(answer.status / 100)]).toEqual([wrong, 4]);
      }
    }
    expect(await settings()).toMatchObject({ enable_offline_email_notifications: true });
  });

  it('ends nothing for a deactivated account', async () => {
    const path = await link();
    granted(await server.owner.delete(`/users/${bobs().id}`));
    expect((await oneClick(path)).status).toBe(404);
  });
});
