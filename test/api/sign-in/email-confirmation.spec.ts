import { ManualClock } from '@annals/kernel/domain';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { grantTo } from '@annals/onboarding';
import { deactivateOrganization, reactivateOrganization } from '@annals/realm';
import { MailedTokens } from '@annals/users';
import { Browser } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import { outboxOf } from '../../support/mail/outbox';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const DAY = 24 * 60 * 60 * 1000;

let server: TestServer;
let person: Person;
let browser: Browser;
let made = 0;
const clock = new ManualClock(Date.UTC(2026, 0, 1) as Instant);
beforeAll(async () => (server = await startTestServer({ clock })));
afterAll(() => server.close());
afterEach(() => jest.restoreAllMocks());
beforeEach(async () => {
  person = await server.person();
  browser = new Browser(server.url);
});

const fresh = () => `another${++made}@example.com`;
const mailsTo = async (email: string) => (await outboxOf(server)).filter(({ to }) => to.includes(email));
const ask = async (email: string) => {
  granted(await person.patch('/settings', { email }));
  const mail = (await mailsTo(email)).at(-1);
  return new URL(mail?.links[0] ?? '').pathname;
};
const emailNow = async () =>
  granted(await server.owner.get<{ user: { delivery_email: string } }>(`/users/${person.id}`)).user.delivery_email;

describe('another email', () => {
  it('is confirmed with the link of a mail to it, and the one before gets a mail too', async () => {
    const email = fresh();
    const link = await ask(email);
    expect(await emailNow()).toBe(person.email);
    const page = await browser.open(link);
    expect(await emailNow()).toBe(person.email);
    expect((await browser.submit(page, {})).title).toContain('Your email address was changed');
    expect(await emailNow()).toBe(email);
    const [notice] = (await mailsTo(person.email)).slice(-1);
    expect(notice?.subject).toBe('Your email address for Annals was changed');
    expect((await browser.submit(page, {})).words).toContain('not valid any more');
    expect((await browser.open(link)).status).toBe(400);
  });

  it('needs the newest link, within a day, and no form of another site', async () => {
    const first = await ask(fresh());
    const second = await ask(fresh());
    expect((await browser.open(first)).status).toBe(400);
    const page = await browser.open(second);
    const headers = { origin: 'https://evil.example.com' };
    expect((await browser.submit(page, {}, second, { headers })).status).toBe(403);
    clock.advance(DAY);
    expect((await browser.submit(page, {})).words).toContain('not valid any more');
    expect(await emailNow()).toBe(person.email);
  });

  it('is refused if another account has it meanwhile, or the organization does not allow it any more', async () => {
    const email = fresh();
    const link = await ask(email);
    granted(await server.owner.patch('/realm', { email_changes_disabled: true }));
    expect((await browser.fill(link, {})).words).toContain('Email address changes are disabled');
    granted(await server.owner.patch('/realm', { email_changes_disabled: false }));
    granted(await server.owner.post('/realm/domains', { domain: 'annals.example', allow_subdomains: false }));
    granted(await server.owner.patch('/realm', { emails_restricted_to_domains: true }));
    expect((await browser.fill(link, {})).status).toBe(400);
    granted(await server.owner.patch('/realm', { emails_restricted_to_domains: false }));
    const account = { email, password: 'as good as any other', full_name: 'Somebody Faster' };
    granted(await server.owner.post('/users', account));
    expect((await browser.fill(link, {})).words).toContain('Email is already in use');
    expect(await emailNow()).toBe(person.email);
  });

  it('is of no use to an account that was deactivated meanwhile', async () => {
    const link = await ask(fresh());
    granted(await server.owner.delete(`/users/${person.id}`));
    expect((await browser.open(link)).status).toBe(400);
  });

  it('is not confirmed by the link to an earlier one, also if it is wanted while the link is used', async () => {
    const page = await browser.open(await ask(fresh()));
    const tokens = server.apis[0]?.app.get(MailedTokens);
    if (!tokens) throw new Error('no api runs');
    const owner = tokens.owner.bind(tokens);
    jest.spyOn(tokens, 'owner').mockImplementationOnce(async (...of) => {
      const found = await owner(...of);
      granted(await person.patch('/settings', { email: fresh() }));
      return found;
    });
    expect((await browser.submit(page, {})).words).toContain('not valid any more');
    expect(await emailNow()).toBe(person.email);
  });

  it('is not confirmed by a mail to an earlier one, also if it is wanted while the mail is written', async () => {
    const [earlier, later] = [fresh(), fresh()];
    const tokens = server.part(MailedTokens);
    const of = tokens.of.bind(tokens);
    jest.spyOn(tokens, 'of').mockImplementationOnce(async (...link) => {
      granted(await person.patch('/settings', { email: later }));
      return of(...link);
    });
    granted(await person.patch('/settings', { email: earlier }));
    const sent = await outboxOf(server);
    expect(sent.filter(({ to }) => to.includes(earlier))).toEqual([]);
    expect(sent.filter(({ to }) => to.includes(later))).not.toEqual([]);
  });

  it('is not confirmed by a link of before a reactivation of the organization', async () => {
    const page = await browser.open(await ask(fresh()));
    await deactivateOrganization(server.kernel, 1 as RealmId);
    await reactivateOrganization(server.kernel, 1 as RealmId);
    expect((await browser.submit(page, {})).words).toContain('not valid any more');
    expect(await emailNow()).toBe(person.email);
  });

  it('needs a link that no other change of the account has ended', async () => {
    const ends = [
      () => person.patch('/settings', { old_password: person.password, new_password: 'another good password' }),
      () => person.post('/users/me/api_key/regenerate'),
      () => server.owner.patch(`/users/${person.id}`, { new_email: fresh() }),
    ];
    await grantTo(server.kernel, 1 as RealmId, server.owner.email, { canChangeUserEmails: true });
    for (const end of ends) {
      person = await server.person();
      const link = await ask(fresh());
      granted(await end());
      expect((await browser.open(link)).status).toBe(400);
    }
  });
});
