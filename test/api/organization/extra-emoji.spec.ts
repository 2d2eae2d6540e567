import sharp from 'sharp';
import { granted } from '../../support/server/caller';
import { addEmoji, emojiOf } from '../../support/requests/emoji';
import { idOf, messageSeen, sendDirect } from '../../support/requests/messages';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PATH = '/static/generated/emoji/images/emoji/unicode/zulip.png';

/** The HTML of a text of the owner. */
const htmlOf = async (content: string) => {
  const { owner } = server;
  return (await messageSeen(owner, await idOf(sendDirect(owner, [owner.id], { content }))))['content'];
};
const image = (src: string) => `<p><img alt=":zulip:" class="emoji" src="${src}" title="zulip"></p>`;

describe('the emoji that every server has beside Unicode', () => {
  it('is a picture in texts, at a fixed public URL', async () => {
    expect(await htmlOf(':zulip:')).toBe(image(PATH));
    const answer = await fetch(server.url + PATH);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    const picture = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
  });

  it('is overridden by a custom emoji', async () => {
    const { owner } = server;
    granted(await addEmoji(owner, 'zulip'));
    const own = Object.values(await emojiOf(owner)).find(({ name }) => name === 'zulip');
    expect(await htmlOf(':zulip:')).toBe(image(own?.source_url ?? ''));
    granted(await owner.delete('/realm/emoji/zulip'));
    expect(await htmlOf(':zulip:')).toBe(image(PATH));
  });
});
