import { OpenLinks } from '@annals/invitations';
import { Eraser } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { createLink, invitationFor, invitationsOf, invite } from '../../support/invitations/invitations';
import { latestToken } from '../../support/invitations/tokens';
import { outboxOf } from '../../support/mail/outbox';
import { Browser } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const PASSWORD = 'a long enough password';

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
});
afterAll(() => server.close());

const someone = () => `target${server.next()}@example.com`;
const browser = () => new Browser(server.url);
const fields = () => ({ full_name: `Somebody ${server.next()}`, password: PASSWORD });
async function invited(email: string, more = {}): Promise<string> {
  granted(await invite(owner, email, more));
  return `/join/${await latestToken(server, 'invitation')}`;
}
async function accountsWith(email: string): Promise<number> {
  const { members } = granted(await owner.get<{ members: { delivery_email: string }[] }>('/users'));
  return members.filter(({ delivery_email }) => delivery_email === email).length;
}
const openTo = (everybody: boolean) => owner.patch('/realm', { invite_required: !everybody });

describe('a token', () => {
  it('is of no use when it is guessed, malformed or of another kind, and all answers are the same', async () => {
    await invited(someone());
    const guesses = ['a'.repeat(24), 'A'.repeat(24), 'a'.repeat(23), "a'--", '%00', 'x'.repeat(100), '../../etc'];
    const pages = await Promise.all(guesses.map((guess) => browser().open(`/join/${encodeURIComponent(guess)}`)));
    expect(pages.map(({ status }) => status)).toEqual(guesses.map(() => 404));
    expect(new Set(pages.map(({ title }) => title)).size).toBe(1);
  });

  it('is of no use in another organization', async () => {
    const path = await invited(someone());
    const links = server.apis[0]?.app.get(OpenLinks, { strict: false });
    const token = path.slice('/join/'.length);
    expect(await links?.find(1 as RealmId, token)).toMatchObject({ kind: 'person' });
    await expect(links?.find(2 as RealmId, token)).rejects.toMatchObject({ notFound: true });
  });

  it('of an invitation is used once, also by two browsers at once', async () => {
    const email = someone();
    const path = await invited(email);
    const both = [browser(), browser()] as const;
    const pages = await Promise.all(both.map((one) => one.open(path)));
    const answers = await Promise.all(both.map((one, n) => one.submit(pages[n] as never, fields())));
    expect(answers.map(({ path: at }) => at).filter((at) => at === '/welcome')).toHaveLength(1);
    expect(await accountsWith(email)).toBe(1);
    expect((await browser().open(path)).status).toBe(404);
  });

  it('of two registrations for one address makes one account', async () => {
    granted(await openTo(true));
    const email = someone();
    const tokens: string[] = [];
    for (const spelling of [email, email.toUpperCase()]) {
      await browser().fill('/register', { email: spelling });
      tokens.push(await latestToken(server, 'registration'));
    }
    const both = tokens.map((token) => ({ one: browser(), path: `/accounts/do_confirm/${token}` }));
    const pages = await Promise.all(both.map(({ one, path }) => one.open(path)));
    const answers = await Promise.all(both.map(({ one }, n) => one.submit(pages[n] as never, fields())));
    expect(answers.filter(({ path }) => path === '/welcome')).toHaveLength(1);
    granted(await openTo(false));
  });
});

describe('a page that is open', () => {
  it.each<[string, (email: string) => Promise<void>]>([
    ['the invitation is revoked', async (email) => revoke((await invitationFor(owner, email)).id)],
    ['it expires', async () => server.clock.advance(60_000)],
  ])('is of no use when %s', async (_, happens) => {
    const email = someone();
    const one = browser();
    const page = await one.open(await invited(email, { invite_expires_in_minutes: 1 }));
    await happens(email);
    expect((await one.submit(page, fields())).status).toBe(404);
    expect(await accountsWith(email)).toBe(0);
  });

  const revoke = async (id: number) => void granted(await owner.delete(`/invites/${id}`));

  it('is of no use when the inviter is deactivated, also for the moment of a reactivation', async () => {
    const email = someone();
    const inviter = await server.person();
    granted(await invite(inviter, email));
    const one = browser();
    const page = await one.open(`/join/${await latestToken(server, 'invitation')}`);
    granted(await owner.delete(`/users/${inviter.id}`));
    granted(await owner.post(`/users/${inviter.id}/reactivate`));
    expect((await one.submit(page, fields())).status).toBe(404);
  });

  it('is of no use when its link is revoked before the address is proved, and before somebody joins', async () => {
    const { invite_link } = granted(await createLink(owner));
    const one = browser();
    const start = await one.open(new URL(invite_link).pathname);
    await one.submit(start, { email: someone() });
    const page = await one.open(`/accounts/do_confirm/${await latestToken(server, 'registration')}`);
    expect(page.status).toBe(200);
    const { id } = (await invitationsOf(owner)).find(({ link_url }) => link_url === invite_link) ?? { id: 0 };
    granted(await owner.delete(`/invites/multiuse/${id}`));
    expect((await one.submit(start, { email: someone() })).status).toBe(404);
    expect((await one.submit(page, fields())).status).toBe(404);
  });

  it('is of no use for a form of another site, nor without the cookie of the browser', async () => {
    const path = await invited(someone());
    const one = browser();
    const page = await one.open(path);
    const elsewhere = { headers: { origin: 'https://evil.example.com' } };
    expect((await one.submit(page, fields(), undefined, elsewhere)).status).toBe(403);
    expect((await browser().submit(page, fields())).status).toBe(403);
    expect((await one.submit(page, fields())).path).toBe('/welcome');
  });
});

describe('an inviter who lost rights', () => {
  const role = (who: Person, value: number) => owner.patch(`/users/${who.id}`, { role: value });
  const joins = async (path: string, email: string) => {
    const one = browser();
    const page = await one.open(path);
    if (page.status === 200) await one.submit(page, fields());
    return accountsWith(email);
  };
  const invitedBy = async (who: Person, email: string, more = {}) => {
    granted(await invite(who, email, more));
    return `/join/${await latestToken(server, 'invitation')}`;
  };

  it.each([
    ['administrators', { invite_as: 200 }],
    ['people with a text of their own', { welcome_message_custom_text: 'Hi' }],
  ])('lets in no %s, also on a page that is open, until they have the rights back', async (_, more) => {
    const [inviter, email] = [await server.person({ role: 'administrator' }), someone()];
    const path = await invitedBy(inviter, email, more);
    const one = browser();
    const page = await one.open(path);
    const { id } = await invitationFor(owner, email);
    granted(await role(inviter, 400));
    expect((await one.submit(page, fields())).status).toBe(404);
    for (const who of [owner, inviter]) {
      const msg = 'The user who sent this invitation may no longer give what it offers.';
      expect(await who.post(`/invites/${id}/resend`)).toMatchObject({ status: 400, body: { msg } });
    }
    granted(await role(inviter, 200));
    expect(await joins(path, email)).toBe(1);
  });

  it('lets in nobody by a link, and by an invitation only while members may invite', async () => {
    const [inviter, email] = [await server.person({ role: 'administrator' }), someone()];
    const { invite_link } = granted(await createLink(inviter));
    const path = await invitedBy(inviter, email);
    granted(await role(inviter, 400));
    expect((await browser().open(new URL(invite_link).pathname)).status).toBe(404);
    granted(await role(inviter, 600));
    expect(await joins(path, email)).toBe(0);
    granted(await role(inviter, 400));
    expect(await joins(path, email)).toBe(1);
  });

  it('gives no channel and no group any more to which they may not add people', async () => {
    const [inviter, email] = [await server.person(), someone()];
    const subscribers = [owner, inviter];
    const [lost, kept] = [
      await server.channel(owner, { name: 'lost', invite_only: true, subscribers }),
      await server.channel(owner, { name: 'kept', invite_only: true, subscribers }),
    ];
    const made = await inviter.post<{ group_id: number }>('/user_groups/create', {
      name: 'inviters',
      description: '',
      members: [],
    });
    const group = granted(made).group_id;
    const path = await invitedBy(inviter, email, { stream_ids: [lost, kept], group_ids: [group] });
    granted(await owner.delete('/users/me/subscriptions', { subscriptions: ['lost'], principals: [inviter.id] }));
    const nobody = { direct_members: [], direct_subgroups: [] };
    for (const right of ['can_manage_group', 'can_add_members_group'])
      granted(await owner.patch(`/user_groups/${group}`, { [right]: { new: nobody } }));
    expect(await joins(path, email)).toBe(1);
    const { members } = granted(await owner.get<{ members: { user_id: number; delivery_email: string }[] }>('/users'));
    const id = members.find(({ delivery_email }) => delivery_email === email)?.user_id;
    const isIn = async (channel: number) =>
      granted(await owner.get<{ is_subscribed: boolean }>(`/users/${id}/subscriptions/${channel}`)).is_subscribed;
    expect([await isIn(lost), await isIn(kept)]).toEqual([false, true]);
    const people = granted(await owner.get<{ members: number[] }>(`/user_groups/${group}/members`)).members;
    expect(people).not.toContain(id);
  });
});

describe('the page for joining', () => {
  it('says the same of an address with an account, a deactivated one, and one without', async () => {
    granted(await openTo(true));
    const gone = await server.person();
    granted(await owner.delete(`/users/${gone.id}`));
    const addresses = [someone(), owner.email, gone.email];
    const answers = [];
    for (const email of addresses) {
      const { status, text } = await browser().fill('/register', { email });
      answers.push(`${status} ${text.replaceAll(email, 'ADDRESS')}`);
    }
    expect(new Set(answers).size).toBe(1);
    const mails = await outboxOf(server);
    const subjectTo = (email: string) => mails.findLast(({ to }) => to === email)?.subject;
    expect(addresses.map(subjectTo)).toEqual([
      'Join Annals',
      'You have an account at Annals',
      'You have an account at Annals',
    ]);
    expect(mails.findLast(({ to }) => to === owner.email)?.text).not.toContain('do_confirm');
    granted(await openTo(false));
  });

  it('takes no address that looks like another one, or contains one', async () => {
    granted(await openTo(true));
    const attacks = [
      '\u043ewner@example.com',
      '\u212aate@example.com',
      '"owner@example.com"@evil.example',
      'a@b@example.com',
    ];
    for (const email of attacks) {
      expect([email, (await browser().fill('/register', { email })).status]).toEqual([email, 400]);
      expect((await invite(owner, email)).status).toBe(400);
    }
    granted(await openTo(false));
  });

  it('sends at most three mails to an address in a day, and says nothing of it', async () => {
    granted(await openTo(true));
    const email = someone();
    for (let n = 0; n < 5; n += 1) expect((await browser().fill('/register', { email })).status).toBe(200);
    const mails = (await outboxOf(server)).filter(({ to }) => to === email);
    expect(mails).toHaveLength(3);
    granted(await openTo(false));
  });

  it('takes no more mails from one network than its limit', async () => {
    const limited = await startTestServer({ env: { ANNALS_RATE_LIMITS: 'on' } });
    try {
      granted(await limited.owner.patch('/realm', { invite_required: false }));
      const one = new Browser(limited.url);
      const page = await one.open('/register');
      const answers = await Promise.all(
        Array.from({ length: 65 }, (_, n) => one.submit(page, { email: `flood${n}@example.com` })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    } finally {
      await limited.close();
    }
  });
});

describe('an address', () => {
  it('is erased with its invitation and with its registration', async () => {
    granted(await openTo(true));
    const [revoked, expired, asked] = [someone(), someone(), someone()];
    granted(await invite(owner, revoked));
    granted(await owner.delete(`/invites/${(await invitationFor(owner, revoked)).id}`));
    granted(await invite(owner, expired, { invite_expires_in_minutes: 1 }));
    await browser().fill('/register', { email: asked });
    server.clock.advance(2 * DAY_MS);
    await server.invitationsEnded();
    await server.settled();
    await new Eraser(server.kernel, 0).sweep();
    const { rows } = await server.kernel.database.pool.query(`SELECT sealed FROM events WHERE sealed::text ~ $1`, [
      [revoked, expired, asked].join('|'),
    ]);
    expect(rows).toEqual([]);
    const { rows: secrets } = await server.kernel.database.pool.query(
      `SELECT s.id FROM secrets AS s WHERE s.kind = 'registration' OR s.kind = 'invitation'
        AND NOT EXISTS (SELECT FROM view.invitations AS i WHERE s.id = 'invitation-' || i.invitation_id)`,
    );
    expect(secrets).toEqual([]);
    granted(await openTo(false));
  });
});
