import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointSigner, ProofOptions } from '@annals/audit';
import type { Kernel } from '@annals/kernel';
import { FileStore, OtherFiles } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import {
  OrganizationDeletions,
  RealmFacts,
  ServerAddress,
  deleteOrganization,
  limitOrganization,
  reactivateOrganization,
} from '@annals/realm';
import { startGoldenServer } from '../../golden/golden-server';
import { everythingHappens } from '../../golden/scenario';
import { ReferenceBouncer } from '../../support/push/bouncer';
import { uploadFile } from '../../support/requests/uploads';
import type { OtherOrganization } from '../../support/server/organizations';
import { SERVER_URL, anotherOrganization } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';

const FIRST = 1 as RealmId;
/** After this time nothing that began before a deletion writes any more. */
const SETTLED_MS = 150_000;
/** What people of the first organization wrote, and what only that has. */
const WORDS = ['Ann Example', 'Example & Sons', 'person1@example.com', 'Feeding the cat', 'spring'];

let bouncer: ReferenceBouncer;
let server: TestServer;
let other: OtherOrganization;
beforeAll(async () => {
  bouncer = await ReferenceBouncer.start();
  server = await startGoldenServer(bouncer);
  other = await anotherOrganization(server, 'neighbours');
  await write(10);
  // Its own sweeps, one a minute, would delete in between what these specs look at.
  await server.part(OrganizationDeletions).stop();
});
afterAll(async () => {
  await server.close();
  await bouncer.stop();
});

/** The worker deletes what is due, in more than one pass. */
const deleteDue = () => server.part(OrganizationDeletions).sweep();

/** Something happens in the other organization. */
const write = (people: number) => limitOrganization(server.kernel, other.id, { people });

/** The rows of an organization in every table of the database, by the names of the tables. */
async function rowsOf(realmId: RealmId): Promise<Record<string, number>> {
  const { pool } = server.kernel.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'realm_id'
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname !~ '^pg_' ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${name} WHERE realm_id = $1`,
      [realmId],
    );
    if (rows[0]?.count) counts[name] = rows[0].count;
  }
  return counts;
}

/** The tables whose rows no worker deletes when it has done what was due. */
const lasting = (rows: Record<string, number>) => Object.keys(rows).filter((table) => !table.endsWith('_tasks'));

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(join(server.dataDir, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Their names have the number of the organization. */
const mailsOfFirst = async () => (await filesBelow('mail')).filter((name) => /T\d\d-\d\d-\d\d-1-/.test(name));

/** Signs the logs as a worker does at an address with names below it. */
function signer(
  realms: Pick<RealmFacts, 'of'> = server.running.get(RealmFacts),
  kernel: Kernel = server.kernel,
): CheckpointSigner {
  return new CheckpointSigner(kernel, server.part(ProofOptions).keys, realms, new ServerAddress(SERVER_URL));
}

/** The origin of the checkpoints of an organization. */
async function logNameOf({ id }: OtherOrganization): Promise<string | undefined> {
  const text = 'SELECT note FROM audit_checkpoints WHERE realm_id = $1 LIMIT 1';
  const { rows } = await server.kernel.database.pool.query<{ note: string }>(text, [id]);
  return rows[0]?.note.split('\n')[0];
}

describe('the law of deletion', () => {
  it('leaves nothing of an organization in which everything happened, and everything of the others', async () => {
    await everythingHappens(server, bouncer);
    await uploadFile(server.owner, 'the last bytes of the organization', { name: 'last.txt' });
    await server.settled();
    const [before, others] = [await rowsOf(FIRST), await rowsOf(other.id)];
    expect(Object.keys(before).length).toBeGreaterThan(60);
    expect((await filesBelow('files')).length).toBeGreaterThan(0);
    expect((await mailsOfFirst()).length).toBeGreaterThan(0);
    for (const word of WORDS) expect(await server.placesWith(word)).not.toEqual([]);

    await deleteOrganization(server.kernel, FIRST, 30);
    server.clock.advance(30 * DAY_MS - 1);
    await deleteDue();
    expect(Object.keys(await rowsOf(FIRST))).toEqual(expect.arrayContaining(lasting(before)));

    server.clock.advance(1);
    await deleteDue();
    server.clock.advance(SETTLED_MS);
    await deleteDue();
    await deleteDue();
    expect(await rowsOf(FIRST)).toEqual({ 'public.deleted_realms': 1 });
    for (const word of WORDS) expect(await server.placesWith(word)).toEqual([]);
    expect(await filesBelow('files')).toEqual([]);
    expect(await mailsOfFirst()).toEqual([]);
    expect(await rowsOf(other.id)).toEqual(others);
    const { rows } = await server.kernel.database.pool.query('SELECT FROM deleted_realms WHERE emptied_at IS NULL');
    expect(rows).toEqual([]);
  });

  it('takes the address away, refuses what is written later, and lets processes and others continue', async () => {
    expect(await server.owner.get('/users/me')).toMatchObject({ status: 404, body: { code: 'NONEXISTENT_SUBDOMAIN' } });
    await write(20);
    expect(await server.kernel.whyTakenBack()).toBeNull();
    const answer = await fetch(`${server.url}/health/ready`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'ok' }]);
    await expect(deleteOrganization(server.kernel, FIRST, 1)).rejects.toThrow('realm 1 has no head');
    expect(await rowsOf(FIRST)).toEqual({ 'public.deleted_realms': 1 });
  });

  it('is no alarm for the worker that signs its log meanwhile', async () => {
    const { id } = await anotherOrganization(server, 'signed');
    await signer().sweep();
    await deleteOrganization(server.kernel, id, 0);
    const error = jest.fn();
    const options = { ...server.kernel.options, log: { ...server.kernel.options.log, error } };
    const kernel = Object.assign(Object.create(server.kernel) as Kernel, { options });
    const of = async (realmId: RealmId) => {
      const facts = await server.running.get(RealmFacts).of(realmId);
      if (realmId === id) await deleteDue();
      return facts;
    };
    await signer({ of }, kernel).sweep();
    expect(error).not.toHaveBeenCalled();
    expect((await server.kernel.events.heads([id])).get(id)).toBeUndefined();
  });

  it('lets the next organization with its subdomain have a log of another name', async () => {
    const names: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      const team = await anotherOrganization(server, 'twice');
      await signer().sweep();
      names.push(await logNameOf(team));
      await deleteOrganization(server.kernel, team.id, 0);
      await deleteDue();
    }
    const [before, after] = names;
    expect(after).not.toBe(before);
    for (const name of names) expect(name).toMatch(/^twice\.chat\.example\.com\/api\/v1\/audit\//);
  });

  it('does not delete what was reactivated in time', async () => {
    const team = await anotherOrganization(server, 'undecided');
    const before = await rowsOf(team.id);
    await deleteOrganization(server.kernel, team.id, 1);
    await reactivateOrganization(server.kernel, team.id);
    server.clock.advance(2 * DAY_MS);
    await deleteDue();
    expect(Object.keys(await rowsOf(team.id))).toEqual(expect.arrayContaining(lasting(before)));
  });

  it('of one organization is not held up by another one whose files cannot be deleted now', async () => {
    const [broken, next] = [await anotherOrganization(server, 'broken'), await anotherOrganization(server, 'next')];
    for (const { id } of [broken, next]) await deleteOrganization(server.kernel, id, 1);
    server.clock.advance(2 * DAY_MS);
    const files = server.running.get(FileStore);
    const refused = () => Promise.reject(new Error('EACCES: permission denied'));
    const isBroken = (path: string) => path.split('/').includes(String(broken.id));
    const failing = Object.assign(Object.create(files) as FileStore, {
      measureFolder: (folder: string) => (isBroken(folder) ? refused() : files.measureFolder(folder)),
    });
    const mails = server.running.get(OtherFiles);
    await new OrganizationDeletions(server.kernel, failing, mails).sweep();
    server.clock.advance(SETTLED_MS);
    for (let pass = 0; pass < 2; pass++) await new OrganizationDeletions(server.kernel, failing, mails).sweep();
    expect(await rowsOf(next.id)).toEqual({ 'public.deleted_realms': 1 });
    const left = 'SELECT realm_id AS id FROM deleted_realms WHERE emptied_at IS NULL';
    expect((await server.kernel.database.pool.query(left)).rows).toEqual([{ id: broken.id }]);
    // One pass for what was written meanwhile, such as a mail, and one that finds nothing.
    await deleteDue();
    await deleteDue();
    expect((await server.kernel.database.pool.query(left)).rows).toEqual([]);
  });

  it('lets nobody delete events of an organization that is not deleted', async () => {
    const attempt = server.kernel.database.pool.query('DELETE FROM events WHERE realm_id = $1', [other.id]);
    await expect(attempt).rejects.toThrow('the log is append-only');
  });
});
