import { join } from 'node:path';
import { Readable } from 'node:stream';
import { GRACE_MS, ThumbnailStore, UnsettledBytes } from '@annals/files';
import { DiskFileStore } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import sharp from 'sharp';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { idOf, sendDirect } from '../../support/requests/messages';
import { animation, picture, storedFiles } from '../../support/requests/pictures';
import { attachmentsOf, download, uploadFile } from '../../support/requests/uploads';

let server: TestServer;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person({ name: 'Ann' });
  bob = await server.person({ name: 'Bob' });
});
afterAll(() => server.close());

const uploadImage = async (kind: 'png' | 'jpeg' = 'png') =>
  (await uploadFile(ann, await picture(kind, { width: 1_000, height: 500 }), { name: `picture.${kind}` })).url;
const uploadAnimation = async () => (await uploadFile(ann, await animation('gif'), { name: 'cat.gif' })).url;
const thumbnailOf = (url: string, format = '840x560.webp') =>
  `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`;
const status = async (by: Person | null, url: string) =>
  (await download(by, thumbnailOf(url), { url: server.url })).status;
const isReady = async (by: Person, url: string) =>
  by.get<{ has_thumbnail: boolean }>(`/thumbnail/status${url.replace('/user_uploads', '')}`);
const sizeOf = async (url: string, format?: string) => {
  const response = await download(ann, thumbnailOf(url, format));
  const { width, height, pages = 1 } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  return [width, height, pages];
};
const bytesLeft = () => storedFiles(server.dataDir, 'thumbnails');
const facts = async (type: string) =>
  granted(await server.owner.get<{ events: { sentence: string }[] }>('/audit/events', { types: [type] })).events.length;

describe('GET /user_uploads/thumbnail/{realm_id}/{path}/{format}', () => {
  it('answers with a small picture, and with security headers', async () => {
    const url = await uploadImage('jpeg');
    await server.makeThumbnails();
    expect(await sizeOf(url)).toEqual([840, 420, 1]);
    const response = await download(ann, thumbnailOf(url), { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, immutable',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/) as string,
    });
  });

  it('answers with the closest format if a client knows older ones', async () => {
    const url = await uploadAnimation();
    await server.makeThumbnails();
    expect(await sizeOf(url, '100x75.webp')).toEqual([90, 30, 1]);
    expect(await sizeOf(url, '100x75-anim.webp')).toEqual([90, 30, 3]);
  });

  it('is for those who may download the image', async () => {
    const url = await uploadImage();
    await server.makeThumbnails();
    expect([await status(ann, url), await status(bob, url), await status(null, url)]).toEqual([200, 403, 401]);
    await idOf(sendDirect(ann, [bob.id], { content: `[x](${url})` }));
    expect(await status(bob, url)).toBe(200);
    expect(await status(await server.person(), url)).toBe(403);
  });

  it.each([
    ['an unknown file', (url: string) => thumbnailOf(url.replace(/\/[^/]+$/, '/other.png'))],
    ['a name that is no format', (url: string) => thumbnailOf(url, 'constructor')],
    ['a path that leads elsewhere', (url: string) => thumbnailOf(url, '%2e%2e%2fx')],
    ['no path', () => '/user_uploads/thumbnail/1/840x560.webp'],
  ])('refuses %s with 404', async (_, pathOf) => {
    const url = await uploadImage();
    await server.makeThumbnails();
    expect((await download(ann, pathOf(url))).status).toBe(404);
  });

  it.each([
    ['a text that is called an image', 'not.png', 'hello'],
    ['SVG', 'x.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['SVG that is called PNG', 'x.png', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['an empty file', 'x.gif', ''],
  ])('has none for %s', async (_, name, content) => {
    const before = bytesLeft();
    const { url } = await uploadFile(ann, content, { name });
    await server.makeThumbnails();
    expect([await status(ann, url), bytesLeft()]).toEqual([404, before]);
    expect((await isReady(ann, url)).body).toMatchObject({ has_thumbnail: false });
  });
});

describe('GET /thumbnail/status/{realm_id}/{path}', () => {
  it('says whether there are thumbnails, to those who may download the image', async () => {
    const url = await uploadImage();
    expect((await isReady(ann, url)).body).toMatchObject({ has_thumbnail: false });
    await server.makeThumbnails();
    expect((await isReady(ann, url)).body).toMatchObject({ has_thumbnail: true });
    expect((await isReady(bob, url)).status).toBe(403);
    expect((await isReady(ann, url.replace(/\/[^/]+$/, '/other.png'))).status).toBe(404);
  });
});

describe('thumbnails', () => {
  it('are made once, however often that is requested', async () => {
    const before = await facts('files.ThumbnailsMade');
    await uploadImage();
    await Promise.all([server.makeThumbnails(), server.makeThumbnails(), server.makeThumbnails()]);
    expect(await facts('files.ThumbnailsMade')).toBe(before + 1);
  });

  it('end with their file', async () => {
    const before = bytesLeft();
    const url = await uploadAnimation();
    await server.makeThumbnails();
    expect(bytesLeft()).toHaveLength(before.length + 2);
    const id = (await attachmentsOf(ann)).attachments.at(-1)?.id;
    granted(await ann.delete(`/attachments/${id}`));
    expect([bytesLeft(), await status(ann, url)]).toEqual([before, 404]);
  });

  it('are not made of a file that was deleted meanwhile', async () => {
    const before = [bytesLeft(), await facts('files.ThumbnailsMade')];
    await uploadImage();
    const id = (await attachmentsOf(ann)).attachments.at(-1)?.id;
    granted(await ann.delete(`/attachments/${id}`));
    await server.makeThumbnails();
    expect([bytesLeft(), await facts('files.ThumbnailsMade')]).toEqual(before);
  });

  it('that a crash left without an event are deleted, and others are kept', async () => {
    await uploadImage();
    await server.makeThumbnails();
    const before = bytesLeft();
    const store = new DiskFileStore(join(server.dataDir, 'files'));
    const thumbnails = new ThumbnailStore(server.kernel, store);
    const realmId = 1 as RealmId;
    const { rows } = await server.kernel.database.pool.query<{ key: string; made: string }>(
      `SELECT key, made FROM view.file_images WHERE state = 'ready' AND NOT is_deleted LIMIT 1`,
    );
    const { key = '', made = '' } = rows[0] ?? {};
    await thumbnails.keep(realmId, `${key}/another/840x560.webp`, Readable.from([Buffer.from('x')]));
    await thumbnails.unsettle(realmId, `${key}/${made}/840x560.webp`);
    server.clock.advance(GRACE_MS + 1);
    await UnsettledBytes.of(server.kernel, store).sweep();
    expect(bytesLeft()).toEqual(before);
    expect((await server.kernel.database.pool.query('SELECT FROM unsettled_files')).rowCount).toBe(0);
  });

  it('of an image that ended three processes are not tried again', async () => {
    const url = await uploadImage();
    const { pool } = server.kernel.database;
    await pool.query(`INSERT INTO image_attempts (realm_id, file_id, attempts)
      SELECT realm_id, file_id, 3 FROM view.file_images WHERE state = 'awaited'`);
    const before = await facts('files.ImageRefused');
    await server.makeThumbnails();
    expect([await status(ann, url), await facts('files.ImageRefused')]).toEqual([404, before + 1]);
    expect((await pool.query('SELECT FROM image_attempts')).rowCount).toBe(0);
  });

  it('are offered to clients by their formats', async () => {
    const { server_thumbnail_formats: formats } = await ann.register({ fetch_event_types: ['realm'] });
    const size = { max_width: 840, max_height: 560, format: 'webp' };
    expect(formats).toEqual([
      { name: '840x560-anim.webp', ...size, animated: true },
      { name: '840x560.webp', ...size, animated: false },
    ]);
  });
});
