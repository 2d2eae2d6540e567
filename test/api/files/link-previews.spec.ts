import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Eraser, StorageCleanup } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { copiesOf } from '../../support/laws/copies';
import { tracesOf } from '../../support/laws/traces';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { idOf, messageSeen, send } from '../../support/requests/messages';

let server: TestServer;
let web: Server;
let page: RequestListener;
let asked: string[] = [];
let ann: Person;
let bob: Person;
let stranger: Person;
let channel: ChannelId;
beforeAll(async () => {
  web = createServer((request, response) => {
    asked.push(request.url ?? '');
    page(request, response);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  server = await startTestServer({
    env: { ANNALS_WEBHOOK_ALLOW: '127.0.0.1', ANNALS_URL: 'https://chat.example.com' },
  });
  ann = await server.person({ name: 'Ann' });
  bob = await server.person({ name: 'Bob' });
  stranger = await server.person({ name: 'Stan' });
  channel = await server.channel(ann, { name: 'links', subscribers: [ann, bob], invite_only: true });
});
afterAll(async () => {
  web.closeAllConnections();
  web.close();
  await server.close();
});
beforeEach(async () => {
  asked = [];
  page = html('<head><title>Cats</title><meta name="description" content="They &lt;sleep&gt;"></head>');
  granted(await server.owner.patch('/realm', { inline_url_embed_preview: true }));
});

const html =
  (text: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(text);
const urlOf = (path: string) => `http://127.0.0.1:${(web.address() as AddressInfo).port}${path}`;
const sent = (content: string) => idOf(send(ann, { to: channel, content }));
const htmlOf = async (id: number) => String((await messageSeen(bob, id))['content']);
const UPDATES = { event_types: ['update_message'], apply_markdown: true };
const below = (url: string) =>
  `<p><a href="${url}">${url}</a></p>\n<div class="message_embed">` +
  `<a class="message_embed_image" href="${url}" style="background-image: url(&quot;/static/images/link-preview.svg&quot;)"></a>` +
  `<div class="data-container"><div class="message_embed_title"><a href="${url}" title="Cats">Cats</a></div>` +
  `<div class="message_embed_description">They &lt;sleep&gt;</div></div></div>`;

describe('a page that a message links to', () => {
  it('is shown below the text, for all who may see the message', async () => {
    const url = urlOf('/cats');
    const id = await sent(url);
    let others: readonly unknown[] = [id];
    const events = await bob.receive(async () => {
      others = await stranger.receive(() => server.previewLinks(), UPDATES);
    }, UPDATES);
    expect(events).toMatchObject([
      { rendering_only: true, user_id: null, message_id: id, content: url, rendered_content: below(url) },
    ]);
    expect([others, await htmlOf(id)]).toEqual([[], below(url)]);
    await server.previewLinks();
    expect(asked).toEqual(['/cats']);
  });

  it('is not asked if the organization does not want it, which is the default', async () => {
    granted(await server.owner.patch('/realm', { inline_url_embed_preview: false }));
    const id = await sent(urlOf('/unwanted'));
    await server.previewLinks();
    expect([asked, await htmlOf(id)]).toEqual([[], `<p><a href="${urlOf('/unwanted')}">${urlOf('/unwanted')}</a></p>`]);
  });

  it('is not asked if the text was edited or deleted meanwhile, and the new one is', async () => {
    const [edited, deleted] = [await sent(urlOf('/old')), await sent(urlOf('/deleted'))];
    granted(await ann.patch(`/messages/${edited}`, { content: urlOf('/new') }));
    granted(await ann.delete(`/messages/${deleted}`));
    await server.previewLinks();
    expect(asked).toEqual(['/new']);
    expect(await htmlOf(edited)).toBe(below(urlOf('/new')));
  });

  it('disappears with the link', async () => {
    const id = await sent(urlOf('/cats'));
    await server.previewLinks();
    granted(await ann.patch(`/messages/${id}`, { content: 'no link' }));
    expect(await htmlOf(id)).toBe('<p>no link</p>');
  });

  it('is one of at most five', async () => {
    await sent(Array.from({ length: 7 }, (_, n) => urlOf(`/${n}`)).join(' '));
    await server.previewLinks();
    expect(asked.sort()).toEqual(['/0', '/1', '/2', '/3', '/4']);
  });

  it('is erased with the message', async () => {
    page = html('<title>calpurnia-dream</title><meta name="description" content="caesar-statue">');
    const id = await sent(urlOf('/ides-of-march'));
    await server.previewLinks();
    const words = ['calpurnia-dream', 'caesar-statue', 'ides-of-march'];
    const { pool } = server.kernel.database;
    expect((await copiesOf(pool, words)).map(([, tables]) => tables)).toEqual([
      ['events'],
      ['events'],
      expect.arrayContaining(['events']),
    ]);
    granted(await ann.delete(`/messages/${id}`));
    await server.settled();
    await new Eraser(server.kernel, 0).sweep();
    await server.settled();
    await pool.query('ANALYZE');
    expect(await new StorageCleanup(server.kernel).run()).toMatchObject({ left: null });
    expect(await copiesOf(pool, words)).toEqual([]);
    for (const word of words) expect(await tracesOf(pool, word)).toEqual([]);
  });
});

describe('there is no preview', () => {
  it.each<[string, RequestListener]>([
    ['of what is no page', html('{"title": "x"}', { 'content-type': 'application/json' })],
    ['of an image', html('<title>x</title>', { 'content-type': 'image/svg+xml' })],
    ['of a page without a title', html('<p>hello</p>')],
    ['of an error', (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<title>x</title>')],
    ['of a compressed answer', html('<title>x</title>', { 'content-encoding': 'gzip' })],
    ['of a server that hangs up', (request) => request.socket.destroy()],
    [
      'of a redirect into the own network',
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.2/' }).end(),
    ],
    ['of a redirect to a file', (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()],
  ])('%s', async (_, listener) => {
    page = listener;
    const id = await sent(urlOf('/x'));
    await server.previewLinks();
    expect([asked, await htmlOf(id)]).toEqual([['/x'], `<p><a href="${urlOf('/x')}">${urlOf('/x')}</a></p>`]);
  });

  it.each(['http://127.0.0.2/', 'http://[::1]/', 'http://169.254.169.254/latest/', 'http://localhost.invalid/'])(
    'of %s',
    async (url) => {
      const id = await sent(url);
      await server.previewLinks();
      expect(await htmlOf(id)).not.toContain('message_embed');
    },
  );

  it('and no request for what is quoted, on this server, or no page', async () => {
    const links = ['> http://127.0.0.1:1/quoted', 'https://chat.example.com/#narrow/x', '[m](mailto:a@example.com)'];
    await sent(`${links.join('\n\n')}\n\n${urlOf('/cat.png')}`);
    await server.previewLinks();
    expect(asked).toEqual([]);
  });
});

describe('the setting', () => {
  it('is for administrators, and clients see it', async () => {
    expect((await ann.patch('/realm', { inline_url_embed_preview: true })).body).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect(await ann.register({ fetch_event_types: ['realm'] })).toMatchObject({
      realm_inline_url_embed_preview: true,
      server_inline_url_embed_preview: true,
    });
  });
});
