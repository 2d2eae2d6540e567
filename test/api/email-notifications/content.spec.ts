import type { ChannelId } from '@annals/kernel/domain';
import { laterMailsTo } from '../../support/mail/missed';
import { withoutDefaultChannels } from '../../support/requests/channels';
import { idOf, send, sendDirect } from '../../support/requests/messages';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const URL = 'https://chat.example.com';

let server: TestServer;
let [ann, bob]: Person[] = [];
let to: ChannelId;
beforeAll(async () => (server = await startTestServer({ env: { ANNALS_URL: URL } })));
beforeEach(async () => {
  [ann, bob] = [await server.person({ name: 'Ann Example' }), await server.person({ name: 'Bob Example' })];
  to = await server.channel(anns(), { name: `team ${server.next()}`, subscribers: [anns(), bobs()] });
});
afterAll(() => server.close());

const anns = () => ann as Person;
const bobs = () => bob as Person;
const direct = (content: string) => idOf(sendDirect(anns(), [bobs().id], { content }));
const mail = async (person = bobs()) => {
  const [first, ...others] = await laterMailsTo(server, person);
  expect(others).toEqual([]);
  if (!first) throw new Error('there is no mail');
  return first;
};

describe('what a mail about missed messages says', () => {
  it('is the messages as plain text and as HTML without pictures, with absolute links', async () => {
    const id = await direct('See **this**: :smile: <b> [there](https://e.org/?a=1&b=2) ![pic](https://e.org/x.png)');
    const { text, html, subject } = await mail();
    expect(subject).toBe('Direct messages with Ann Example');
    expect(text).toMatch(/^Ann Example:\n> See this: .* <b> there/);
    expect(html).toContain('<strong>this</strong>');
    expect(html).toContain('&lt;b&gt;');
    expect(html).toContain('<a href="https://e.org/?a=1&amp;b=2">there</a>');
    expect(html).not.toMatch(/<img|<script|onerror/);
    const people = [anns().id, bobs().id].sort((a, b) => a - b).join(',');
    expect(text).toContain(`${URL}/#narrow/dm/${people}/near/${id}`);
  });

  it('says why the user receives it, and that nobody reads answers without incoming mail', async () => {
    await direct('hello');
    const { text, replyTo, header } = await mail();
    expect(text).toContain('You receive this because somebody wrote to you.');
    expect(text).toContain('Nobody reads answers to this mail. Please answer in Annals.');
    expect(replyTo).toBeNull();
    expect(header('Auto-Submitted')).toBe('auto-generated');
    expect(header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  });

  it('gives the strongest reason, and names the mentioned group', async () => {
    const name = `crew ${bobs().id}`;
    granted(await anns().post('/user_groups/create', { name, description: '', members: [bobs().id] }));
    await idOf(send(anns(), { to, topic: 'x', content: `@*${name}* come` }));
    expect((await mail()).text).toContain(`because the group ${name} was mentioned`);
  });

  it('names up to three people of a conversation', async () => {
    const others: Person[] = [];
    for (const name of ['Cat', 'Dan', 'Eve', 'Fay']) others.push(await server.person({ name }));
    const people = [bobs(), ...others].map(({ id }) => id);
    await idOf(sendDirect(anns(), people, { content: 'hello all' }));
    expect((await mail()).subject).toBe('Direct messages with Ann Example, Cat, Dan and 2 other people');
  });

  it('has no name, conversation or text if the user or the organization wants none', async () => {
    granted(await bobs().patch('/settings', { message_content_in_email_notifications: false }));
    await direct('a secret plan');
    const hidden = await mail();
    expect(hidden.subject).toBe('New messages');
    expect(`${hidden.text}${hidden.html}`).not.toMatch(/secret plan|Ann Example/);
    expect(hidden.text).toContain('You chose not to see messages in mails.');
    granted(await server.owner.patch('/realm', { message_content_allowed_in_email_notifications: false }));
    const cat = await server.person({ name: 'Cat Example' });
    await idOf(sendDirect(anns(), [cat.id], { content: 'another secret plan' }));
    const other = await mail(cat);
    expect(other.text).toContain('Annals does not show messages in mails.');
    expect(other.text).not.toMatch(/secret plan/);
    granted(await server.owner.patch('/realm', { message_content_allowed_in_email_notifications: true }));
  });

  it.each([
    [1, 'Direct messages with Ann Example'],
    [2, 'Direct messages with Ann Example [Annals]'],
    [3, 'Direct messages with Ann Example'],
  ])('names the organization in the subject by choice (%i)', async (policy, subject) => {
    granted(await bobs().patch('/settings', { realm_name_in_email_notifications_policy: policy }));
    await direct('hello');
    expect((await mail()).subject).toBe(subject);
  });

  it('shows at most 30 messages, and says how many there are more', async () => {
    for (let n = 1; n <= 32; n++) await direct(`message ${n}`);
    const { text } = await mail();
    expect(text).toContain('message 30\n');
    expect(text).not.toContain('message 31');
    expect(text).toContain('2 more messages are not shown here.');
  });

  it('does not reveal an inaccessible sender to a guest', async () => {
    await withoutDefaultChannels(server.owner);
    const { user_groups: groups } = granted(
      await server.owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups'),
    );
    const idOfGroup = (name: string) => groups.find((group) => group.name === name)?.id;
    const restrict = async (name: string) =>
      granted(await server.owner.patch('/realm', { can_access_all_users_group: { new: idOfGroup(name) } }));
    const gus = await server.person({ name: 'Gus Guest', role: 'guest' });
    const { stream } = granted(await anns().get<{ stream: { name: string } }>(`/streams/${to}`));
    granted(
      await anns().post('/users/me/subscriptions', {
        subscriptions: [{ name: stream.name }],
        principals: [gus.id],
        send_new_subscription_messages: false,
      }),
    );
    await restrict('role:members');
    const stranger = await server.person({ name: 'Eve Stranger' });
    await idOf(send(stranger, { to, topic: 'x', content: `@**Gus Guest|${gus.id}** hello` }));
    const { text, html } = await mail(gus);
    expect(text).toMatch(/^Unknown user:\n> @Gus Guest hello/);
    expect(`${text}${html}`).not.toMatch(/Eve Stranger/);
    await restrict('role:everyone');
  });
});
