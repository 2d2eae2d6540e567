import { ActorReader } from '@annals/groups';
import { FileStore, Kernel, OtherFiles } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import { OrganizationDeletions, deleteOrganization, isActiveSql, reactivateOrganization } from '@annals/realm';
import { WebhookNotices } from '../../../libs/consumers/src/application/webhook/webhook-notices';
import { WebhookReceiver } from '../../support/bots/webhook-receiver';
import { WebhookCaller } from '../../support/consumers/webhook-caller';
import { deliver, written } from '../../support/mail/lmtp';
import { Notes, draftOf } from '../../support/mail/notes';
import { outboxOf } from '../../support/mail/outbox';
import { granted } from '../../support/server/caller';
import type { OtherOrganization } from '../../support/server/organizations';
import { SERVER_ENV, anotherOrganization } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

/** After this time nothing that began before a deletion writes any more. */
const SETTLED_MS = 150_000;

let server: TestServer;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  const mail = { ANNALS_LMTP_PORT: '0', ANNALS_MAIL_PATTERN: '%s@in.example.com' };
  server = await startTestServer({ env: { ...SERVER_ENV, ...WebhookReceiver.ENV, ...mail } });
});
afterAll(async () => {
  await server.close();
  receiver.stop();
});

/** How many events of a type are in the log of an organization. */
const countOf = async (id: RealmId, wanted: string) =>
  (await server.kernel.events.page(id, 0, 1_000)).filter(({ type }) => type === wanted).length;

const schedule = async ({ owner }: OtherOrganization) => {
  const at = Math.floor((server.clock.now() + HOUR_MS) / 1_000);
  const later = { type: 'channel', to: 1, topic: 'later', content: 'on time', scheduled_delivery_timestamp: at };
  granted(await owner.post('/scheduled_messages', later));
};

/** Somebody has a message that they do not see. */
async function missBy({ owner }: OtherOrganization): Promise<void> {
  const account = { email: 'reader@example.com', password: 'the password of a reader', full_name: 'Reader' };
  const { user_id } = granted(await owner.post<{ user_id: number }>('/users', account));
  granted(await owner.post('/messages', { type: 'direct', to: [user_id], content: 'missed' }));
  await server.missedMailsMade();
}

/** How long the oldest thing that is due in a queue waits, in ms. */
const oldestDue = async (queue: string) =>
  (await server.kernel.queueFigures()).find(({ name }) => name === queue)?.oldestDueMs;

describe('what is due in a deactivated organization', () => {
  it('waits for the reactivation, and holds up nobody else', async () => {
    const [closed, open] = [await anotherOrganization(server, 'closed'), await anotherOrganization(server, 'open')];
    for (const one of [closed, open]) await schedule(one);
    await missBy(closed);
    const notes = Notes.at(server);
    const { email } = granted(await closed.owner.get<{ email: string }>('/streams/1/email_address'));
    granted(await closed.owner.post('/realm/deactivate'));
    const posted = () => deliver(server.lmtpPort, [email], written({}));
    expect(await posted()).toEqual([expect.stringMatching(/^550 5\.1\.6/)]);
    server.clock.advance(HOUR_MS);
    await server.deliverDue();
    expect(await oldestDue('email-notifications')).toBe(0);
    for (const { id } of [closed, open]) await notes.add({ [id]: draftOf({ to: `${id}@mail.example.com` }) }, id);
    const mailed = async () =>
      (await outboxOf(server)).filter(({ subject }) => subject === 'A note').map(({ to }) => to);
    expect(await mailed()).toEqual([`${open.id}@mail.example.com`]);
    const delivered = (id: RealmId) => countOf(id, 'scheduling.ScheduledMessageSent');
    expect([await delivered(closed.id), await delivered(open.id)]).toEqual([0, 1]);
    await reactivateOrganization(server.kernel, closed.id);
    await server.deliverDue();
    expect(await delivered(closed.id)).toBe(1);
    expect(await mailed()).toHaveLength(2);
    expect(await posted()).toEqual(['250']);
  });
});

describe('a webhook that fails for an hour', () => {
  it('is reported to its owner, but not while the organization is deactivated, and whoever else cannot be told', async () => {
    receiver.answer = () => 500;
    const all: OtherOrganization[] = [];
    for (const name of ['broken', 'paused', 'working']) all.push(await anotherOrganization(server, name));
    for (const { owner } of all) {
      await WebhookCaller.created(server, receiver, owner, { name: 'feed' });
      granted(await owner.post('/messages', { type: 'channel', to: 1, topic: 'pushed', content: 'x' }));
    }
    await server.eventsPushed();
    const [broken, paused] = all as [OtherOrganization, OtherOrganization];
    granted(await paused.owner.post('/realm/deactivate'));
    const notices = server.part(WebhookNotices);
    const { failing } = notices;
    const mistake = jest.spyOn(notices, 'failing').mockImplementation(async (consumer, report) => {
      if (consumer.realmId === broken.id) throw new TypeError('a mistake');
      return failing.call(notices, consumer, report);
    });
    server.clock.advance(HOUR_MS);
    await server.eventsPushed();
    const reports = ({ id }: OtherOrganization) => countOf(id, 'consumers.WebhookFailureReported');
    expect(await Promise.all(all.map(reports))).toEqual([0, 0, 1]);
    mistake.mockRestore();
    await reactivateOrganization(server.kernel, paused.id);
    await server.eventsPushed();
    expect(await Promise.all(all.map(reports))).toEqual([1, 1, 1]);
    for (const { owner } of all) granted(await owner.post('/realm/deactivate'));
    server.clock.advance(DAY_MS);
    expect(await oldestDue('consumer-webhooks')).toBe(0);
  });
});

/** A sweep of a worker, which dies after so many statements that deleted something. @returns whether it died */
async function dyingSweep(statements: number): Promise<boolean> {
  const kernel = server.running.get(Kernel);
  const { pool } = kernel.database;
  let [left, hasDied] = [statements, false];
  const query = async (text: string, values?: unknown[]) => {
    if (left <= 0) {
      hasDied = true;
      throw new Error('the worker died');
    }
    const result = await pool.query(text, values);
    if (/^(DELETE|UPDATE)/.test(text) && (result.rowCount ?? 0) > 0) left -= 1;
    return result;
  };
  const dying = Object.create(pool, { query: { value: query } }) as object;
  const database = Object.create(kernel.database, { pool: { value: dying } }) as object;
  const itsKernel = Object.create(kernel, { database: { value: database } }) as Kernel;
  const [files, mails] = [server.running.get(FileStore), server.running.get(OtherFiles)];
  await new OrganizationDeletions(itsKernel, files, mails).sweep().catch(() => undefined);
  return hasDied;
}

const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000004', address: null };

/** Nobody gets in, and workers find nothing to do. */
async function expectGone({ id, owner }: OtherOrganization): Promise<void> {
  const gone = { status: 404, body: { code: 'NONEXISTENT_SUBDOMAIN' } };
  expect(await owner.get('/users/me')).toMatchObject(gone);
  expect(await owner.get('/server_settings')).toMatchObject(gone);
  const actors = server.apis[0]?.app.get(ActorReader, { strict: false });
  await expect(actors?.actor(id, 1, origin)).rejects.toMatchObject({ code: 'NONEXISTENT_SUBDOMAIN' });
  const { pool } = server.kernel.database;
  expect((await pool.query(`SELECT WHERE ${isActiveSql('$1::int4')}`, [id])).rowCount).toBe(0);
}

describe('a deletion whose worker dies', () => {
  it('leaves no moment in which the organization can be used, and is completed by others', async () => {
    const team = await anotherOrganization(server, 'doomed');
    await schedule(team);
    granted(await team.owner.get('/users/me'));
    await deleteOrganization(server.kernel, team.id, 1);
    server.clock.advance(DAY_MS);
    let deaths = 0;
    while (await dyingSweep(3)) {
      deaths += 1;
      await expectGone(team);
    }
    expect(deaths).toBeGreaterThan(5);
    await expectGone(team);
    server.clock.advance(SETTLED_MS);
    await server.part(OrganizationDeletions).sweep();
    const { rows } = await server.kernel.database.pool.query(
      'SELECT realm_id FROM deleted_realms WHERE emptied_at > 0',
    );
    expect(rows).toEqual([{ realm_id: team.id }]);
    const next = await anotherOrganization(server, 'doomed');
    granted(await next.owner.get('/users/me'));
  });
});
