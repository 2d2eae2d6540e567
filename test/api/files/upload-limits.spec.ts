import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { UnsettledBytes, GRACE_MS, UploadStore } from '@annals/files';
import { DiskFileStore } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { Logger } from 'pino';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { attachmentsOf, fetched, sendParts, uploadFile } from '../../support/requests/uploads';

const KIB = 1024;
const REALM = 1 as RealmId;

let server: TestServer;
let ann: Person;
beforeAll(async () => {
  server = await startTestServer({ env: { ANNALS_UPLOAD_QUOTA_MIB: '1', ANNALS_MAX_UPLOAD_MIB: '3' } });
  ann = await server.person();
});
afterAll(() => server.close());

const kept = () => {
  const folder = join(server.dataDir, 'files', 'uploads');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name }) => name)
    .sort();
};
const unsettled = async () =>
  (await server.kernel.database.pool.query<{ key: string }>('SELECT key FROM unsettled_files ORDER BY key')).rows;

describe('the upload quota', () => {
  it('and the maximum file size are sent to clients', async () => {
    const state = await ann.register({ fetch_event_types: ['realm'] });
    expect(state).toMatchObject({ realm_upload_quota_mib: 1, max_file_upload_size_mib: 3 });
  });

  it('is shared by the organization, and is freed when a file is deleted', async () => {
    await uploadFile(server.owner, new Uint8Array(600 * KIB));
    const before = kept();
    const form = new FormData();
    form.append('f', new Blob([new Uint8Array(600 * KIB)]), 'x.bin');
    expect(await sendParts(ann, form)).toMatchObject({
      status: 403,
      body: { result: 'error', code: 'REALM_UPLOAD_QUOTA' },
    });
    expect([kept(), await unsettled()]).toEqual([before, []]);
    await uploadFile(ann, new Uint8Array(424 * KIB));
    expect((await attachmentsOf(ann)).upload_space_used).toBe(1024 * KIB);
    const [first] = (await attachmentsOf(server.owner)).attachments;
    granted(await server.owner.delete(`/attachments/${first?.id}`));
    expect((await attachmentsOf(ann)).upload_space_used).toBe(424 * KIB);
    granted(await sendParts(ann, form));
    const [, second] = (await attachmentsOf(ann)).attachments;
    granted(await ann.delete(`/attachments/${second?.id}`));
  });
});

describe('a crash between bytes and log', () => {
  const store = () => new DiskFileStore(join(server.dataDir, 'files'));
  const bytes = () => new UploadStore(server.kernel, store());
  const sweep = () => UnsettledBytes.of(server.kernel, store()).sweep();

  it('removes bytes after a while when no event names them', async () => {
    const before = kept();
    await bytes().keep(REALM, 'ab/orphan', Readable.from([Buffer.from('x')]));
    await sweep();
    expect(kept()).toEqual([...before, 'orphan'].sort());
    server.clock.advance(GRACE_MS + 1);
    await sweep();
    expect([kept(), await unsettled()]).toEqual([before, []]);
  });

  it('keeps bytes that an event names', async () => {
    const { url } = await uploadFile(ann, 'hello');
    const key = url.split('/').slice(3, 5).join('/');
    await bytes().unsettle(REALM, key);
    server.clock.advance(GRACE_MS + 1);
    await sweep();
    expect(await unsettled()).toEqual([]);
    expect(await fetched(ann, url)).toEqual({ status: 200, text: 'hello' });
  });

  it('removes bytes when an event deletes them', async () => {
    const before = kept();
    const { url } = await uploadFile(ann, 'hello');
    const key = url.split('/').slice(3, 5).join('/');
    const id = (await attachmentsOf(ann)).attachments.at(-1)?.id;
    granted(await ann.delete(`/attachments/${id}`));
    await bytes().keep(REALM, key, Readable.from([Buffer.from('hello')]));
    server.clock.advance(GRACE_MS + 1);
    await sweep();
    expect([kept(), await unsettled()]).toEqual([before, []]);
  });

  it('is repaired for all other files when one cannot be deleted, and for that one later', async () => {
    const before = kept();
    const stuck = ['ab/stuck', ...Array.from({ length: 250 }, (_, n) => `ab/stuck-${n}`)];
    for (const key of stuck) await bytes().unsettle(REALM, key);
    await bytes().keep(REALM, 'ab/young', Readable.from([Buffer.from('x')]));
    server.clock.advance(GRACE_MS + 1);
    class Stuck extends DiskFileStore {
      override delete(key: string): Promise<void> {
        return key.includes('stuck') ? Promise.reject(new Error('no such luck')) : super.delete(key);
      }
    }
    const stuckBytes = new UploadStore(server.kernel, new Stuck(join(server.dataDir, 'files')));
    const warned: object[] = [];
    const log = { warn: (fields: object) => warned.push(fields) } as unknown as Logger;
    const { clock, options } = server.kernel;
    await new UnsettledBytes({ clock, options: { ...options, log } }, [stuckBytes]).sweep();
    expect(kept()).toEqual(before);
    expect(await unsettled()).toHaveLength(stuck.length);
    expect(warned).toHaveLength(stuck.length);
    expect(warned[0]).toMatchObject({ realm: REALM, key: 'ab/stuck', err: { message: 'no such luck' } });
    await sweep();
    expect(await unsettled()).toEqual([]);
  });

  it('is repaired without an operator, however many files there are', async () => {
    const before = kept();
    for (let n = 0; n < 250; n++) await bytes().unsettle(REALM, `ab/left-${n}`);
    server.clock.advance(GRACE_MS + 1);
    await sweep();
    expect([kept(), await unsettled()]).toEqual([before, []]);
  });
});
