import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { FileTransport } from './file-transport';
import { MailFolder } from './mail-folder';

let folder: string;
let transport: FileTransport;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'annals-mails-'));
  transport = new FileTransport(folder);
});
afterEach(() => rm(folder, { recursive: true }));

const send = (realmId: number, id: string, at: number) =>
  transport.send({
    ...{ realmId: realmId as RealmId, id, at: at as Instant, raw: Buffer.from('Subject: Hi\r\n\r\n') },
    envelope: { from: 'chat@example.com', to: 'ann@example.com' },
  });

describe('mails in files', () => {
  it('are deleted when they are old, and with their organization', async () => {
    await send(1, 'a', 0);
    await send(1, 'b', DAY_MS);
    await send(12, 'c', DAY_MS);
    await send(2, 'd', DAY_MS);
    await new MailFolder(folder).deleteOld(1 as Instant, new Set([2 as RealmId]));
    expect((await readdir(folder)).sort()).toEqual(['1970-01-02T00-00-00-1-b.eml', '1970-01-02T00-00-00-12-c.eml']);
  });

  it('of one organization are counted and deleted, also one that a process left half written', async () => {
    await send(1, 'a', 0);
    await send(12, 'b', 0);
    await writeFile(join(folder, '.1970-01-01T00-00-00-1-c.eml.4711'), 'Sub');
    await writeFile(join(folder, 'notes-1.txt'), 'not a mail');
    const mails = new MailFolder(folder);
    const before = await mails.measure(1 as RealmId);
    expect(before).toEqual({ files: 2, bytes: 18 });
    await mails.delete(1 as RealmId);
    expect((await readdir(folder)).sort()).toEqual(['1970-01-01T00-00-00-12-b.eml', 'notes-1.txt']);
    expect(await mails.measure(1 as RealmId)).toEqual({ files: 0, bytes: 0 });
  });

  it('may be none yet', async () => {
    const none = new MailFolder(join(folder, 'missing'));
    expect(await none.measure(1 as RealmId)).toEqual({ files: 0, bytes: 0 });
    await none.delete(1 as RealmId);
  });
});
