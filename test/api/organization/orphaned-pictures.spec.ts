import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { UnsettledBytes, GRACE_MS } from '@annals/files';
import { DiskFileStore } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { EmojiStore } from '@annals/realm';
import { AvatarStore } from '@annals/users';
import { granted } from '../../support/server/caller';
import { addEmoji } from '../../support/requests/emoji';
import type { Person } from '../../support/server/organization';
import { PIXEL, animation, sendPicture, setAvatar } from '../../support/requests/pictures';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const REALM = 1 as RealmId;

let server: TestServer;
let ann: Person;
beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person();
});
afterAll(() => server.close());

const store = () => new DiskFileStore(join(server.dataDir, 'files'));
const kept = (kind: 'avatars' | 'emoji') => {
  const folder = join(server.dataDir, 'files', '1', kind);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};
const unsettled = async () => (await server.kernel.database.pool.query('SELECT FROM unsettled_files')).rowCount;
const sweep = async () => {
  server.clock.advance(GRACE_MS + 1);
  await UnsettledBytes.of(server.kernel, store()).sweep();
};
const filesOf = (url: string) => {
  const name = /([0-9a-f]{32})\.png/.exec(url)?.[1] ?? '';
  return [`${name}-medium.png`, `${name}.png`];
};

describe('the files of pictures', () => {
  it('are those that accounts use, and no others', async () => {
    const first = granted(await setAvatar(ann)).avatar_url;
    expect(kept('avatars')).toEqual(filesOf(first));
    const second = granted(await setAvatar(ann)).avatar_url;
    expect(kept('avatars')).toEqual(filesOf(second));
    const bot = granted(
      await sendPicture<{ user_id: number; avatar_url: string }>(ann, 'POST', '/bots', {
        fields: { full_name: 'Bot', short_name: 'bot' },
      }),
    );
    expect(kept('avatars')).toEqual([...filesOf(second), ...filesOf(bot.avatar_url)].sort());
    const path = `/bots/${bot.user_id}`;
    const other = granted(await sendPicture<{ avatar_url: string }>(ann, 'PATCH', path)).avatar_url;
    granted(await ann.delete('/users/me/avatar'));
    expect([kept('avatars'), await unsettled()]).toEqual([filesOf(other), 0]);
  });

  it('are not stored for refused pictures', async () => {
    const before = kept('avatars');
    granted(await server.owner.patch('/realm', { avatar_changes_disabled: true }));
    expect((await setAvatar(ann)).status).toBe(400);
    granted(await server.owner.patch('/realm', { avatar_changes_disabled: false }));
    expect((await setAvatar(ann, PIXEL.slice(0, 50))).status).toBe(400);
    const taken = { fields: { full_name: 'Bot', short_name: 'bot' } };
    expect((await addEmoji(ann, 'tada', [await animation('webp')])).status).toBe(400);
    expect(kept('emoji')).toEqual([]);
    expect((await sendPicture(ann, 'POST', '/bots', taken)).status).toBe(400);
    expect((await sendPicture(ann, 'PATCH', `/bots/${server.owner.id}`)).status).toBe(400);
    expect([kept('avatars'), await unsettled()]).toEqual([before, 0]);
  });
});

describe('a picture of a crash between storing bytes and the event', () => {
  const avatars = () => new AvatarStore(server.kernel, store());
  const emoji = () => new EmojiStore(server.kernel, store());

  it('is deleted when no event names it', async () => {
    const before = [kept('avatars'), kept('emoji')];
    const bytes = () => Readable.from([PIXEL]);
    await avatars().keep(REALM, `${'a'.repeat(32)}.png`, bytes());
    await avatars().keep(REALM, `${'a'.repeat(32)}-medium.png`, bytes());
    await emoji().keep(REALM, `${'b'.repeat(32)}.gif`, bytes());
    await emoji().keep(REALM, `${'b'.repeat(32)}-still.png`, bytes());
    await sweep();
    expect([kept('avatars'), kept('emoji')]).toEqual(before);
    expect(await unsettled()).toBe(0);
  });

  it('keeps bytes that an event names', async () => {
    const { avatar_url } = granted(await setAvatar(ann));
    granted(await addEmoji(ann, 'mascot'));
    granted(await addEmoji(ann, 'wobbler', [await animation('gif')]));
    const before = [kept('avatars'), kept('emoji')];
    expect(before[1]).toHaveLength(3);
    for (const name of filesOf(avatar_url)) await avatars().unsettle(REALM, name);
    for (const name of kept('emoji')) await emoji().unsettle(REALM, name);
    await sweep();
    expect([kept('avatars'), kept('emoji'), await unsettled()]).toEqual([...before, 0]);
  });

  it('is deleted when a newer one replaced it', async () => {
    const [medium = '', small = ''] = filesOf(granted(await setAvatar(ann)).avatar_url);
    granted(await setAvatar(ann));
    const before = kept('avatars');
    for (const name of [medium, small]) await avatars().keep(REALM, name, Readable.from([PIXEL]));
    await sweep();
    expect([kept('avatars'), await unsettled()]).toEqual([before, 0]);
  });
});
