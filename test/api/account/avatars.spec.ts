import type { RealmId } from '@annals/kernel/domain';
import sharp from 'sharp';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { PIXEL, picture, sendPicture, setAvatar } from '../../support/requests/pictures';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person({ name: 'Ann' });
  ben = await server.person({ name: 'Ben' });
});
afterAll(() => server.close());

interface Shown {
  readonly avatar_url: string | null;
  readonly avatar_version: number;
}
const shown = async (by: Person, of: Person, client_gravatar = true) =>
  granted(await by.get<{ user: Shown }>(`/users/${of.id}`, { client_gravatar })).user;
const refused = (code: string, msg: string) => ({ status: 400, body: { result: 'error', code, msg } });
const own = /^\/user_avatars\/1\/[0-9a-f]{32}\.png\?version=\d+$/;
const gravatar = /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=\d+$/;
const bytesAt = async (path: string) => Buffer.from(await (await fetch(server.url + path)).arrayBuffer());

describe('POST /users/me/avatar', () => {
  it('shows a picture to all users, in two sizes', async () => {
    const { status, body } = await setAvatar(ann, await picture('jpeg', { width: 700, height: 300, color: '#ff0000' }));
    expect([status, body]).toEqual([
      200,
      { result: 'success', msg: '', avatar_url: expect.stringMatching(own) as string },
    ]);
    const { avatar_url } = body;
    expect(await shown(ben, ann)).toMatchObject({ avatar_url, avatar_version: 2 });
    for (const [path, edge] of [
      [avatar_url, 100],
      [avatar_url.replace('.png', '-medium.png'), 500],
    ] as const) {
      const drawn = sharp(await bytesAt(path));
      expect(await drawn.metadata()).toMatchObject({ format: 'png', width: edge, height: edge });
      const { dominant } = await drawn.stats();
      expect([dominant.r > 200, dominant.g < 50, dominant.b < 50]).toEqual([true, true, true]);
    }
  });

  it('serves it without a login, and no other file', async () => {
    const { avatar_url } = granted(await setAvatar(ann));
    const answer = await fetch(server.url + avatar_url);
    expect(answer.status).toBe(200);
    const length = String((await answer.arrayBuffer()).byteLength);
    const headers = { 'content-type': 'image/png', 'content-length': length, 'x-content-type-options': 'nosniff' };
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...headers,
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const head = await fetch(server.url + avatar_url, { method: 'HEAD' });
    expect([head.status, Object.fromEntries(head.headers)]).toEqual([200, expect.objectContaining(headers)]);
    const [path = ''] = avatar_url.split('?');
    const others = ['/1/', '/2/', '/1/..%2femoji%2fx.png', `/1/${'1'.repeat(32)}.png`, '/1/x.png'];
    for (const other of [...others.map((one) => `/user_avatars${one}`), path.replace('/1/', '/2/'), `${path}.part.`]) {
      expect((await fetch(server.url + other)).status).toBe(404);
    }
  });

  it('removes camera metadata, and rotates the picture upright', async () => {
    const left = { width: 40, height: 80, channels: 3 as const, background: '#0000ff' };
    const right = { input: { create: { ...left, background: '#ffffff' } }, left: 40, top: 0 };
    const sent = await sharp({ create: { ...left, width: 80 } })
      .composite([right])
      .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { avatar_url } = granted(await setAvatar(ann, new Uint8Array(sent)));
    const bytes = await bytesAt(avatar_url.replace('.png', '-medium.png'));
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    const pixel = async (top: number) =>
      (await sharp(bytes).extract({ left: 250, top, width: 1, height: 1 }).raw().toBuffer())[0] ?? -1;
    expect([(await pixel(50)) < 60, (await pixel(450)) > 200]).toEqual([true, true]);
  });

  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('accepts %s', async (kind) => {
    granted(await setAvatar(ben, await picture(kind)));
    expect((await shown(ann, ben)).avatar_url).toMatch(own);
  });

  it('refuses every other format, and keeps the former picture', async () => {
    const before = await shown(ann, ben);
    const text = (written: string) => new Uint8Array(Buffer.from(written, 'latin1'));
    const none = [text(''), text('text'), text('<svg xmlns="http://www.w3.org/2000/svg"/>'), text('BM6\0\0\0')];
    for (const one of [...none, new Uint8Array(await sharp(PIXEL).resize(9).tiff().toBuffer())]) {
      expect(await setAvatar(ben, one)).toMatchObject(refused('BAD_IMAGE', 'Invalid image format'));
    }
    const whole = await picture('png', { width: 300, height: 300 });
    const broken = [text('GIF89a and so on'), text('\xff\xd8\xff\xe0 and so on'), text('RIFF1234WEBP and so on')];
    const msg = 'Could not decode image; did you upload an image file?';
    for (const one of [...broken, whole.slice(0, whole.length - 40), PIXEL.slice(0, 40)]) {
      expect(await setAvatar(ben, one)).toMatchObject(refused('BAD_IMAGE', msg));
    }
    const vast = await picture('png', { width: 10_000, height: 6_000 });
    expect(await setAvatar(ben, vast)).toMatchObject(refused('BAD_IMAGE', 'Image size exceeds limit.'));
    const large = new Uint8Array(5 * 1024 * 1024 + 1);
    large.set(PIXEL);
    const tooLarge = 'Uploaded file is larger than the allowed limit of 5 MiB';
    expect(await setAvatar(ben, large)).toMatchObject(refused('BAD_REQUEST', tooLarge));
    const one = 'You must upload exactly one avatar.';
    expect(await sendPicture(ben, 'POST', '/users/me/avatar', { pictures: [] })).toMatchObject(
      refused('BAD_REQUEST', one),
    );
    expect(await ben.post('/users/me/avatar', { file: 'x' })).toMatchObject(refused('BAD_REQUEST', one));
    expect((await setAvatar(ben, PIXEL, PIXEL)).status).toBe(400);
    expect(await shown(ann, ben)).toEqual(before);
  });
});

describe('DELETE /users/me/avatar', () => {
  it('shows the Gravatar picture again, and the file is deleted', async () => {
    const { avatar_url: had } = granted(await setAvatar(ben));
    const { avatar_version } = await shown(ann, ben);
    const { avatar_url } = granted(await ben.delete<{ avatar_url: string }>('/users/me/avatar'));
    expect(avatar_url).toMatch(gravatar);
    expect(await shown(ann, ben, false)).toMatchObject({ avatar_url, avatar_version: avatar_version + 1 });
    expect(await shown(ann, ben)).toMatchObject({ avatar_url: null });
    for (const removed of [had, had.replace('.png', '-medium.png')]) {
      expect((await fetch(server.url + removed)).status).toBe(404);
    }
    const received = await ann.receive(() => ben.delete('/users/me/avatar'), 'realm_user');
    expect(received).toEqual([]);
  });
});

describe('avatar_changes_disabled', () => {
  it('allows it to administrators only', async () => {
    const chief = await server.person({ role: 'administrator' });
    granted(await owner.patch('/realm', { avatar_changes_disabled: true }));
    const no = refused('BAD_REQUEST', 'Avatar changes are disabled in this organization.');
    expect(await setAvatar(ann)).toMatchObject(no);
    expect(await ann.delete('/users/me/avatar')).toMatchObject(no);
    granted(await setAvatar(chief));
    granted(await chief.delete('/users/me/avatar'));
    granted(await owner.patch('/realm', { avatar_changes_disabled: false }));
    granted(await setAvatar(ann));
  });
});

describe('a picture', () => {
  it('is sent to all clients, also when it is removed', async () => {
    const before = await shown(ann, ben);
    const received = await ann.receive(async () => {
      granted(await setAvatar(ben));
      granted(await ben.delete('/users/me/avatar'));
    }, 'realm_user');
    const urls = received.map(({ person }) => (person as { avatar_url: string }).avatar_url);
    expect(received).toEqual(
      [
        ['U', '-medium.png', own],
        ['G', '&s=500', gravatar],
      ].map(([avatar_source, medium, url], n) => ({
        id: expect.any(Number) as number,
        type: 'realm_user',
        op: 'update',
        person: {
          user_id: ben.id,
          avatar_source,
          avatar_url: expect.stringMatching(url as RegExp) as string,
          avatar_url_medium: expect.stringContaining(medium as string) as string,
          avatar_version: before.avatar_version + 1 + n,
        },
      })),
    );
    expect(new Set(urls).size).toBe(2);
  });

  it('is shown by POST /register and with messages', async () => {
    const { avatar_url } = granted(await setAvatar(ben));
    const mine = await ben.register({ fetch_event_types: ['realm_user'] });
    expect(mine).toMatchObject({
      avatar_url,
      avatar_url_medium: avatar_url.replace('.png', '-medium.png'),
      avatar_source: 'U',
    });
    const { realm_users } = await ann.register({ fetch_event_types: ['realm_user'] });
    const listed = (realm_users as { user_id: number }[]).find(({ user_id }) => user_id === ben.id);
    expect(listed).toMatchObject({ avatar_url });
    const received = await ann.receive(
      () => ben.post('/messages', { type: 'direct', to: [ann.id], content: 'hi' }),
      'message',
    );
    expect(received).toMatchObject([{ message: { avatar_url } }]);
    const asked = { anchor: 'newest', num_before: 1, num_after: 0 };
    const { messages } = granted(await ann.get<{ messages: object[] }>('/messages', asked));
    expect(messages).toMatchObject([{ sender_id: ben.id, avatar_url }]);
    granted(await ben.delete('/users/me/avatar'));
    expect(granted(await ann.get('/messages', asked))).toMatchObject({ messages: [{ avatar_url: null }] });
  });

  it('of a user with a hidden email does not reveal the email', async () => {
    const shy = await server.person();
    const open = await shown(ann, shy, false);
    granted(await shy.patch('/settings', { email_address_visibility: 4 }));
    const hidden = await shown(ann, shy);
    expect(hidden.avatar_url).toMatch(gravatar);
    expect(hidden.avatar_url).not.toBe(open.avatar_url);
    expect(await shown(shy, shy, false)).toEqual(expect.objectContaining({ avatar_url: open.avatar_url }));
  });
});

describe('an account without a picture of its own', () => {
  const generated = /^\/user_avatars\/1\/0{16}[0-9a-f]{16}\.png\?version=\d+$/;
  const choose = async (default_avatar_source: 'G' | 'J') =>
    granted(await owner.patch('/realm', { default_avatar_source }));
  const pathOf = async (of: Person) => (await shown(ann, of)).avatar_url?.split('?')[0] ?? '';
  beforeAll(() => choose('J'));
  afterAll(() => choose('G'));

  it('has a generated one if the organization wants that, unless the account was there before', async () => {
    expect((await shown(ann, owner, false)).avatar_url).toMatch(gravatar);
    const cyd = await server.person({ name: 'Cyd' });
    const { avatar_url } = await shown(ann, cyd);
    for (const one of [cyd, await server.bot(cyd)]) {
      const avatar = { avatar_url: expect.stringMatching(generated) as string, avatar_version: 1 };
      expect(await shown(ann, one)).toMatchObject(avatar);
    }
    const mine = await cyd.register({ fetch_event_types: ['realm', 'realm_user'] });
    expect(mine).toMatchObject({ avatar_source: 'J', avatar_url, realm_default_avatar_source: 'J' });
    const sent = await cyd.post<{ id: number }>('/messages', { type: 'direct', to: [ann.id], content: 'hi' });
    expect(granted(await ann.get(`/messages/${granted(sent).id}`))).toMatchObject({ message: { avatar_url } });
    const [added] = await ann.receive(() => server.person({ name: 'Dan' }), 'realm_user');
    expect(added).toMatchObject({ op: 'add', person: { avatar_url: expect.stringMatching(generated) as string } });
  });

  it('shows the same one after an own one and in the past, and the Gravatar picture if that is the default', async () => {
    const eve = await server.person({ name: 'Eve' });
    const path = await pathOf(eve);
    const then = (await server.kernel.events.heads()).get(1 as RealmId) ?? 0;
    granted(await setAvatar(eve));
    const [removed] = await ann.receive(() => eve.delete('/users/me/avatar'), 'realm_user');
    expect(removed).toMatchObject({ person: { avatar_source: 'J', avatar_url: `${path}?version=3` } });
    expect(await ann.receive(() => eve.delete('/users/me/avatar'), 'realm_user')).toEqual([]);
    const past = granted(await owner.get(`/users/${eve.id}`, { as_of: `p${then}` }));
    expect(past).toMatchObject({ user: { avatar_url: `${path}?version=1` } });
    await choose('G');
    granted(await eve.delete('/users/me/avatar'));
    expect((await shown(ann, eve, false)).avatar_url).toMatch(gravatar);
    await choose('J');
    granted(await owner.delete(`/users/${eve.id}`, { actions: { delete_profile: true } }));
    expect((await shown(ann, eve)).avatar_url).toBe(`${path}?version=5`);
  });

  it('has a picture of its own in two sizes, drawn alike each time, and nobody makes up names', async () => {
    const [path, other] = [await pathOf(await server.person()), await pathOf(await server.person())];
    for (const edge of [100, 500]) {
      const name = edge === 100 ? path : path.replace('.png', '-medium.png');
      const bytes = await bytesAt(name);
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: edge, height: edge });
      expect(await bytesAt(name)).toEqual(bytes);
    }
    const { headers } = await fetch(server.url + other);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await bytesAt(other)).not.toEqual(await bytesAt(path));
    const madeUp = `${path.slice(0, -5)}${path.at(-5) === '0' ? '1' : '0'}.png`;
    for (const name of [madeUp, `/user_avatars/1/${'0'.repeat(32)}.png`, path.replace('/1/', '/2/')]) {
      expect((await fetch(server.url + name)).status).toBe(404);
    }
  });
});

describe('GET /avatar/{user}', () => {
  const asked = (by: Person | null, path: string) =>
    fetch(`${server.url}/avatar/${path}`, {
      redirect: 'manual',
      headers: by ? { authorization: `Basic ${btoa(`${by.email}:${by.key}`)}` } : {},
    });

  it('redirects to the picture, by id and by email', async () => {
    const { avatar_url } = granted(await setAvatar(ann));
    for (const named of [ann.id, ann.email, encodeURIComponent(ann.email)]) {
      const answer = await asked(ben, String(named));
      expect([answer.status, answer.headers.get('location')]).toEqual([302, avatar_url]);
    }
    const medium = await asked(ben, `${ann.id}/medium`);
    expect([medium.status, medium.headers.get('location')]).toEqual([302, avatar_url.replace('.png', '-medium.png')]);
    expect((await asked(ben, String(ben.id))).headers.get('location')).toMatch(gravatar);
  });

  it('requires a login, and refuses unknown users', async () => {
    expect((await asked(null, String(ann.id))).status).toBe(401);
    for (const unknown of ['999999', 'nobody@example.com', '%00']) expect((await asked(ben, unknown)).status).toBe(400);
  });
});
