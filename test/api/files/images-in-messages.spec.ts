import type { ChannelId } from '@annals/kernel/domain';
import sharp from 'sharp';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { PollingClient } from '../../support/events/polling-client';
import { idOf, messageSeen, send, sendDirect } from '../../support/requests/messages';
import { animation, picture } from '../../support/requests/pictures';
import { attachmentsOf, uploadFile } from '../../support/requests/uploads';

let server: TestServer;
let ann: Person;
let bob: Person;
let stranger: Person;
let channel: ChannelId;
beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person({ name: 'Ann' });
  bob = await server.person({ name: 'Bob' });
  stranger = await server.person({ name: 'Stan' });
  channel = await server.channel(ann, { name: 'pictures', subscribers: [ann, bob], invite_only: true });
});
afterAll(() => server.close());

const SIZE = 'data-original-dimensions="100x50"';
const PNG = 'data-original-content-type="image/png"';
const SPINNER = '/static/images/loading/image.svg';
const UPDATES = { event_types: ['update_message'], apply_markdown: true };

const uploadImage = async (name = 'cat.png') =>
  (await uploadFile(ann, await picture('png', { width: 100, height: 50 }), { name })).url;
const below = (url: string, format = '840x560.webp') =>
  `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`;
const shown = (url: string, title: string, img: string) =>
  `<p><a href="${url}">${title}</a></p>\n<div class="message_inline_image"><a href="${url}" title="${title}">${img}</a></div>`;
const sent = (content: string) => idOf(send(ann, { to: channel, content }));
const htmlOf = async (by: Person, id: number) => (await messageSeen(by, id))['content'];
const html = (url: string) => ({
  awaited: shown(url, 'cat', `<img class="image-loading-placeholder" ${PNG} ${SIZE} src="${SPINNER}">`),
  ready: shown(url, 'cat', `<img ${PNG} ${SIZE} src="${below(url)}">`),
  refused: `<p><a href="${url}">cat</a></p>`,
});

describe('an uploaded image in a message', () => {
  it('has a placeholder of its size, and then its thumbnail, for all who may see the message', async () => {
    const url = await uploadImage();
    const id = await sent(`[cat](${url})`);
    expect([await htmlOf(ann, id), await htmlOf(bob, id)]).toEqual([html(url).awaited, html(url).awaited]);
    let others: readonly unknown[] = [id];
    const events = await bob.receive(async () => {
      others = await stranger.receive(() => server.makeThumbnails(), UPDATES);
    }, UPDATES);
    expect(events.map(({ id: _, ...event }) => event)).toEqual([
      {
        type: 'update_message',
        rendering_only: true,
        user_id: null,
        edit_timestamp: expect.any(Number) as number,
        message_id: id,
        message_ids: [id],
        content: `[cat](${url})`,
        rendered_content: html(url).ready,
        flags: [],
      },
    ]);
    expect(others).toEqual([]);
    expect([await htmlOf(ann, id), await htmlOf(bob, id)]).toEqual([html(url).ready, html(url).ready]);
    const { edit_history, last_edit_timestamp } = await messageSeen(bob, id);
    expect([edit_history, last_edit_timestamp]).toEqual([undefined, undefined]);
  });

  it('has its thumbnail at once if that exists when the message is sent', async () => {
    const url = await uploadImage();
    await server.makeThumbnails();
    const [event] = await bob.receive(() => sent(`[cat](${url})`), { event_types: ['message'], apply_markdown: true });
    expect(event?.['message']).toMatchObject({ content: html(url).ready });
  });

  it('disappears from the text if it is no image, and the link stays', async () => {
    const { url } = await uploadFile(ann, 'hello', { name: 'cat.png' });
    const id = await idOf(sendDirect(ann, [bob.id], { content: `[cat](${url})` }));
    const placeholder = `<img class="image-loading-placeholder" src="${SPINNER}">`;
    expect(await htmlOf(bob, id)).toBe(shown(url, 'cat', placeholder));
    const [event] = await bob.receive(() => server.makeThumbnails(), UPDATES);
    expect(event).toMatchObject({ rendering_only: true, rendered_content: html(url).refused });
    expect(await htmlOf(bob, id)).toBe(html(url).refused);
  });

  it('is shown in the text where the text says so', async () => {
    const url = await uploadImage();
    const id = await sent(`see ![my cat](${url})`);
    const img = (classes: string, src: string) =>
      `<p>see <img alt="my cat" class="${classes}" ${PNG} ${SIZE} data-original-src="${url}" src="${src}"></p>`;
    expect(await htmlOf(bob, id)).toBe(img('inline-image image-loading-placeholder', SPINNER));
    await server.makeThumbnails();
    expect(await htmlOf(bob, id)).toBe(img('inline-image', below(url)));
  });

  it('that is no image is a link in the text', async () => {
    const { url } = await uploadFile(ann, 'hello', { name: 'cat.png' });
    const id = await sent(`see ![my cat](${url}) and [![no](${url})](https://example.com)`);
    await server.makeThumbnails();
    expect(await htmlOf(bob, id)).toBe(
      `<p>see <a href="${url}">my cat</a> and <a href="https://example.com">no</a></p>`,
    );
  });

  it('moves if it is an animation', async () => {
    const { url } = await uploadFile(ann, await animation('gif'), { name: 'cat.gif' });
    const id = await sent(`[cat](${url})`);
    await server.makeThumbnails();
    const facts = 'data-animated="true" data-original-content-type="image/gif" data-original-dimensions="90x30"';
    expect(await htmlOf(bob, id)).toBe(shown(url, 'cat', `<img ${facts} src="${below(url, '840x560-anim.webp')}">`));
  });

  it('is also there in a form that browsers show', async () => {
    const tiff = await sharp(await picture('png', { width: 100, height: 50 }))
      .tiff()
      .toBuffer();
    const { url } = await uploadFile(ann, new Uint8Array(tiff), { name: 'cat.tiff' });
    const id = await sent(`[cat](${url})`);
    await server.makeThumbnails();
    const facts = `data-original-content-type="image/tiff" ${SIZE} data-transcoded-image="4032x3024.webp"`;
    expect(await htmlOf(bob, id)).toBe(shown(url, 'cat', `<img ${facts} src="${below(url)}">`));
  });

  it('keeps its place in the HTML after the file was deleted', async () => {
    const url = await uploadImage();
    const id = await sent(`[cat](${url})`);
    await server.makeThumbnails();
    granted(await ann.delete(`/attachments/${(await attachmentsOf(ann)).attachments.at(-1)?.id}`));
    expect(await htmlOf(bob, id)).toBe(html(url).ready);
  });

  it('is no image in a text of somebody who may not download it', async () => {
    const url = await uploadImage();
    await server.makeThumbnails();
    const id = await idOf(sendDirect(stranger, [bob.id], { content: `[cat](${url})` }));
    expect(await htmlOf(bob, id)).toBe(html(url).refused);
    const { rendered } = granted(
      await stranger.post<{ rendered: string }>('/messages/render', { content: `[cat](${url})` }),
    );
    expect(rendered).toBe(html(url).refused);
  });

  it('is shown in a preview of the text to its author', async () => {
    const url = await uploadImage();
    const rendered = async () =>
      granted(await ann.post<{ rendered: string }>('/messages/render', { content: `[cat](${url})` })).rendered;
    expect(await rendered()).toBe(html(url).awaited);
    await server.makeThumbnails();
    expect(await rendered()).toBe(html(url).ready);
  });

  it('has a public placeholder that runs nothing', async () => {
    const response = await fetch(server.url + SPINNER);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });
});

describe('an edited message', () => {
  it('shows the images of each of its texts in its history', async () => {
    const [first, second] = [await uploadImage(), await uploadImage()];
    const id = await sent(`[cat](${first})`);
    granted(await ann.patch(`/messages/${id}`, { content: `[cat](${second})` }));
    await server.makeThumbnails();
    const { edit_history, content } = await messageSeen(bob, id);
    expect([content, edit_history]).toMatchObject([html(second).ready, [{ prev_rendered_content: html(first).ready }]]);
    const { message_history } = granted(
      await bob.get<{ message_history: { rendered_content: string }[] }>(`/messages/${id}/history`),
    );
    expect(message_history.map((one) => one.rendered_content)).toEqual([html(first).ready, html(second).ready]);
  });

  it('that links to an image no more is not updated', async () => {
    const url = await uploadImage();
    const id = await sent(`[cat](${url})`);
    granted(await ann.patch(`/messages/${id}`, { content: 'no cat' }));
    expect(await bob.receive(() => server.makeThumbnails(), UPDATES)).toEqual([]);
    expect(await htmlOf(bob, id)).toBe('<p>no cat</p>');
  });
});

describe('a worker', () => {
  it('makes thumbnails by itself when an image was uploaded', async () => {
    await server.startThumbnails();
    const url = await uploadImage();
    const client = new PollingClient(bob, await bob.register(UPDATES));
    const id = await sent(`[cat](${url})`);
    const isReady = async () => (await htmlOf(bob, id)) === html(url).ready;
    // The worker may have been faster than the message.
    if (!(await isReady())) expect((await client.received(1))[0]).toMatchObject({ message_id: id });
    await client.stop();
    expect(await isReady()).toBe(true);
  });
});
