import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { WireEmoji } from '../../support/requests/emoji';
import { PNG, addEmoji, emojiOf } from '../../support/requests/emoji';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { Picture } from '../../support/requests/pictures';
import { animation, picture } from '../../support/requests/pictures';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let mia: Person;
let otto: Person;
let open: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  mia = await server.person({ name: 'Mia' });
  otto = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { subscribers: [owner, mia, otto] });
});
afterAll(() => server.close());

const plain = ({ status, body }: { status: number; body: object }) => ({ status, body });
const refused = (msg?: string, code = 'BAD_REQUEST') => ({
  status: 400,
  body: { result: 'error', code, ...(msg && { msg }) },
});
const remove = (by: Person, name: string) => by.delete(`/realm/emoji/${name}`);
const named = async (name: string): Promise<WireEmoji> => {
  const found = Object.values(await emojiOf(owner)).find((one) => one.name === name && !one.deactivated);
  if (!found) throw new Error(`no emoji ${name}`);
  return found;
};
const post = async (by: Person, content = 'so') =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic: 'x', content })).id;
const react = (by: Person, id: number, params: Params) => by.post(`/messages/${id}/reactions`, params);
const html = async (id: number) =>
  granted(await mia.get<{ message: { content: string } }>(`/messages/${id}`)).message.content;
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const served = async (url: string | null) => {
  const answer = await fetch(`${server.url}${url ?? '/nowhere'}`);
  return { answer, content: Buffer.from(await answer.arrayBuffer()) };
};
const files = () => {
  const folder = join(server.dataDir, 'files', '1', 'emoji');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};
const FILE = /^\/user_avatars\/1\/emoji\/images\/[0-9a-f]{32}\.png$/;

describe('POST /realm/emoji/{emoji_name}', () => {
  it('adds one with a public picture', async () => {
    const { status, body } = await addEmoji(mia, 'mascot');
    expect({ status, body }).toEqual({
      status: 200,
      body: { result: 'success', msg: '', ignored_parameters_unsupported: ['note'] },
    });
    const emoji = await named('mascot');
    expect(emoji).toEqual({
      id: expect.stringMatching(/^\d+$/) as string,
      name: 'mascot',
      source_url: expect.stringMatching(FILE) as string,
      still_url: null,
      deactivated: false,
      author_id: mia.id,
    });
    const { answer, content } = await served(emoji.source_url);
    expect(await sharp(content).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(content.length),
      'x-content-type-options': 'nosniff',
    });
    expect((await fetch(server.url + emoji.source_url, { method: 'HEAD' })).status).toBe(200);
    const elsewhere = emoji.source_url.replace('/1/', '/2/');
    for (const path of [elsewhere, emoji.source_url.replace('.png', '.gif'), '/user_avatars/1/emoji/images/..%2fx']) {
      expect((await fetch(server.url + path)).status).toBe(404);
    }
  });

  it.each([
    ['', 405],
    ['Parrot', 400],
    ['par.rot', 400],
    ['pärrot', 400],
    ['parrot_', 400],
    ['x'.repeat(61), 400],
    ['%20', 400],
  ])('refuses the name %j', async (name, status) => {
    expect(await addEmoji(owner, name)).toMatchObject({ status, body: { result: 'error', code: 'BAD_REQUEST' } });
  });

  it('reads blanks as underscores', async () => {
    granted(await addEmoji(owner, ' dancing bear '));
    expect(await named('dancing_bear')).toMatchObject({ author_id: owner.id });
  });

  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('resizes a %s to a square that contains it', async (kind) => {
    granted(await addEmoji(owner, `a-${kind}`, [await picture(kind, { width: 90, height: 30, color: '#ff0000' })]));
    const { source_url, still_url } = await named(`a-${kind}`);
    expect([source_url, still_url]).toEqual([expect.stringMatching(FILE), null]);
    const { content } = await served(source_url);
    const drawn = sharp(content).ensureAlpha();
    expect(await drawn.metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
    const alpha = async (top: number) =>
      (await drawn.clone().extract({ left: 3, top, width: 1, height: 1 }).raw().toBuffer())[3];
    expect([await alpha(3), await alpha(32)]).toEqual([0, 255]);
  });

  it('removes camera metadata', async () => {
    const sent = await sharp(await picture('jpeg'))
      .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .toBuffer();
    granted(await addEmoji(owner, 'journey', [new Uint8Array(sent)]));
    const { content } = await served((await named('journey')).source_url);
    expect((await sharp(content).metadata()).exif).toBeUndefined();
  });

  it.each(['gif', 'webp'] as const)('keeps the animation of a %s, and stores a still image', async (kind) => {
    const moving = await animation(kind);
    const input = { event_types: ['realm_emoji'], client_capabilities: { individual_emoji_changes: true } };
    const received = await otto.receive(async () => granted(await addEmoji(mia, `my-${kind}`, [moving])), input);
    const emoji = await named(`my-${kind}`);
    const stem = /images\/([0-9a-f]{32})\./.exec(emoji.source_url)?.[1] ?? '';
    const address = `/user_avatars/1/emoji/images/${stem}`;
    expect(emoji).toMatchObject({ source_url: `${address}.${kind}`, still_url: `${address}-still.png` });
    expect(received).toMatchObject([{ op: 'add', emoji }]);
    const { realm_emoji } = await otto.register({ fetch_event_types: ['realm_emoji'] });
    expect(realm_emoji).toMatchObject({ [emoji.id]: emoji });
    const { answer, content } = await served(emoji.source_url);
    expect(answer.headers.get('content-type')).toBe(`image/${kind}`);
    expect(await sharp(content).metadata()).toMatchObject({ format: kind, width: 64, height: 64, pages: 3 });
    const still = await served(emoji.still_url);
    expect(Object.fromEntries(still.answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(still.content.length),
    });
    expect(await sharp(still.content).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
    granted(await remove(mia, `my-${kind}`));
    expect((await served(emoji.still_url)).answer.status).toBe(200);
  });

  it('refuses what cannot be decoded, and stores nothing', async () => {
    const before = files();
    const refusedAs = async (pictures: readonly Picture[], msg: string) => {
      for (const one of pictures) expect(await addEmoji(owner, 'none', [one])).toMatchObject(refused(msg, 'BAD_IMAGE'));
    };
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    await refusedAs(['', 'text', svg].map(bytes), 'Invalid image format');
    const broken = ['GIF89a and so on', '\xff\xd8\xff\xe0 and so on', 'RIFF1234WEBP and so on'].map(bytes);
    const whole = [...(await Promise.all((['png', 'jpeg', 'gif', 'webp'] as const).map((kind) => picture(kind))))];
    for (const kind of ['gif', 'webp'] as const) whole.push(await animation(kind, { width: 64, height: 64 }));
    const cut = whole.map((one) => one.slice(0, Math.floor(one.length * 0.8)));
    await refusedAs([...broken, ...cut], 'Could not decode image; did you upload an image file?');
    const vast = await picture('png', { width: 10_000, height: 6_000 });
    const long = await animation('gif', { width: 3_000, height: 3_000, frames: 6 });
    await refusedAs([vast, long], 'Image size exceeds limit.');
    expect(files()).toEqual(before);
    const { rowCount } = await server.kernel.database.pool.query('SELECT FROM unsettled_files');
    expect(rowCount).toBe(0);
    expect(Object.values(await emojiOf(owner)).map(({ name }) => name)).not.toContain('none');
  });

  it('accepts one picture of up to 5 MiB', async () => {
    const large = new Uint8Array(5 * 1024 * 1024 + 1);
    large.set(PNG);
    expect(await addEmoji(owner, 'none', [large])).toMatchObject(refused());
    expect(await addEmoji(owner, 'none', [])).toMatchObject(refused());
    expect(await addEmoji(owner, 'none', [new Uint8Array(PNG), new Uint8Array(PNG)])).toMatchObject(refused());
    expect(await owner.post('/realm/emoji/none', { filename: 'x' })).toMatchObject(refused());
    expect(Object.values(await emojiOf(owner)).map(({ name }) => name)).not.toContain('none');
  });

  it('refuses a name in use', async () => {
    granted(await addEmoji(mia, 'taken'));
    expect(await addEmoji(otto, 'taken')).toMatchObject(refused('A custom emoji with this name already exists.'));
    granted(await remove(mia, 'taken'));
    granted(await addEmoji(otto, 'taken'));
  });

  it('is allowed as the organization says, and only administrators may override standard emoji', async () => {
    const guest = await server.person({ role: 'guest' });
    expect(await addEmoji(guest, 'guesty')).toMatchObject(refused());
    for (const name of ['tada', 'zulip']) {
      expect(await addEmoji(mia, name)).toMatchObject(refused('Only administrators can override default emoji.'));
      granted(await addEmoji(owner, name));
      granted(await remove(owner, name));
    }
    const setting = (direct_members: number[]) => ({
      can_add_custom_emoji_group: { new: { direct_members, direct_subgroups: [] } },
    });
    granted(await owner.patch('/realm', setting([owner.id, mia.id])));
    expect(await addEmoji(otto, 'ottos')).toMatchObject(refused('You do not have permission to add custom emoji.'));
    granted(await addEmoji(mia, 'mias'));
  });
});

describe('DELETE /realm/emoji/{emoji_name}', () => {
  it('deactivates it, for its author and administrators', async () => {
    for (const [name, by] of [
      ['ours', mia],
      ['theirs', owner],
    ] as const) {
      granted(await addEmoji(mia, name));
      const { id } = await named(name);
      expect(await remove(otto, name)).toMatchObject(refused('Must be an organization administrator or emoji author'));
      expect(plain(await remove(by, name))).toEqual({ status: 200, body: { result: 'success', msg: '' } });
      expect((await emojiOf(otto))[id]).toMatchObject({ name, deactivated: true });
      expect(await remove(by, name)).toMatchObject({ status: 404, body: { code: 'BAD_REQUEST' } });
    }
    expect(await remove(owner, 'never')).toMatchObject({ status: 404, body: { code: 'BAD_REQUEST' } });
  });
});

describe('a custom emoji', () => {
  it('can be used in reactions while it is active, and such reactions can be joined afterwards', async () => {
    granted(await addEmoji(mia, 'logo'));
    const { id: code } = await named('logo');
    const id = await post(mia);
    granted(await react(mia, id, { emoji_name: 'logo' }));
    const whole = { emoji_name: 'logo', emoji_code: code, reaction_type: 'realm_emoji' };
    expect(await react(mia, id, whole)).toMatchObject(refused(undefined, 'REACTION_ALREADY_EXISTS'));
    granted(await remove(mia, 'logo'));
    granted(await react(otto, id, whole));
    const { message } = granted(await mia.get<{ message: { reactions: object[] } }>(`/messages/${id}`));
    expect(message.reactions).toEqual([mia, otto].map((one) => ({ ...whole, user_id: one.id })));
    const other = await post(mia);
    expect(await react(otto, other, whole)).toMatchObject(refused('This custom emoji has been deactivated.'));
    expect(await react(otto, other, { emoji_name: 'logo' })).toMatchObject(refused());
    granted(await mia.delete(`/messages/${id}/reactions`, { emoji_name: 'logo', reaction_type: 'realm_emoji' }));
  });

  it('overrides a Unicode emoji, in texts and reactions', async () => {
    granted(await addEmoji(owner, 'heart'));
    const { id: emoji_code, source_url } = await named('heart');
    const id = await post(otto, 'I :heart: `:heart:` :tada:');
    granted(await react(otto, id, { emoji_name: 'heart' }));
    granted(await remove(owner, 'heart'));
    granted(await react(mia, id, { emoji_name: 'heart' }));
    const own = `<img alt=":heart:" class="emoji" src="${source_url}" title="heart">`;
    const tada = '<span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span>';
    expect(await html(id)).toBe(`<p>I ${own} <code>:heart:</code> ${tada}</p>`);
    expect(await html(await post(otto, ':heart:'))).toContain('emoji-2764');
    const { message } = granted(await mia.get<{ message: { reactions: object[] } }>(`/messages/${id}`));
    expect(message.reactions).toMatchObject([
      { user_id: otto.id, emoji_code, reaction_type: 'realm_emoji' },
      { user_id: mia.id, emoji_code: '2764', reaction_type: 'unicode_emoji' },
    ]);
  });
});
