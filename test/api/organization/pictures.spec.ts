import { join } from 'node:path';
import { Readable } from 'node:stream';
import { GRACE_MS, UnsettledBytes } from '@annals/files';
import { DiskFileStore } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { PictureStore } from '@annals/realm';
import sharp from 'sharp';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { PIXEL, animation, picture, sendPicture, storedFiles } from '../../support/requests/pictures';
import { download } from '../../support/requests/uploads';

let server: TestServer;
let owner: Person;
let admin: Person;
let ann: Person;
beforeAll(async () => {
  server = await startTestServer();
  ({ owner } = server);
  admin = await server.person({ role: 'administrator' });
  ann = await server.person();
});
afterAll(() => server.close());

const URL = /^\/user_avatars\/1\/realm\/[0-9a-f]{32}\.png$/;
const GRAVATAR = expect.stringContaining('gravatar.com') as string;
const setIcon = (by: Person, bytes = PIXEL) =>
  sendPicture<{ icon_url: string }>(by, 'POST', '/realm/icon', { pictures: [bytes] });
const setLogo = (by: Person, night: boolean, bytes = PIXEL) =>
  sendPicture(by, 'POST', '/realm/logo', { pictures: [bytes], fields: { night: String(night) } });
const state = async () => {
  const found = await ann.register({ fetch_event_types: ['realm'] });
  const of = (name: string) => [found[`realm_${name}_url`], found[`realm_${name}_source`]];
  return { icon: of('icon'), logo: of('logo'), night: of('night_logo') };
};
const sizeOf = async (url: unknown) => {
  const response = await fetch(server.url + String(url));
  const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  return [format, width, height];
};
const kept = () => storedFiles(server.dataDir, '1/realm');

describe('the icon of the organization', () => {
  it('is replaced and removed, and its files with it', async () => {
    const { icon_url: first } = granted(await setIcon(owner, await picture('jpeg', { width: 300, height: 200 })));
    expect(first).toMatch(URL);
    expect(await sizeOf(first)).toEqual(['png', 100, 100]);
    expect((await state()).icon).toEqual([first, 'U']);
    const { icon_url: second } = granted(await setIcon(admin, await animation('gif')));
    expect(second).not.toBe(first);
    expect(kept()).toEqual([second.slice(second.lastIndexOf('/') + 1)]);
    expect((await fetch(server.url + first)).status).toBe(404);
    expect(granted(await admin.delete('/realm/icon'))).toMatchObject({ icon_url: GRAVATAR });
    expect([(await state()).icon, kept()]).toEqual([[GRAVATAR, 'G'], []]);
  });

  it('is shown before a login too', async () => {
    const { icon_url } = granted(await setIcon(owner));
    const settings = async () => granted(await server.anonymous.get<{ realm_icon: string }>('/server_settings'));
    expect((await settings()).realm_icon).toBe(icon_url);
    const found = await fetch(server.url + icon_url);
    expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(found.headers.get('content-security-policy')).toContain('sandbox');
    granted(await owner.delete('/realm/icon'));
    expect((await settings()).realm_icon).toEqual(GRAVATAR);
  });

  it('is where GET /realm/icon leads', async () => {
    const { icon_url } = granted(await setIcon(owner));
    const answer = await download(ann, '/api/v1/realm/icon', { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, icon_url]);
    granted(await owner.delete('/realm/icon'));
  });
});

describe('the logos of the organization', () => {
  it('are replaced and removed one by one, and keep their shape', async () => {
    granted(await setLogo(owner, false, await picture('png', { width: 1_600, height: 100 })));
    granted(await setLogo(owner, true, await picture('webp', { width: 100, height: 200 })));
    const { logo, night } = await state();
    expect([logo[1], night[1]]).toEqual(['U', 'U']);
    expect([await sizeOf(logo[0]), await sizeOf(night[0])]).toEqual([
      ['png', 800, 50],
      ['png', 50, 100],
    ]);
    const answer = await download(ann, '/api/v1/realm/logo?night=true', { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, night[0]]);
    granted(await owner.delete('/realm/logo', { night: true }));
    expect(await state()).toMatchObject({ logo, night: [GRAVATAR, 'D'] });
    granted(await owner.delete('/realm/logo', { night: false }));
    expect(kept()).toEqual([]);
  });

  it('need to say for which pages they are', async () => {
    expect((await sendPicture(owner, 'POST', '/realm/logo')).body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'night',
    });
  });
});

describe('clients', () => {
  it('receive the new address, and nothing if nothing changes', async () => {
    const events = await ann.receive(async () => {
      await setIcon(owner);
      await setLogo(owner, true);
      await owner.delete('/realm/logo', { night: true });
      await owner.delete('/realm/logo', { night: true });
      await owner.delete('/realm/icon');
    }, 'realm');
    const url = expect.stringMatching(URL) as string;
    expect(events.map(({ op, property, data }) => [op, property, data])).toEqual([
      ['update_dict', 'icon', { icon_url: url, icon_source: 'U' }],
      ['update_dict', 'night_logo', { night_logo_url: url, night_logo_source: 'U' }],
      ['update_dict', 'night_logo', { night_logo_url: GRAVATAR, night_logo_source: 'D' }],
      ['update_dict', 'icon', { icon_url: GRAVATAR, icon_source: 'G' }],
    ]);
  });
});

describe('a picture is refused', () => {
  it.each(['member', 'moderator', 'guest'] as const)('from a %s', async (role) => {
    const person = await server.person({ role });
    const refusals = [
      await setIcon(person),
      await setLogo(person, true),
      await person.delete('/realm/icon'),
      await person.delete('/realm/logo', { night: false }),
    ];
    for (const { status, body } of refusals)
      expect([status, body]).toMatchObject([400, { code: 'UNAUTHORIZED_PRINCIPAL' }]);
    expect(kept()).toEqual([]);
  });

  it.each([
    ['no file', [], 'You must upload exactly one icon.'],
    ['a text', [new Uint8Array(Buffer.from('hello'))], 'Invalid image format'],
    ['SVG', [new Uint8Array(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))], 'Invalid image format'],
    ['a broken picture', [PIXEL.slice(0, 50)], 'Could not decode image; did you upload an image file?'],
  ])('if it is %s', async (_, pictures, msg) => {
    const { status, body } = await sendPicture(owner, 'POST', '/realm/icon', { pictures });
    expect([status, body]).toMatchObject([400, { msg }]);
    expect(kept()).toEqual([]);
  });

  it('if it is too large', async () => {
    const bytes = new Uint8Array(5 * 1024 * 1024 + 1);
    expect((await setIcon(owner, bytes)).body).toMatchObject({
      msg: 'Uploaded file is larger than the allowed limit of 5 MiB',
    });
  });
});

it('bytes that a crash left without an event are deleted, and others are kept', async () => {
  const { icon_url } = granted(await setIcon(owner));
  const file = icon_url.slice(icon_url.lastIndexOf('/') + 1);
  const store = new DiskFileStore(join(server.dataDir, 'files'));
  const pictures = new PictureStore(server.kernel, store);
  await pictures.keep(1 as RealmId, `${'a'.repeat(32)}.png`, Readable.from([PIXEL]));
  await pictures.unsettle(1 as RealmId, file);
  server.clock.advance(GRACE_MS + 1);
  await UnsettledBytes.of(server.kernel, store).sweep();
  expect(kept()).toEqual([file]);
});
