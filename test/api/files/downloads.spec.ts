import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { attachmentsOf, download, fetched, sendParts, uploadFile } from '../../support/requests/uploads';
import { granted } from '../../support/server/caller';

let server: TestServer;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person({ name: 'Ann' });
  bob = await server.person({ name: 'Bob' });
});
afterAll(() => server.close());

const DIGITS = '0123456789';
const ranged = async (url: string, range: string, more: Record<string, string> = {}) => {
  const response = await download(ann, url, { headers: { range, ...more } });
  return [response.status, response.headers.get('content-range'), await response.text()];
};
const linkTo = async (url: string) => granted(await ann.get<{ url: string }>(url)).url;
/** Without a library that tidies the path up. */
const bare = (path: string) => fetched(ann, path.replaceAll('..', '%2e%2e').replaceAll('\\', '%5c'));

describe('GET /user_uploads/{realm_id}/{path}', () => {
  it('answers with the bytes, and with security headers', async () => {
    const { url } = await uploadFile(ann, 'héllo', { name: 'a.txt', type: 'text/plain' });
    const response = await download(ann, url);
    expect([response.status, await response.text()]).toEqual([200, 'héllo']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '6',
      'content-disposition': `inline; filename="a.txt"; filename*=UTF-8''a.txt`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, immutable',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/) as string,
    });
  });

  it.each([
    ['image/png', 'a.png', 'inline'],
    ['IMAGE/JPEG; x=y', 'a.jpg', 'inline'],
    ['application/pdf', 'a.pdf', 'inline'],
    ['video/mp4', 'a.mp4', 'inline'],
    ['', 'a.webp', 'inline'],
    ['text/html', 'a.png', 'attachment'],
    ['', 'a.html', 'attachment'],
    ['image/svg+xml', 'a.svg', 'attachment'],
    ['', 'a.svg', 'attachment'],
    ['application/xhtml+xml', 'a.txt', 'attachment'],
    ['text/xml', 'a.xml', 'attachment'],
    ['text/javascript', 'a.js', 'attachment'],
    ['nonsense', 'a.constructor', 'attachment'],
    ['', 'a', 'attachment'],
  ])('%s, named %s, is inline or an attachment: %s', async (type, name, kind) => {
    const { url } = await uploadFile(ann, '<script>alert(1)</script>', { name, type });
    const { headers } = await download(ann, url);
    expect(headers.get('content-disposition')).toBe(`${kind}; filename="${name}"; filename*=UTF-8''${name}`);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*sandbox$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).not.toMatch(/[\r\n]/);
  });

  it('has the type of its name where the upload gives none', async () => {
    const typeOf = async (name: string) => {
      const part = `--x\r\nContent-Disposition: form-data; name="filename"; filename="${name}"\r\n\r\nbytes\r\n--x--\r\n`;
      const { body } = await sendParts(ann, part, { 'content-type': 'multipart/form-data; boundary=x' });
      return (await download(ann, body.url)).headers.get('content-type');
    };
    expect(await typeOf('photo.png')).toBe('image/png');
    expect(await typeOf('x.zip')).toBe('application/zip');
    expect(await typeOf('page.html')).toMatch(/^text\/html/);
    expect(await typeOf('notes')).toBe('text/plain; charset=utf-8');
  });

  it('answers HEAD with headers only', async () => {
    const { url } = await uploadFile(ann, DIGITS);
    const response = await download(ann, url, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '10', '']);
    const part = await download(ann, url, { method: 'HEAD', headers: { range: 'bytes=2-3' } });
    expect([part.status, part.headers.get('content-length')]).toEqual([206, '2']);
  });

  it('answers with the requested range', async () => {
    const { url } = await uploadFile(ann, DIGITS);
    expect(await ranged(url, 'bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await ranged(url, 'bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await ranged(url, 'bytes=-2')).toEqual([206, 'bytes 8-9/10', '89']);
    expect(await ranged(url, 'bytes=0-999')).toEqual([206, 'bytes 0-9/10', DIGITS]);
    for (const whole of ['bytes=4-2', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=-', 'bytes=a-b', 'bytes=0-1-2']) {
      expect(await ranged(url, whole)).toEqual([200, null, DIGITS]);
    }
    for (const none of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
      const [status, received, text] = await ranged(url, none);
      expect([status, received, JSON.parse(String(text))]).toEqual([
        416,
        'bytes */10',
        { result: 'error', code: 'BAD_REQUEST', msg: 'The file has no such range' },
      ]);
    }
    const empty = await uploadFile(ann, '');
    expect(await ranged(empty.url, 'bytes=0-')).toEqual([416, 'bytes */0', expect.any(String)]);
    const etag = (await download(ann, url)).headers.get('etag') ?? '';
    expect(await ranged(url, 'bytes=2-4', { 'if-range': etag })).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await ranged(url, 'bytes=2-4', { 'if-range': '"another"' })).toEqual([200, null, DIGITS]);
  });

  it('is allowed to the uploader, and to nobody without a message that links to it', async () => {
    const { url } = await uploadFile(ann);
    expect((await download(null, url, { url: server.url })).status).toBe(401);
    expect((await download(bob, url)).status).toBe(403);
    expect((await download(server.owner, url)).status).toBe(403);
    expect(await bob.get(url)).toMatchObject({ status: 403, body: { result: 'error', code: 'BAD_REQUEST' } });
  });

  it('does not allow path traversal', async () => {
    const { url } = await uploadFile(ann, 'x', { name: 'a.txt' });
    const [, , realm = '', shard = '', random = '', name = ''] = url.split('/');
    for (const path of [
      `/user_uploads/2/${shard}/${random}/${name}`,
      `/user_uploads/${realm}/${shard}/${random}`,
      `/user_uploads/${realm}/${shard}/${random}/`,
      `/user_uploads/${realm}/${shard}/${random}/b.txt`,
      `/user_uploads/${realm}/${shard}/${random}/${name}/x`,
      `/user_uploads/${realm}/${shard}/${random}/../${name}`,
      `/user_uploads/${realm}/00/${random}x/${name}`,
      `/user_uploads/${realm}/../../../../etc/passwd`,
      `/user_uploads/${realm}/..\\..\\etc\\passwd`,
      `/user_uploads/${realm}/%00`,
      `/user_uploads/${realm}/${shard}/${random}/a.txt%00`,
      `/user_uploads/x/${shard}/${random}/${name}`,
      `/user_uploads/99999999999999999999/${shard}/${random}/${name}`,
    ]) {
      const { status, text } = await bare(path);
      expect([path, status < 500 && status >= 400, JSON.parse(text)]).toEqual([
        path,
        true,
        expect.objectContaining({ result: 'error' }),
      ]);
    }
    expect((await bare(`/user_uploads/${realm}/${shard}/${random}/b.txt`)).status).toBe(404);
    expect((await bare(`/user_uploads/2/${shard}/${random}/${name}`)).status).toBe(404);
  });

  it('is not found when its bytes are lost', async () => {
    const { url } = await uploadFile(ann, 'x', { name: 'lost.txt' });
    const random = url.split('/')[4] ?? '';
    const [lost] = readdirSync(join(server.dataDir, 'files'), { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith(random),
    );
    rmSync(join(server.dataDir, 'files', lost ?? ''));
    expect((await download(ann, url)).status).toBe(404);
  });
});

describe('GET /api/v1/user_uploads/{realm_id}/{filename}', () => {
  it('returns a URL that needs no login, for a minute', async () => {
    const { url } = await uploadFile(ann, 'hello', { name: 'Grüße 1.txt' });
    const temporary = await linkTo(encodeURI(url));
    expect(temporary).toMatch(/^\/user_uploads\/temporary\/[\w-]+\/Gr%C3%BC%C3%9Fe%201\.txt$/);
    const follow = (path = temporary) => fetched(null, path, { url: server.url });
    expect(await follow()).toEqual({ status: 200, text: 'hello' });
    const part = await download(null, temporary, { url: server.url, headers: { range: 'bytes=1-2' } });
    expect([part.status, await part.text()]).toEqual([206, 'el']);
    server.clock.advance(59_000);
    expect((await follow()).status).toBe(200);
    server.clock.advance(2_000);
    expect((await follow()).status).toBe(400);
  });

  it('returns one that cannot be altered', async () => {
    const [one, other] = [await uploadFile(ann, 'one'), await uploadFile(bob, 'other')];
    const [, , , token = '', name = ''] = (await linkTo(one.url)).split('/');
    const [file = '', until = '', signature = ''] = /^(\w+)-(\w+)-(.+)$/.exec(token)?.slice(1) ?? [];
    const later = (parseInt(until, 36) + 1_000).toString(36);
    const { attachments } = await attachmentsOf(bob);
    const foreign = attachments.at(-1)?.id.toString(36) ?? '';
    expect(other.url).toContain(name);
    for (const bent of [
      `${file}-${later}-${signature}`,
      `${foreign}-${until}-${signature}`,
      `${file}-${until}-${signature.slice(1)}A`,
      `${file}-${until}-`,
      `${file}-${until}-${'A'.repeat(43)}`,
      'x',
    ]) {
      const { status, text } = await fetched(null, `/user_uploads/temporary/${bent}/${name}`, { url: server.url });
      expect([status, JSON.parse(text)]).toEqual([400, expect.objectContaining({ code: 'BAD_REQUEST' })]);
    }
    const renamed = `/user_uploads/temporary/${token}/evil.html`;
    expect((await fetched(null, renamed, { url: server.url })).status).toBe(400);
  });

  it('is not found once the file is deleted', async () => {
    const { url } = await uploadFile(ann, 'hello');
    const temporary = await linkTo(url);
    const id = (await attachmentsOf(ann)).attachments.at(-1)?.id;
    granted(await ann.delete(`/attachments/${id}`));
    expect((await fetched(null, temporary, { url: server.url })).status).toBe(404);
    expect((await download(ann, url)).status).toBe(404);
    expect(await ann.get(url)).toMatchObject({ status: 404, body: { result: 'error', code: 'BAD_REQUEST' } });
  });
});

describe('DELETE /attachments/{attachment_id}', () => {
  it('deletes the file with its bytes, frees its quota, and sends an event to the uploader', async () => {
    const { url } = await uploadFile(ann, 'four');
    const { attachments, upload_space_used: before } = await attachmentsOf(ann);
    const id = attachments.at(-1)?.id;
    const events = await ann.receive(async () => granted(await ann.delete(`/attachments/${id}`)), 'attachment');
    expect(events.map(({ id: _, ...event }) => event)).toEqual([
      { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used: before - 4 },
    ]);
    const after = await attachmentsOf(ann);
    expect([after.attachments, after.upload_space_used]).toEqual([attachments.slice(0, -1), before - 4]);
    const kept = readdirSync(join(server.dataDir, 'files'), { recursive: true, encoding: 'utf8' });
    expect(kept.filter((one) => one.includes(url.split('/')[4] ?? '-'))).toEqual([]);
  });

  it('is allowed for own files only; others are not found', async () => {
    const form = new FormData();
    form.append('f', new Blob(['x']), 'bobs.txt');
    granted(await sendParts(bob, form));
    const id = (await attachmentsOf(bob)).attachments.at(-1)?.id ?? 0;
    const refusal = { status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg: 'Invalid attachment' } };
    expect(await ann.delete(`/attachments/${id}`)).toMatchObject(refusal);
    expect(await server.owner.delete(`/attachments/${id}`)).toMatchObject(refusal);
    expect(await ann.delete('/attachments/999999')).toMatchObject(refusal);
    expect(await ann.delete('/attachments/0')).toMatchObject(refusal);
    expect((await ann.delete('/attachments/x')).status).toBe(404);
    granted(await bob.delete(`/attachments/${id}`));
    expect(await bob.delete(`/attachments/${id}`)).toMatchObject(refusal);
  });
});
