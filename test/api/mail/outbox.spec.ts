import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemActor } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import { AddressBounces, readParkedMail } from '@annals/mail';
import { Notes, draftOf } from '../../support/mail/notes';
import { outboxOf } from '../../support/mail/outbox';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const REALM = 1 as RealmId;

let server: TestServer;
let notes: Notes;
beforeAll(async () => {
  server = await startTestServer();
  notes = Notes.at(server);
});
afterAll(() => server.close());

const received = async (to: string) => (await outboxOf(server)).filter((mail) => mail.to === to);
const tokenOf = async (key: string) => {
  const sql = 'SELECT bounce_token AS token FROM mail_tasks WHERE key = $1';
  const { rows } = await server.kernel.database.pool.query<{ token: string }>(sql, [key]);
  return rows[0]?.token ?? '';
};

describe('a mail of a server without a mail server', () => {
  it('is a file that only the user of the server reads', async () => {
    await notes.add({ file: draftOf({ to: 'file@mail.example.com' }) });
    const [mail] = await received('file@mail.example.com');
    expect(mail).toMatchObject({ subject: 'A note', from: '"Annals" <noreply@annals.invalid>' });
    expect(mail?.text).toContain(`Annals ${server.url}/`);
    const folder = join(server.dataDir, 'mail');
    for (const name of await readdir(folder)) {
      expect(name).toMatch(/^2026-01-01T00-00-00-1-[0-9a-f]{32}\.eml$/);
      expect(((await stat(join(folder, name))).mode & 0o777).toString(8)).toBe('600');
    }
  });

  it('is sent once for a kind and a key, also if it is added again', async () => {
    const draft = draftOf({ to: 'once@mail.example.com' });
    await notes.add({ once: draft });
    await server.mailsSent();
    await notes.add({ once: { ...draft, content: { subject: 'Again', blocks: [] } } });
    expect((await received('once@mail.example.com')).map(({ subject }) => subject)).toEqual(['A note']);
  });

  it('is not sent if nobody wants it any more', async () => {
    const before = (await outboxOf(server)).length;
    await notes.add({ unwanted: null });
    expect(await outboxOf(server)).toHaveLength(before);
  });
});

describe('an address from which mails come back', () => {
  it('gets no notifications until it is confirmed or changed, but mails that somebody waits for', async () => {
    const ann = await server.person({ name: 'Ann' });
    const to = 'bouncing@mail.example.com';
    const draft = (subject: string, purpose: 'account' | 'notification') =>
      draftOf({ to, userId: ann.id, purpose, content: { subject, blocks: [] } });
    const bounces = new AddressBounces(server.kernel);
    await notes.add({ first: draft('first', 'notification') });
    await server.mailsSent();
    expect(await bounces.cameBack(REALM, { token: await tokenOf('first'), status: '4.2.2' })).toBe(true);
    await notes.add({ delayed: draft('delayed', 'notification') });
    await server.mailsSent();
    expect(await bounces.cameBack(REALM, { token: await tokenOf('first'), status: '5.1.1' })).toBe(true);
    await notes.add({ second: draft('second', 'notification'), reset: draft('reset', 'account') });
    await server.mailsSent();
    await server.kernel.work.run(systemActor(REALM), (work) => bounces.confirm(work, ann.id));
    await notes.add({ third: draft('third', 'notification') });
    const subjects = (await received(to)).map(({ subject }) => subject);
    expect(subjects).toEqual(['first', 'delayed', 'reset', 'third']);
    const [parked] = await readParkedMail(server.kernel.database.pool, 1);
    expect(parked).toMatchObject({ kind: 'note', key: 'first', reason: 'came back (5.1.1)' });
  });

  it('is not known by a wrong token, nor if the account has another address since then', async () => {
    const bob = await server.person({ name: 'Bob' });
    const bounces = new AddressBounces(server.kernel);
    expect(await bounces.cameBack(REALM, { token: 'f'.repeat(32), status: '5.1.1' })).toBe(false);
    await notes.add({ old: draftOf({ userId: bob.id, purpose: 'notification' }) });
    await server.mailsSent();
    server.clock.advance(HOUR_MS);
    await server.owner.patch(`/users/${bob.id}`, { new_email: 'bob-new@mail.example.com' });
    expect(await bounces.cameBack(REALM, { token: await tokenOf('old'), status: '5.1.1' })).toBe(true);
    const events = await server.kernel.events.stream(REALM, `mail-address-${bob.id}`);
    expect(events).toEqual([]);
  });
});

it('mails and their files are deleted after a month', async () => {
  await notes.add({ last: draftOf() });
  await server.mailsSent();
  server.clock.advance(31 * DAY_MS);
  await server.forgetOldMail();
  expect(await outboxOf(server)).toEqual([]);
  const { rows } = await server.kernel.database.pool.query('SELECT FROM mail_tasks');
  expect(rows).toEqual([]);
});
