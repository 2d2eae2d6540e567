import { ManualClock } from '@annals/kernel/domain';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { deactivateOrganization, reactivateOrganization } from '@annals/realm';
import { MailedTokens, ResetRequestsSweep } from '@annals/users';
import { Browser } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import { outboxOf } from '../../support/mail/outbox';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const PATH = '/accounts/password/reset';
const NEW = 'a wholly new password';
const DAY = 24 * 60 * 60 * 1000;

let server: TestServer;
let person: Person;
let browser: Browser;
const clock = new ManualClock(Date.UTC(2026, 0, 1) as Instant);
beforeAll(async () => (server = await startTestServer({ clock, apis: 2 })));
afterAll(() => server.close());
beforeEach(async () => {
  person = await server.person();
  browser = new Browser(server.url);
});

const ask = (email: string, by = browser) => by.fill(PATH, { email });
const mailsTo = async (email: string) => (await outboxOf(server)).filter(({ to }) => to.includes(email));
const linkOf = async (email: string) => {
  const mail = (await mailsTo(email)).findLast(({ links }) => links.some((link) => /reset\/./.test(link)));
  const link = mail?.links.find((one) => /reset\/./.test(one)) ?? '';
  return new URL(link).pathname;
};
const logIn = (of: Pick<Person, 'email'>, password: string) =>
  server.anonymous.post('/fetch_api_key', { username: of.email, password });
const choose = (path: string, new_password = NEW, by = browser) => by.fill(path, { new_password });

describe('a forgotten password', () => {
  it('is replaced with the link of a mail, once', async () => {
    expect((await ask(person.email)).title).toMatch(/^Look into your mail/);
    const link = await linkOf(person.email);
    const page = await browser.open(link);
    const done = await browser.submit(page, { new_password: NEW });
    expect([done.path, done.words]).toEqual([
      '/login?news=new-password',
      expect.stringContaining('Your password was changed.'),
    ]);
    expect((await logIn(person, NEW)).status).toBe(200);
    expect((await logIn(person, person.password)).status).toBe(401);
    const again = await browser.submit(page, { new_password: 'one more password' });
    expect([again.status, again.title]).toEqual([400, expect.stringContaining('not valid any more')]);
    expect((await browser.open(link)).status).toBe(400);
    expect((await logIn(person, NEW)).status).toBe(200);
  });

  it('ends all sessions and keys, and its owner is told by mail', async () => {
    const elsewhere = new Browser(server.apis[1]?.url ?? '');
    await elsewhere.fill('/login', { username: person.email, password: person.password });
    await ask(person.email);
    await choose(await linkOf(person.email));
    expect((await elsewhere.open('/account')).path).toBe('/login?next=%2Faccount');
    const [last] = (await mailsTo(person.email)).slice(-1);
    expect(last?.subject).toBe('Your password for Annals was changed');
    expect((await person.get('/users/me')).status).toBe(401);
    expect((await logIn(person, NEW)).status).toBe(200);
  });

  it('is answered alike for addresses of accounts and of nobody', async () => {
    const bot = await server.bot(person);
    const gone = await server.person();
    granted(await server.owner.delete(`/users/${gone.id}`));
    const answers: string[] = [];
    for (const email of [person.email, 'nobody@example.com', bot.email, gone.email, 'no address']) {
      const page = await ask(email);
      answers.push([page.status, page.text.replaceAll(email, '…')].join(' '));
    }
    expect(new Set(answers).size).toBe(1);
    expect(await mailsTo('nobody@example.com')).toEqual([]);
    expect(await mailsTo(bot.email)).toEqual([]);
    expect(await mailsTo(gone.email)).toEqual([]);
  });

  it('is forgotten after a day, with the address that somebody typed', async () => {
    const { pool } = server.kernel.database;
    const typed = async () => (await pool.query('SELECT FROM password_reset_requests')).rowCount;
    await ask('somebody@example.com');
    await server.part(ResetRequestsSweep).sweep();
    expect(await typed()).toBeGreaterThan(0);
    clock.advance(DAY + 1);
    await server.part(ResetRequestsSweep).sweep();
    expect(await typed()).toBe(0);
  });

  it('stores the same for every address before it answers', async () => {
    const counts = async () => {
      const { rows } = await server.kernel.database.pool.query<{ requests: number; tasks: number; events: number }>(
        `SELECT (SELECT count(*) FROM password_reset_requests) AS requests,
          (SELECT count(*) FROM mail_tasks WHERE kind = 'password-reset') AS tasks`,
      );
      return rows[0] ?? { requests: 0, tasks: 0 };
    };
    for (const email of [person.email, 'somebody@example.com']) {
      const before = await counts();
      await ask(email);
      const after = await counts();
      expect([after.requests - before.requests, after.tasks - before.tasks]).toEqual([1, 1]);
    }
  });

  it('needs the newest link, which is valid for a day', async () => {
    await ask(person.email);
    const first = await linkOf(person.email);
    clock.advance(1000);
    await ask(person.email);
    const second = await linkOf(person.email);
    expect(first).not.toBe(second);
    expect((await browser.open(first)).status).toBe(400);
    const page = await browser.open(second);
    clock.advance(DAY);
    expect((await browser.submit(page, { new_password: NEW })).words).toContain('not valid any more');
    expect((await logIn(person, person.password)).status).toBe(200);
  });

  it('is as strong as any other', async () => {
    await ask(person.email);
    const link = await linkOf(person.email);
    expect((await choose(link, 'short')).words).toContain('too weak');
    expect((await choose(link, person.email)).words).toContain('too weak');
    expect((await choose(link)).path).toContain('/login');
  });

  it('cannot be chosen with a guessed link, that of another account, or from another site', async () => {
    await ask(person.email);
    const link = await linkOf(person.email);
    const token = link.split('/').at(-1) ?? '';
    const other = await server.person();
    for (const wrong of [`${other.id}-${token.split('-')[1]}`, token.slice(0, -1), `${token}x`, 'x', `${person.id}-`]) {
      expect((await browser.open(`${PATH}/${wrong}`)).status).toBe(400);
    }
    const page = await browser.open(link);
    const headers = { origin: 'https://evil.example.com' };
    expect((await browser.submit(page, { new_password: NEW }, link, { headers })).status).toBe(403);
    expect((await logIn(person, person.password)).status).toBe(200);
  });

  it('is of no use to an account that was deactivated meanwhile', async () => {
    await ask(person.email);
    const link = await linkOf(person.email);
    granted(await server.owner.delete(`/users/${person.id}`));
    expect((await browser.open(link)).status).toBe(400);
  });

  it('is of no use when a newer one is mailed while it is used', async () => {
    await ask(person.email);
    const page = await browser.open(await linkOf(person.email));
    const tokens = server.apis[0]?.app.get(MailedTokens);
    if (!tokens) throw new Error('no api runs');
    const owner = tokens.owner.bind(tokens);
    const spy = jest.spyOn(tokens, 'owner').mockImplementationOnce(async (...of) => {
      const found = await owner(...of);
      await ask(person.email, new Browser(server.url));
      await linkOf(person.email);
      return found;
    });
    expect((await browser.submit(page, { new_password: NEW })).words).toContain('not valid any more');
    spy.mockRestore();
    expect((await logIn(person, person.password)).status).toBe(200);
  });

  it('is of no use after another password, another key or a deactivation that was undone', async () => {
    const ends = [
      () => person.patch('/settings', { old_password: person.password, new_password: 'another good password' }),
      () => person.post('/users/me/api_key/regenerate'),
      async () => {
        granted(await server.owner.delete(`/users/${person.id}`));
        return server.owner.post(`/users/${person.id}/reactivate`);
      },
    ];
    for (const end of ends) {
      person = await server.person();
      await ask(person.email);
      const link = await linkOf(person.email);
      granted(await end());
      expect((await browser.open(link)).status).toBe(400);
    }
  });

  it('is of no use after a reactivation of the organization', async () => {
    await ask(person.email);
    const page = await browser.open(await linkOf(person.email));
    await deactivateOrganization(server.kernel, 1 as RealmId);
    await reactivateOrganization(server.kernel, 1 as RealmId);
    expect((await browser.submit(page, { new_password: NEW })).words).toContain('not valid any more');
    await ask(person.email);
    expect((await choose(await linkOf(person.email))).path).toContain('/login');
  });

  it('appears in no event', async () => {
    await ask(person.email);
    const token = (await linkOf(person.email)).split('/').at(-1) ?? '';
    const { rows } = await server.kernel.database.pool.query<{ text: string }>(
      `SELECT data::text || coalesce(sealed::text, '') AS text FROM events WHERE type LIKE 'users.Password%'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([]);
    expect(rows.some(({ text }) => text.includes('"address"'))).toBe(true);
  });
});

describe('asking for many mails', () => {
  let limited: TestServer;
  beforeAll(async () => (limited = await startTestServer({ env: { ANNALS_RATE_LIMITS: 'on' } })));
  afterAll(() => limited.close());

  it('is limited for each address, alike for accounts and for nobody', async () => {
    const one = await limited.person();
    for (const email of [one.email, 'nobody@example.com']) {
      const by = new Browser(limited.url);
      for (let n = 0; n < 5; n++) expect((await by.fill(PATH, { email })).status).toBe(200);
      const page = await by.fill(PATH, { email: email.toUpperCase() });
      expect([page.status, page.words]).toEqual([429, expect.stringContaining('Too many attempts')]);
    }
  });

  it('is limited for each address that accounts want to have', async () => {
    const [one, two] = [await limited.person(), await limited.person()];
    const email = 'flooded@example.com';
    for (const by of [one, one, one, two, two]) granted(await by.patch('/settings', { email }));
    for (const by of [one, two]) {
      expect(await by.patch('/settings', { email: email.toUpperCase() })).toMatchObject({
        status: 429,
        body: { code: 'RATE_LIMIT_HIT' },
      });
    }
    for (let n = 0; n < 6; n++) granted(await one.patch('/settings', { email: one.email }));
  });
});
