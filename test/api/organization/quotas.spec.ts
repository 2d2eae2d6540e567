import { randomBytes } from 'node:crypto';
import type { RealmId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { measureLog } from '@annals/kernel';
import type { OrganizationLimits } from '@annals/realm';
import { limitOrganization } from '@annals/realm';
import { TwoFactorsBegan } from '@annals/users';
import { createLink, invite } from '../../support/invitations/invitations';
import { latestToken } from '../../support/invitations/tokens';
import { directoryOf, scimError } from '../../support/provisioning/scim-caller';
import { sendParts, uploadFile } from '../../support/requests/uploads';
import { Browser } from '../../support/server/browser';
import type { Shown } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { bySystem } from '../../support/server/system';

const REALM = 1 as RealmId;
const ENV = { ANNALS_RATE_LIMITS: 'on', ANNALS_MAIL_PATTERN: '%s@in.example.com' };
const MIB = 1024 * 1024;
/** A figure of the log is at most so old. */
const FIGURE_MS = 5_000;

/** What is listed with an id, by which it can be ended. */
interface Ended {
  readonly id: number;
}

let server: TestServer;
beforeAll(async () => (server = await startTestServer({ apis: 2, env: ENV })));
afterEach(() => limits({ people: null, storageMib: null, requests: null, logMib: null }));
afterAll(() => server.close());

const limits = (changes: Partial<OrganizationLimits>) => limitOrganization(server.kernel, REALM, changes);
const head = async () => (await server.kernel.events.heads([REALM])).get(REALM);

async function people(): Promise<number> {
  const { members } = granted(await server.owner.get<{ members: { is_bot: boolean; is_active: boolean }[] }>('/users'));
  return members.filter((one) => one.is_active && !one.is_bot).length;
}

const logIn = async ({ email, password }: Person): Promise<Browser> => {
  const browser = new Browser(server.url);
  expect((await browser.fill('/login', { username: email, password }, '/login')).status).toBe(200);
  return browser;
};
const joining = async (email: string) => {
  granted(await invite(server.owner, email));
  return `/join/${await latestToken(server, 'invitation')}`;
};

describe('the limit of people', () => {
  const account = (n: number) => ({ email: `n${n}@example.com`, password: 'a long password', full_name: `N ${n}` });

  it('lets nobody be added beyond it, and somebody when an account ends', async () => {
    const leaver = await server.person();
    await limits({ people: await people() });
    const before = await head();
    const full = {
      status: 400,
      body: { code: 'BAD_REQUEST', msg: `This organization may have ${await people()} people at most.` },
    };
    expect(await server.owner.post('/users', account(1))).toMatchObject(full);
    expect(await head()).toBe(before);
    granted(await server.owner.delete(`/users/${leaver.id}`));
    granted(await server.owner.post('/users', account(2)));
    expect(await server.owner.post(`/users/${leaver.id}/reactivate`)).toMatchObject(full);
    await limits({ people: null });
    granted(await server.owner.post(`/users/${leaver.id}/reactivate`));
  });

  it('does not count bots, and lets those stay who are there', async () => {
    await limits({ people: 1 });
    await server.bot(server.owner);
    granted(await server.owner.get('/users/me'));
    expect((await server.owner.post('/users', account(3))).status).toBe(400);
  });

  it('lets one of two people in who join at once, and no directory another one', async () => {
    const emails = ['first@example.com', 'second@example.com'] as const;
    const browsers = emails.map((_, n) => new Browser(server.apis[n]?.url ?? ''));
    const pages: Shown[] = [];
    for (const [n, email] of emails.entries()) pages.push((await browsers[n]?.open(await joining(email))) as Shown);
    const directory = await directoryOf(server.owner);
    const before = await people();
    await limits({ people: before + 1 });
    const headers = { 'accept-language': 'de' };
    const fields = (n: number) => ({ full_name: `Joiner ${n}`, password: 'a long enough password' });
    const join = (n: number) => browsers[n]?.submit(pages[n] as Shown, fields(n), undefined, { headers });
    const answers = await Promise.all([join(0), join(1)]);
    expect(answers.map((page) => page?.status).sort()).toEqual([200, 400]);
    const full = `Diese Organisation kann keine weiteren Personen aufnehmen. Höchstzahl: ${before + 1}.`;
    expect(answers.find((page) => page?.status === 400)?.words).toContain(full);
    expect(await people()).toBe(before + 1);
    const refused = await directory.post('/Users', { userName: 'third@example.com', displayName: 'Third' });
    expect(refused).toMatchObject({ status: 400, body: scimError(400) });
  });
});

describe('the limit of storage', () => {
  it('is that of uploads, and clients know it', async () => {
    await limits({ storageMib: 1 });
    const file = (bytes: number) => {
      const form = new FormData();
      form.append('file', new Blob([Buffer.alloc(bytes)]), 'zeros.bin');
      return sendParts(server.owner, form);
    };
    expect(await file(MIB + 1)).toMatchObject({ status: 403, body: { code: 'REALM_UPLOAD_QUOTA' } });
    await uploadFile(server.owner, 'small enough');
    const { realm_upload_quota_mib } = await server.owner.register({ fetch_event_types: ['realm'] });
    expect(realm_upload_quota_mib).toBe(1);
  });
});

describe('the limit of requests', () => {
  it('is for accounts, browsers and programs with a token together, and for nobody who has not logged in', async () => {
    const ann = await server.person();
    const browser = await logIn(await server.person());
    const directory = await directoryOf(server.owner);
    await limits({ requests: 5 });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      statuses.push((await ann.get('/users/me')).status, (await browser.open('/account')).status);
      statuses.push((await directory.get('/Users')).status);
      expect((await new Browser(server.url).open('/login')).status).toBe(200);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429]);
    const refused = await ann.get('/users/me');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await limits({ requests: null });
    granted(await ann.get('/users/me'));
  });
});

describe('the limit of the log', () => {
  it('refuses what would be written, and nothing else', async () => {
    const writers = [await server.person(), await server.person()];
    const leaver = await server.person();
    const say = (by: number, content = randomBytes(7_000).toString('base64')) =>
      writers[by]?.post('/messages', { type: 'channel', to: 'general', topic: 'noise', content });
    for (let n = 0; n < 120; n += 1) expect((await say(n % 2))?.status).toBe(200);
    expect(await measureLog(server.kernel.database.pool, REALM)).toBeGreaterThan(MIB);
    await limits({ logMib: 1 });
    server.clock.advance(FIGURE_MS);
    const before = await head();
    const full = { status: 403, body: { result: 'error', code: 'REALM_LOG_QUOTA' } };
    expect(await say(0, 'one more')).toMatchObject(full);
    expect(await server.owner.patch('/realm', { name: 'Other' })).toMatchObject(full);
    expect(await head()).toBe(before);
    granted(await server.owner.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }));
    granted(await server.owner.delete(`/users/${leaver.id}`));
    await limits({ logMib: 100 });
    granted((await say(1, 'room again')) as never);
  });

  it('also refuses what comes from directories, pages and mails, but ends accounts and lets people log in', async () => {
    const [owner, leaver, reader] = [server.owner, await server.person(), await server.person()];
    const channel = await server.channel(owner, { name: 'mailed', subscribers: [owner] });
    const { email } = granted(await owner.get<{ email: string }>(`/streams/${channel}/email_address`));
    const directory = await directoryOf(owner);
    const join = await joining('late@example.com');
    const { invite_link } = granted(await createLink(owner));
    const browser = new Browser(server.url);
    const [personal, common] = [await browser.open(join), await browser.open(new URL(invite_link).pathname)];
    await limits({ logMib: 1 });
    server.clock.advance(FIGURE_MS);
    const before = await head();
    const mail = 'From: ann@example.com\r\nSubject: Hi\r\nMessage-ID: <1@example.com>\r\n\r\nHello.\r\n';
    await expect(server.receiveMail(email, mail)).rejects.toMatchObject({ code: 452 });
    const answers = [
      await directory.post('/Users', { userName: 'new@example.com', displayName: 'New' }),
      await directory.patch(`/Users/${leaver.id}`, [{ op: 'replace', path: 'displayName', value: 'Other' }]),
      await directory.post('/Groups', { displayName: 'Crew' }),
      await browser.submit(personal, { full_name: 'Late', password: 'a long enough password' }),
      await browser.submit(common, { email: 'later@example.com' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(await head()).toBe(before);
    const ended = await directory.patch(`/Users/${leaver.id}`, [{ op: 'replace', path: 'active', value: false }]);
    expect(ended).toMatchObject({ status: 200, body: { active: false } });
    const account = await logIn(reader);
    expect((await account.open('/account')).status).toBe(200);
  });

  it('lets tokens, sessions, keys and two-factor login be ended, as pages do', async () => {
    const [ann, path] = [await server.person(), '/account/two-factors/others'];
    const [browser] = [await logIn(server.owner), await logIn(ann)];
    await bySystem(server.kernel, (work) =>
      work.append(`two-factors-${ann.id}`, [fact(TwoFactorsBegan, { userId: ann.id, recoveryCodes: 10 })]),
    );
    const token = granted(await server.owner.post<Ended>('/provisioning/tokens', { name: 'Okta' }));
    const { sessions } = granted(await ann.get<{ sessions: [Ended] }>('/users/me/sessions'));
    const { api_keys: keys } = granted(await ann.get<{ api_keys: [Ended] }>('/users/me/api_keys'));
    await limits({ logMib: 1 });
    server.clock.advance(FIGURE_MS);
    granted(await server.owner.delete(`/provisioning/tokens/${token.id}`));
    granted(await ann.delete(`/users/me/sessions/${sessions[0].id}`));
    granted(await ann.delete(`/users/me/api_keys/${keys[0].id}`));
    expect((await ann.get('/users/me')).body.code).toBe('INVALID_API_KEY');
    expect((await browser.fill(path, { email: ann.email }, path)).words).toContain('is enough to log in again');
  });
});
