import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import { discardParkedMail, readParkedMail, retryParkedMail } from '@annals/mail';
import { discardMail, listMail, retryMail } from '../../../apps/cli/src/commands/mail/parked';
import type { MailServerBehaviour } from '../../support/mail/mail-server';
import { MailServer } from '../../support/mail/mail-server';
import { Notes, draftOf } from '../../support/mail/notes';
import { sentMail } from '../../support/mail/outbox';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const REALM = 1 as RealmId;
const MINUTE_MS = 60_000;

let mail: MailServer;
let server: TestServer;
let notes: Notes;
let pool: Kernel['database']['pool'];
beforeAll(async () => {
  mail = await MailServer.start();
  server = await startTestServer({ env: { ...mail.env, ANNALS_MAIL_PATTERN: '%s@in.example.com' } });
  notes = Notes.at(server);
  ({ pool } = server.kernel.database);
});
beforeEach(() => mail.behaves('accepts'));
afterAll(async () => {
  await server.close();
  await mail.stop();
});

const to = (address: string) => draftOf({ to: address });
const receivedBy = (address: string) => mail.received.filter(({ envelope }) => envelope.to.includes(address));
const parked = async (key: string) => (await readParkedMail(pool, 100)).find((one) => one.key === key);
/** Adds a mail, and lets the server try it once. */
async function tried(key: string, behaviour: MailServerBehaviour): Promise<string> {
  const address = `${key}@mail.example.com`;
  mail.behaves(behaviour);
  await notes.add({ [key]: to(address) });
  await server.mailsSent();
  return address;
}
/** Lets the server try what is due after some time. */
async function later(ms: number): Promise<void> {
  server.clock.advance(ms);
  await server.mailsSent();
}

describe('the mail server', () => {
  it('gets a mail once, from an address that bounces come to', async () => {
    const address = await tried('once', 'accepts');
    await later(DAY_MS);
    const [received, ...others] = receivedBy(address);
    expect(others).toEqual([]);
    expect(received?.envelope.from).toMatch(/^bounces\+1\.[0-9a-z]{25}@in\.example\.com$/);
    const { from, messageId } = await sentMail(received?.raw ?? '');
    expect([from, messageId]).toEqual([
      '"Annals" <chat@mail.example.com>',
      expect.stringMatching(/@mail\.example\.com>$/),
    ]);
  });

  it('that asks to try again gets the mail later, at growing intervals', async () => {
    const address = await tried('deferred', 'defers');
    const attempts = async () => {
      const { rows } = await pool.query<{ n: number }>(`SELECT attempts AS n FROM mail_tasks WHERE key = 'deferred'`);
      return rows[0]?.n;
    };
    expect(await attempts()).toBe(1);
    await later(14_000);
    expect(await attempts()).toBe(1);
    await later(1_000);
    expect(await attempts()).toBe(2);
    mail.behaves('accepts');
    await later(MINUTE_MS);
    expect(receivedBy(address)).toHaveLength(1);
  });

  it('that takes no mail for three days makes it wait for an operator', async () => {
    await tried('late', 'defers');
    await later(3 * DAY_MS + HOUR_MS);
    expect(await parked('late')).toMatchObject({ reason: expect.stringMatching(/^too old \(450 4\.2\.0/) as string });
    expect(await discardParkedMail(pool, 'all', server.clock.now())).toBe(1);
  });

  it('that refuses a mail for good is not asked again until an operator says so', async () => {
    const address = await tried('refused', 'refuses');
    mail.behaves('accepts');
    await later(DAY_MS);
    expect(receivedBy(address)).toEqual([]);
    const { reason, attempts } = (await parked('refused')) ?? {};
    expect([reason, attempts]).toEqual(['550 5.1.1 Nobody of that name here', 1]);
    expect(await server.kernel.queueReports(1)).toContainEqual(
      expect.objectContaining({ name: 'mail', givenUp: { count: 1, listedBy: 'annals mail list' } }),
    );
    expect(await retryParkedMail(pool, [{ realmId: REALM, kind: 'note', key: 'refused' }], server.clock.now())).toBe(1);
    await server.mailsSent();
    expect(receivedBy(address)).toHaveLength(1);
  });

  it('gets nothing for addresses that lead nowhere', async () => {
    await notes.add({ nowhere: to('owner@annals.localhost.invalid') });
    await server.mailsSent();
    expect(receivedBy('owner@annals.localhost.invalid')).toEqual([]);
    expect(await parked('nowhere')).toBeUndefined();
  });
});

it('a mail that cannot be written is set aside after ten attempts, and one of an unknown kind waits', async () => {
  await pool.query(`INSERT INTO mail_tasks (realm_id, kind, key, at, due_at) VALUES (1, 'of-tomorrow', '1', $1, $1)`, [
    server.clock.now(),
  ]);
  await notes.add({ broken: to('no address at all') });
  for (let n = 0; n < 10; n++) await later(HOUR_MS);
  expect(await parked('broken')).toMatchObject({ reason: 'internal', attempts: 10 });
  expect(await parked('1')).toBeUndefined();
  await later(3 * DAY_MS);
  expect(await parked('1')).toMatchObject({ reason: 'too old (internal)' });
});

describe('the commands of an operator', () => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  beforeEach(() => lines.splice(0));

  it('list, retry and discard mails that were set aside', async () => {
    await discardMail(server.kernel, [], print);
    await tried('listed', 'refuses');
    lines.splice(0);
    await listMail(server.kernel, false, print);
    await listMail(server.kernel, true, print);
    expect(lines[0]).toMatch(/^2026-\S+ 1:note:listed, 1 attempts: 550 5\.1\.1 Nobody of that name here$/);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ id: '1:note:listed', attempts: 1 });
    expect(await discardMail(server.kernel, ['1:note:another'], print)).toBe(1);
    expect(await retryMail(server.kernel, ['1:note:listed'], print)).toBe(0);
    expect(lines.slice(2)).toEqual(['No such mail was set aside.', '1 will be tried again.']);
    await expect(retryMail(server.kernel, ['listed'], print)).rejects.toThrow('listed is no id of a mail.');
    mail.behaves('accepts');
    await server.mailsSent();
    lines.splice(0);
    await listMail(server.kernel, false, print);
    expect(lines).toEqual(['No mail was set aside.']);
  });
});
