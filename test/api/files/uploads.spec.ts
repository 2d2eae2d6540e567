import { readdirSync } from 'node:fs';
import type { Server } from 'node:http';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { attachmentsOf, download, fetched, sendParts, uploadFile } from '../../support/requests/uploads';

const MIB = 1024 * 1024;

let server: TestServer;
let ann: Person;
beforeAll(async () => {
  server = await startTestServer({ env: { ANNALS_MAX_UPLOAD_MIB: '1' } });
  ann = await server.person({ name: 'Ann' });
});
afterAll(() => server.close());

const keptFiles = () =>
  readdirSync(join(server.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
const form = (...parts: [field: string, content: string | Blob, name?: string][]) => {
  const made = new FormData();
  for (const [field, content, name] of parts) {
    if (typeof content === 'string') made.append(field, content);
    else made.append(field, content, name);
  }
  return made;
};
const bad = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });

/** Sends these bytes of a body, with another declared length if given, under a name that no library would send. */
function sendRaw(
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const { hostname, port } = new URL(ann.url);
  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ hostname, port, method: 'POST', path: '/api/v1/user_uploads' },
      headers: {
        authorization: `Basic ${btoa(`${ann.email}:${ann.key}`)}`,
        'content-type': 'multipart/form-data; boundary=edge',
        ...headers,
      },
    });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    sent.end(body);
  });
}
const rawPart = (name: string, content = 'x') =>
  `--edge\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n\r\n${content}\r\n--edge--\r\n`;

describe('POST /user_uploads', () => {
  it('stores a file and returns its URL', async () => {
    const { url, uri, filename } = await uploadFile(ann, 'hello', { name: 'Hello World.txt' });
    expect(url).toMatch(/^\/user_uploads\/1\/[0-9a-f]{2}\/[\w-]{24}\/Hello-World\.txt$/);
    expect([uri, filename]).toEqual([url, 'Hello World.txt']);
    expect(await fetched(ann, url)).toEqual({ status: 200, text: 'hello' });
  });

  it('sends an event with the used quota to the uploader', async () => {
    const before = (await attachmentsOf(ann)).upload_space_used;
    server.clock.advance(1_500);
    const seconds = Math.floor(server.clock.now() / 1000);
    const events = await ann.receive(() => uploadFile(ann, 'four', { name: 'a.txt' }), 'attachment');
    const [attachment] = (await attachmentsOf(ann)).attachments.slice(-1);
    expect(attachment).toEqual({
      id: expect.any(Number) as number,
      name: 'a.txt',
      path_id: expect.stringMatching(/^1\/[0-9a-f]{2}\/[\w-]{24}\/a\.txt$/) as string,
      size: 4,
      create_time: seconds,
      message_ids: [],
    });
    expect(events.map(({ id: _, ...event }) => event)).toEqual([
      { type: 'attachment', op: 'add', attachment, upload_space_used: before + 4 },
    ]);
    expect(await server.owner.receive(() => uploadFile(ann), 'attachment')).toEqual([]);
  });

  it('accepts an empty file, one of the maximum size, and other form fields', async () => {
    expect(await fetched(ann, (await uploadFile(ann, '')).url)).toEqual({ status: 200, text: '' });
    const large = await uploadFile(ann, new Uint8Array(MIB));
    expect((await download(ann, large.url)).headers.get('content-length')).toBe(String(MIB));
    const { status, body } = await sendParts(
      ann,
      form(['a', 'plain'], ['file', new Blob(['x']), 'x.txt'], ['b', 'too']),
    );
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ filename: 'x.txt', ignored_parameters_unsupported: ['a', 'b'] }),
    ]);
  });

  describe('refuses, and stores nothing of', () => {
    let before: number;
    let listed: number;
    beforeEach(async () => {
      before = keptFiles().length;
      listed = (await attachmentsOf(ann)).attachments.length;
    });
    afterEach(async () => {
      expect(keptFiles()).toHaveLength(before);
      expect((await attachmentsOf(ann)).attachments).toHaveLength(listed);
      const { rowCount } = await server.kernel.database.pool.query('SELECT FROM unsettled_files');
      expect(rowCount).toBe(0);
    });

    it.each([
      ['no file', form(['a', 'plain'])],
      ['a file without a name', form(['a', new Blob(['x']), ''])],
      ['a file called ..', form(['a', new Blob(['x']), '..'])],
    ])('%s', async (_, parts) => {
      expect(await sendParts(ann, parts)).toMatchObject(bad('You must specify a file to upload'));
    });

    it('two files', async () => {
      const two = form(['a', new Blob(['x']), 'a'], ['b', new Blob(['y']), 'b']);
      expect(await sendParts(ann, two)).toMatchObject(bad('You may only upload one file at a time'));
    });

    it('no multipart body', async () => {
      const refusal = bad('You must specify a file to upload');
      expect(await ann.post('/user_uploads', { filename: 'x' })).toMatchObject(refusal);
      expect(await ann.post('/user_uploads')).toMatchObject(refusal);
    });

    it('a file larger than allowed', async () => {
      const refusal = bad('Uploaded file is larger than the allowed limit of 1 MiB');
      for (const size of [MIB + 1, 3 * MIB, 8 * MIB]) {
        const large = form(['a', new Blob([new Uint8Array(size)]), 'large.bin']);
        expect(await sendParts(ann, large)).toMatchObject(refusal);
      }
      const withoutLength = { 'transfer-encoding': 'chunked' };
      expect(await sendRaw(rawPart('x', 'y'.repeat(6 * MIB)), withoutLength)).toMatchObject(refusal);
    });

    it('too many form fields', async () => {
      const much = form(['a', 'x'.repeat(2.5 * MIB)], ['b', new Blob(['x']), 'x']);
      expect(await sendParts(ann, much)).toMatchObject(bad('Too much beside the file'));
    });

    it.each([
      ['a body that ends early', '--edge\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\nhalf'],
      ['a body with another boundary', '--other\r\n\r\n'],
      ['a field with a name of the language', rawPart('x').replace('"f"', '"__proto__"')],
    ])('%s', async (_, body) => {
      expect(await sendRaw(body)).toMatchObject({ status: 400, body: { result: 'error', code: 'BAD_REQUEST' } });
    });

    it('a client that disconnects before the end', async () => {
      const left = sendRaw(rawPart('x', 'y'.repeat(10)).slice(0, 90), { 'content-length': '5000' });
      const settled = left.then(() => 'answered').catch(() => 'gone');
      await until(() => keptFiles().length > before);
      (server.apis[0]?.app.getHttpServer() as Server).closeAllConnections();
      expect(await settled).toBe('gone');
      await until(() => keptFiles().length === before);
    });

    it('a request without a login', async () => {
      const response = await fetch(`${server.url}/api/v1/user_uploads`, {
        method: 'POST',
        body: form(['a', new Blob(['x']), 'a']),
      });
      expect(response.status).toBe(401);
    });
  });

  it.each([
    ['../../../etc/passwd', 'passwd', 'passwd'],
    ['..%2f..%2fetc%2fpasswd', 'passwd', 'passwd'],
    ['C:\\\\Users\\\\me\\\\a b.png', 'a b.png', 'a-b.png'],
    ['.htaccess', '.htaccess', '.htaccess'],
    ['<script>alert(1)</script>.html', 'script>.html', 'script.html'],
    ['a?b#c&d.txt', 'a?b#c&d.txt', 'abcd.txt'],
    ['Über ﬁnancé 日本.txt', 'Über ﬁnancé 日本.txt', 'Über-financé-日本.txt'],
    ['report%0d%0aSet-Cookie: x=1.txt', 'reportSet-Cookie: x=1.txt', 'reportSet-Cookie-x1.txt'],
    ['photo\u202egpj.exe', 'photogpj.exe', 'photogpj.exe'],
    ['%00.txt', '.txt', '.txt'],
    ['100%.txt', '100%.txt', '100.txt'],
    ['???', '???', 'uploaded-file'],
    [`${'x'.repeat(300)}.tar.gz`, `${'x'.repeat(248)}.tar.gz`, `${'x'.repeat(248)}.tar.gz`],
    ['%e2%80%ae', 'uploaded-file', 'uploaded-file'],
  ])('stores %j under a safe name', async (given, shown, inAddress) => {
    const { status, body } = await sendRaw(rawPart(given, 'x'));
    expect([status, body]).toEqual([200, expect.objectContaining({ filename: shown })]);
    const { url } = body as { url: string };
    expect(url.split('/').slice(5)).toEqual([inAddress]);
    const response = await download(ann, encodeURI(url));
    expect([response.status, await response.text()]).toEqual([200, 'x']);
    const disposition = response.headers.get('content-disposition') ?? '';
    const name = /; filename\*=UTF-8''([\w.%~!#$&+^`|-]+)$/.exec(disposition)?.[1] ?? '';
    expect(decodeURIComponent(name)).toBe(shown);
    expect(disposition).toMatch(/^(?:inline|attachment); filename="[^"\\%]*"; filename\*=/);
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; !holds(); n++) {
    if (n > 500) throw new Error('it never came about');
    await sleep(10);
  }
}
