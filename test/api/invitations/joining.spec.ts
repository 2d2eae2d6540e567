import { AuthenticationMethodsChosen } from '@annals/realm';
import { DAY_MS, fact } from '@annals/kernel/domain';
import { createLink, invitationFor, invitationsOf, invite } from '../../support/invitations/invitations';
import { outboxOf } from '../../support/mail/outbox';
import { read } from '../../support/requests/notices';
import { Browser } from '../../support/server/browser';
import type { Shown } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { bySystem } from '../../support/server/system';
import { startTestServer } from '../../support/server/server';

const PASSWORD = 'a long enough password';

let server: TestServer;
let owner: Person;
let member: Person;
beforeAll(async () => {
  server = await startTestServer({ env: { ANNALS_WELCOME_BOT: 'on' } });
  owner = server.owner;
  member = await server.person({ name: 'Mia Member' });
});
afterAll(() => server.close());

const someone = () => `newcomer${server.next()}@example.com`;
const browser = () => new Browser(server.url);
/** The path of the only link in the newest mail to an address. */
async function linkTo(email: string): Promise<string> {
  const mail = (await outboxOf(server)).findLast(({ to }) => to.includes(email));
  const link = mail?.links.find((one) => /\/(join|accounts\/do_confirm)\//.test(one));
  if (link === undefined) throw new Error(`${email} got no link`);
  return new URL(link).pathname;
}
const fillIn = (page: Shown, by: Browser, full_name: string) => by.submit(page, { full_name, password: PASSWORD });
async function loggedIn(email: string): Promise<Person> {
  const { api_key: key } = granted(
    await server.anonymous.post<{ api_key: string }>('/fetch_api_key', { username: email, password: PASSWORD }),
  );
  return server.as({ email, key }) as Person;
}
interface Me {
  readonly user_id: number;
  readonly full_name: string;
  readonly role: number;
  readonly date_joined: string;
}
const me = async (by: Person) => granted(await by.get<Me & Record<string, unknown>>('/users/me'));

describe('somebody who is invited by mail', () => {
  it('joins with everything that was offered, and is logged in', async () => {
    const email = someone();
    const channel = await server.channel(owner, { name: 'crew', subscribers: [owner] });
    const gone = await server.channel(owner, { name: 'gone', subscribers: [owner] });
    const { group_id: group } = granted(
      await owner.post<{ group_id: number }>('/user_groups/create', { name: 'crew', description: '', members: [] }),
    );
    const more = { stream_ids: [channel, gone], group_ids: [group], invite_as: 600 };
    granted(
      await invite(owner, `Nora Newcomer <${email}>`, { ...more, welcome_message_custom_text: 'Hello **you**.' }),
    );
    granted(await owner.delete(`/streams/${gone}`));
    const nora = browser();
    const page = await nora.open(await linkTo(email));
    expect(page.status).toBe(200);
    expect(page.text).toContain(email);
    expect(page.text).toContain('value="Nora Newcomer"');
    const welcome = await fillIn(page, nora, 'Nora Newcomer');
    expect([welcome.status, welcome.path]).toEqual([200, '/welcome']);
    expect(welcome.text).toContain(server.url);
    const account = await loggedIn(email);
    expect(await me(account)).toMatchObject({ full_name: 'Nora Newcomer', role: 600 });
    const { subscriptions } = granted(
      await account.get<{ subscriptions: { name: string }[] }>('/users/me/subscriptions'),
    );
    expect(subscriptions.map(({ name }) => name)).toEqual(['crew']);
    const { user_id } = await me(account);
    const { is_user_group_member: isIn } = granted(
      await owner.get<{ is_user_group_member: boolean }>(`/user_groups/${group}/members/${user_id}`),
    );
    expect(isIn).toBe(true);
    await server.botsReacted();
    const messages = await read(account, [{ operator: 'is', operand: 'dm' }]);
    expect(messages.map(({ content }) => content).join()).toContain('Hello **you**.');
  });

  it('makes their inviter glad, unless they did not want to know', async () => {
    const [ann, bob] = [someone(), someone()];
    granted(await invite(member, ann));
    granted(await invite(member, bob, { notify_referrer_on_join: false }));
    for (const email of [ann, bob]) {
      const one = browser();
      expect((await fillIn(await one.open(await linkTo(email)), one, `Guest ${server.next()}`)).path).toBe('/welcome');
    }
    const notices = await read(member, [{ operator: 'is', operand: 'dm' }]);
    expect(notices.filter(({ content }) => content.includes('accepted your invitation'))).toHaveLength(1);
    expect((await invitationsOf(member)).map(({ email }) => email)).not.toContain(ann);
  });

  it('is reminded two days before the end, and gets the mail again on request', async () => {
    const email = someone();
    granted(await invite(member, email, { invite_expires_in_minutes: 5 * 24 * 60 }));
    const { id } = await invitationFor(member, email);
    const subjects = async () =>
      (await outboxOf(server)).filter(({ to }) => to.includes(email)).map(({ subject }) => subject);
    expect(await subjects()).toEqual(['Mia Member invites you to Annals']);
    granted(await member.post(`/invites/${id}/resend`));
    expect(await subjects()).toHaveLength(2);
    server.clock.advance(3 * DAY_MS);
    expect((await subjects())[2]).toBe('The invitation of Mia Member to Annals ends soon');
    expect(await linkTo(email)).toMatch(/^\/join\//);
  });

  it('sees what is wrong, keeps what they entered, and may try again', async () => {
    const email = someone();
    granted(await invite(member, email));
    const one = browser();
    const page = await one.open(await linkTo(email));
    const weak = await one.submit(page, { full_name: 'Wanda <b>Weak</b>', password: 'secret' });
    expect(weak.status).toBe(400);
    expect(weak.text).toContain('&lt;b&gt;');
    const nameless = await one.submit(weak, { full_name: ' ', password: PASSWORD });
    expect(nameless.text).toContain('Name too short!');
    expect((await fillIn(nameless, one, 'Wanda Strong')).path).toBe('/welcome');
  });
});

describe('somebody with a link', () => {
  it('proves an address first, and then joins; the link remains', async () => {
    const { invite_link } = granted(await createLink(owner, { include_realm_default_subscriptions: true }));
    for (const email of [someone(), someone()]) {
      const one = browser();
      const asked = await one.fill(new URL(invite_link).pathname, { email });
      expect(asked.text).toContain(email);
      const page = await one.open(await linkTo(email));
      expect((await fillIn(page, one, `Linked ${server.next()}`)).path).toBe('/welcome');
      expect((await me(await loggedIn(email))).role).toBe(400);
    }
    expect((await invitationsOf(owner)).map(({ link_url }) => link_url)).toContain(invite_link);
  });

  it('gets a mail by a new link, however many came by links that have ended', async () => {
    const email = someone();
    const ask = async (more = {}) => {
      const { invite_link } = granted(await createLink(owner, more));
      for (let n = 0; n < 4; n += 1) await browser().fill(new URL(invite_link).pathname, { email });
      return (await invitationsOf(owner)).find(({ link_url }) => link_url === invite_link)?.id;
    };
    const mails = async () => (await outboxOf(server)).filter(({ to }) => to.includes(email)).length;
    const revoked = await ask();
    expect(await mails()).toBe(3);
    granted(await owner.delete(`/invites/multiuse/${revoked}`));
    await ask({ invite_expires_in_minutes: 5 });
    expect(await mails()).toBe(6);
    server.clock.advance(6 * 60_000);
    await ask();
    expect(await mails()).toBe(9);
  });
});

describe('where everybody may join', () => {
  beforeAll(async () => {
    granted(await owner.patch('/realm', { invite_required: false, send_welcome_emails: true }));
  });
  afterAll(async () => void granted(await owner.patch('/realm', { invite_required: true })));

  it('somebody joins with an address of their own, is announced, and gets a mail', async () => {
    const channel = await server.channel(owner, { name: 'news', subscribers: [owner] });
    granted(await owner.patch('/realm', { signup_announcements_stream_id: channel }));
    const email = someone();
    const one = browser();
    await one.fill('/register', { email });
    expect((await fillIn(await one.open(await linkTo(email)), one, 'Olga Open')).path).toBe('/welcome');
    const announced = await read(owner, [{ operator: 'channel', operand: channel }]);
    expect(announced.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^@_\*\*Olga Open\|\d+\*\* joined this/),
    ]);
    const mails = (await outboxOf(server)).filter(({ to }) => to.includes(email)).map(({ subject }) => subject);
    expect(mails).toEqual(['Join Annals', 'Welcome to Annals']);
  });

  it('only addresses of its domains', async () => {
    granted(await owner.post('/realm/domains', { domain: 'ours.example', allow_subdomains: true }));
    granted(await owner.patch('/realm', { emails_restricted_to_domains: true }));
    const refused = async (email: string, language: string) => {
      const one = browser();
      const headers = { 'accept-language': language };
      const { status, words } = await one.submit(await one.open('/register'), { email }, undefined, { headers });
      return `${status} ${words}`;
    };
    expect(await refused('x@theirs.example', 'en')).toMatch(/^400 .*does not allow addresses of this domain/);
    expect((await browser().fill('/register', { email: 'x@deep.ours.example' })).status).toBe(200);
    granted(await owner.patch('/realm', { emails_restricted_to_domains: false }));
    expect(await refused('x@mailinator.com', 'de')).toMatch(/^400 .*Wegwerf-Adressen sind/);
    expect(await refused('not an address', 'my')).toMatch(/^400 .*အီးမေးလ်လိပ်စာ မမှန်ပါ/);
  });
});

describe('an organization that requires invitations', () => {
  it('says so', async () => {
    const page = await browser().open('/register');
    expect([page.status, page.forms]).toEqual([403, []]);
  });
});

describe('an organization without passwords', () => {
  /** This server has no other way to log in, so no request could turn passwords off. */
  const passwords = (Email: boolean) =>
    bySystem(server.kernel, (work) =>
      work.append('authentication-methods', [
        fact(AuthenticationMethodsChosen, { changed: { Email }, offered: { Email } }),
      ]),
    );

  it('offers no form for one, and takes none', async () => {
    const email = someone();
    granted(await invite(member, email));
    const one = browser();
    const path = await linkTo(email);
    const page = await one.open(path);
    await passwords(false);
    expect((await one.open(path)).forms).toEqual([]);
    expect((await fillIn(page, one, 'Pat Password')).status).toBe(400);
    await passwords(true);
    expect((await fillIn(page, one, 'Pat Password')).path).toBe('/welcome');
  });
});

describe('somebody whose account is deactivated', () => {
  it('gets a mail if the administrator says so, with their words', async () => {
    const [one, other, quiet] = [await server.person(), await server.person(), await server.person()];
    const comment = 'Thank you & <b>good bye</b>!';
    granted(await one.patch('/settings', { default_language: 'de' }));
    granted(await owner.delete(`/users/${one.id}`, { deactivation_notification_comment: comment }));
    granted(await owner.delete(`/users/${other.id}`, { deactivation_notification_comment: '' }));
    granted(await owner.delete(`/users/${quiet.id}`));
    const mails = await outboxOf(server);
    const mailTo = ({ email }: Person) => mails.findLast(({ to }) => to.includes(email));
    expect(mailTo(one)?.text).toContain(comment);
    expect(mailTo(one)?.header('content-language')).toBe('de');
    expect(mailTo(one)?.subject).toBe('Ihr Konto bei Annals wurde deaktiviert');
    expect(mailTo(one)?.html).toContain('&lt;b&gt;good bye');
    expect(mailTo(other)?.subject).toBe('Your account at Annals was deactivated');
    expect(mailTo(quiet)).toBeUndefined();
  });
});
