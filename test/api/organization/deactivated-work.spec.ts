import { ActorReader } from '@annals/groups';
import { FileStore, Kernel } from '@annals/kernel';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import { OrganizationDeletions, deleteOrganization, isActiveSql, reactivateOrganization } from '@annals/realm';
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
beforeAll(
  async () =>
    (server = await startTestServer({
      env: { ...SERVER_ENV, ANNALS_LMTP_PORT: '0', ANNALS_MAIL_PATTERN: '%s@in.example.com' },
    })),
);
afterAll(() => server.close());

const schedule = async ({ owner }: OtherOrganization) => {
  const at = Math.floor((server.clock.now() + HOUR_MS) / 1_000);
  const later = { type: 'channel', to: 1, topic: 'later', content: 'on time', scheduled_delivery_timestamp: at };
  granted(await owner.post('/scheduled_messages', later));
};

describe('what is due in a deactivated organization', () => {
  it('waits for the reactivation, and holds up nobody else', async () => {
    const [closed, open] = [await anotherOrganization(server, 'closed'), await anotherOrganization(server, 'open')];
    for (const one of [closed, open]) await schedule(one);
    const notes = Notes.at(server);
    const { email } = granted(await closed.owner.get<{ email: string }>('/streams/1/email_address'));
    granted(await closed.owner.post('/realm/deactivate'));
    const posted = () => deliver(server.lmtpPort, [email], written({}));
    expect(await posted()).toEqual([expect.stringMatching(/^550 5\.1\.6/)]);
    server.clock.advance(HOUR_MS);
    await server.deliverDue();
    for (const { id } of [closed, open]) await notes.add({ [id]: draftOf({ to: `${id}@mail.example.com` }) }, id);
    const mailed = async () =>
      (await outboxOf(server)).filter(({ subject }) => subject === 'A note').map(({ to }) => to);
    expect(await mailed()).toEqual([`${open.id}@mail.example.com`]);
    const sent = async (id: number) =>
      (await server.kernel.events.page(id as never, 0, 1_000)).filter(({ type }) => type === 'messages.MessageSent');
    expect([await sent(closed.id), await sent(open.id)].map(({ length }) => length)).toEqual([0, 1]);
    await reactivateOrganization(server.kernel, closed.id);
    await server.deliverDue();
    expect(await sent(closed.id)).toHaveLength(1);
    expect(await mailed()).toHaveLength(2);
    expect(await posted()).toEqual(['250']);
  });
});

/** The worker of a deletion, which dies after so many statements that deleted something. */
function dyingWorker(statements: number): OrganizationDeletions {
  const kernel = server.running.get(Kernel);
  const { pool } = kernel.database;
  let left = statements;
  const query = async (text: string, values?: unknown[]) => {
    if (left <= 0) throw new Error('the worker died');
    const result = await pool.query(text, values);
    if (/^(DELETE|UPDATE)/.test(text) && (result.rowCount ?? 0) > 0) left -= 1;
    return result;
  };
  const dying = Object.create(pool, { query: { value: query } }) as object;
  const database = Object.create(kernel.database, { pool: { value: dying } }) as object;
  const itsKernel = Object.create(kernel, { database: { value: database } }) as Kernel;
  return new OrganizationDeletions(itsKernel, server.running.get(FileStore));
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
    while (
      await dyingWorker(3)
        .sweep()
        .then(
          () => false,
          () => true,
        )
    ) {
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
