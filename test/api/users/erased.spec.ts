import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OrphanedFiles, ThumbnailStore, UploadStore } from '@annals/files';
import type { UnitOfWork } from '@annals/kernel';
import { DiskFileStore, Eraser } from '@annals/kernel';
import type { Logger } from 'pino';
import { granted } from '../../support/server/caller';
import { draftsOf, saveDraft } from '../../support/requests/personal';
import { copiesOf } from '../../support/laws/copies';
import { noOrphanedMessages } from '../../support/requests/orphaned-messages';
import type { Person } from '../../support/server/organization';
import { setAvatar } from '../../support/requests/pictures';
import { FIELD, newField, say } from '../../support/requests/profile-fields';
import { inMinutes, remindersOf, schedule, scheduledId, scheduledOf } from '../../support/requests/scheduling';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { download, uploadFile } from '../../support/requests/uploads';

let server: TestServer;
let owner: Person;
let member: Person;
beforeAll(async () => {
  server = await startTestServer({ apis: 2 });
  ({ owner } = server);
  member = await server.person({ name: 'Watching' });
});
afterAll(() => server.close());

const EVERYTHING = {
  delete_profile: true,
  delete_public_channel_messages: true,
  delete_private_channel_messages: true,
  delete_direct_messages: true,
};
const everywhere = (by: Person) => server.apis.map(({ url }) => by.at(url));
const send = async (by: Person, to: number, content: string, topic = 'news') =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic, content })).id;

async function erased(): Promise<void> {
  await noOrphanedMessages(server.kernel);
  await server.settled();
  await new Eraser(server.kernel, 0).sweep();
  await server.settled();
}
const copies = (...words: string[]) => copiesOf(server.kernel.database.pool, words);

describe('a user who is erased', () => {
  it('leaves no text in any table, and both processes show a deleted user', async () => {
    const person = await server.person({ name: 'Perdita First' });
    const { id } = person;
    const channel = await server.channel(owner, { subscribers: [owner, member, person] });
    granted(await owner.patch(`/users/${id}`, { full_name: 'Perdita Second', new_email: 'perdita@example.org' }));
    const they = server.as({ email: 'perdita@example.org', key: person.key });
    granted(await they.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'perdita-draft' }] }));
    granted(await they.post('/saved_snippets', { title: 'perdita-title', content: 'perdita-snippet' }));
    granted(
      await they.post('/navigation_views', { fragment: 'narrow/is/perdita', name: 'perdita-view', is_pinned: true }),
    );
    const [short, long] = [await newField(owner, FIELD.shortText), await newField(owner, FIELD.longText)];
    granted(await say(they, { [short]: 'perdita-short', [long]: 'perdita-long' }));
    granted(await they.patch('/settings', { timezone: 'America/Punta_Arenas' }));
    granted(await setAvatar({ url: person.url, key: person.key, email: 'perdita@example.org' }));
    const bot = await server.bot(owner, { name: 'Perdita Bot' });
    granted(await owner.patch(`/bots/${bot.id}`, { bot_owner_id: id }));
    for (const [content, minutes] of [
      ['perdita-sent-late', 5],
      ['perdita-never-sent', 50_000],
    ] as const)
      granted(
        await they.post('/scheduled_messages', {
          type: 'channel',
          to: channel,
          topic: 'news',
          content,
          scheduled_delivery_timestamp: inMinutes(server, minutes),
        }),
      );
    granted(
      await they.post('/reminders', {
        note: 'perdita-note',
        scheduled_delivery_timestamp: inMinutes(server, 40_000),
        message_id: await send(member, channel, 'to be reminded of'),
      }),
    );
    server.clock.advance(6 * 60_000);
    await server.deliverDue();
    const typed = granted(
      await they.post<{ id: number }>('/messages', {
        type: 'channel',
        to: channel,
        topic: 'news',
        content: 'perdita-first-text',
      }),
    ).id;
    granted(await they.patch(`/messages/${typed}`, { content: 'perdita-second-text' }));
    granted(await they.post('/messages', { type: 'direct', to: [member.id], content: 'perdita-direct' }));
    for (const by of everywhere(member)) granted(await by.post('/register'));

    expect(await owner.delete(`/users/${id}`, { actions: EVERYTHING })).toMatchObject({ status: 200 });
    await noOrphanedMessages(server.kernel);
    const words = [
      'erdita First',
      'erdita Second',
      'erdita Bot',
      'perdita@',
      person.email,
      'perdita-',
      'is/perdita',
      'Punta_',
    ];
    const found = new Set((await copies(...words)).flatMap(([, tables]) => tables));
    expect([...found]).toEqual(['events']);
    for (const by of everywhere(member)) {
      const received = JSON.stringify([
        granted(await by.post('/register')),
        granted(await by.get('/users', { include_custom_profile_fields: true })),
        granted(await by.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0 })),
      ]);
      expect(received.toLowerCase()).not.toContain('perdita');
    }

    await erased();
    expect(await copies(...words)).toEqual([]);
    expect((await server.kernel.database.pool.query('SELECT FROM view.scheduled')).rowCount).toBe(0);
    server.clock.advance(60_000 * 60_000);
    await server.deliverDue();
    expect(await copies(...words)).toEqual([]);
    for (const by of everywhere(member)) {
      expect(granted(await by.get<{ user: object }>(`/users/${id}`)).user).toMatchObject({
        full_name: 'Deleted user',
        is_deleted: true,
      });
    }
    await server.ensureLaws();
  });
});

it('the names of their files are erased, and users with access keep it', async () => {
  const person = await server.person();
  const channel = await server.channel(owner, { subscribers: [owner, member, person] });
  const { url } = await uploadFile(person, 'plans', { name: 'Portias Plan.txt' });
  const id = await send(person, channel, `see [this](${url})`);
  granted(await owner.delete(`/users/${person.id}`, { actions: { delete_profile: true } }));
  expect(await copies('Portias Plan')).toEqual([['Portias Plan', ['events']]]);
  for (const at of server.apis) {
    const answer = await download(member, url, { url: at.url });
    expect([answer.status, await answer.text()]).toEqual([200, 'plans']);
    expect(answer.headers.get('content-disposition')).not.toContain('Portia');
    expect((await download(member, url.replace('/1/', '/2/'))).status).toBe(404);
  }
  const copy = await send(member, channel, `see [that](${url})`);
  await erased();
  // Two messages still contain the end of its URL.
  expect(await copies('Portias Plan', 'Portias-Plan')).toEqual([['Portias-Plan', ['events']]]);
  granted(await owner.delete(`/messages/${id}`));
  expect((await download(member, url)).status).toBe(200);
  granted(await owner.delete(`/messages/${copy}`));
  expect((await download(member, url)).status).toBe(403);
  await erased();
  expect(await copies('Portias-Plan')).toEqual([]);
});

it('their files are deleted with their bytes once no message links to them', async () => {
  const person = await server.person();
  const channel = await server.channel(owner, { subscribers: [owner, member, person] });
  const [never, named] = [await uploadFile(person, 'never shown'), await uploadFile(person, 'shown')];
  const id = await send(person, channel, `see [this](${named.url})`);
  const other = await uploadFile(member, 'of somebody else');
  const kept = () =>
    [never, named, other].map(({ url }) =>
      existsSync(join(server.dataDir, 'files', url.replace('/user_uploads/', 'uploads/').replace(/\/[^/]*$/, ''))),
    );
  const used = async () => {
    const { rows } = await server.kernel.database.pool.query<{ used: number }>('SELECT used FROM view.upload_space');
    return rows[0]?.used ?? 0;
  };
  await server.sweepOrphanedFiles();
  const before = await used();
  granted(await owner.delete(`/users/${person.id}`, { actions: { delete_profile: true } }));
  await server.sweepOrphanedFiles();
  expect(kept()).toEqual([true, true, true]);
  await erased();
  await server.sweepOrphanedFiles();
  expect(kept()).toEqual([false, true, true]);
  expect(await used()).toBe(before - 'never shown'.length);
  expect((await download(member, named.url)).status).toBe(200);
  granted(await owner.delete(`/messages/${id}`));
  await server.sweepOrphanedFiles();
  await server.sweepOrphanedFiles();
  expect(kept()).toEqual([false, false, true]);
  expect((await download(member, other.url)).status).toBe(200);
  expect((await download(member, named.url)).status).toBe(404);
});

it('a file that cannot be deleted now does not delay others', async () => {
  const person = await server.person();
  const urls = [(await uploadFile(person, 'first')).url, (await uploadFile(person, 'second')).url];
  granted(await owner.delete(`/users/${person.id}`, { actions: { delete_profile: true } }));
  await erased();
  const { database, options, work } = server.kernel;
  let failed = false;
  const run: typeof work.run = (by, decide) => {
    if (failed) return work.run(by, decide);
    failed = true;
    return Promise.reject(new Error('no such luck'));
  };
  const warned: object[] = [];
  const log = { warn: (fields: object) => warned.push(fields) } as unknown as Logger;
  const kernel = { database, options: { ...options, log }, work: { run } as UnitOfWork };
  const store = new DiskFileStore(join(server.dataDir, 'files'));
  const [bytes, thumbnails] = [new UploadStore(server.kernel, store), new ThumbnailStore(server.kernel, store)];
  await new OrphanedFiles(
    kernel,
    { bytes, thumbnails },
    {
      messagesNaming: (_, __, asked) => Promise.resolve(asked.map(() => [])),
    },
  ).sweep();
  const statuses = async () => Promise.all(urls.map(async (url) => (await download(owner, url)).status));
  expect(warned).toMatchObject([{ realm: 1, err: { message: 'no such luck' } }]);
  expect((await statuses()).sort()).toEqual([403, 404]);
  await server.sweepOrphanedFiles();
  expect(await statuses()).toEqual([404, 404]);
});

it('a message in a reminder is erased, the note is kept', async () => {
  const channel = await server.channel(owner, { subscribers: [owner, member] });
  const message_id = await send(owner, channel, 'calpurnia-dream');
  const at = { message_id, scheduled_delivery_timestamp: inMinutes(server, 5) };
  granted(await member.post('/reminders', { ...at, note: 'calpurnia-note' }));
  granted(await member.post('/reminders', at));
  granted(await owner.delete(`/messages/${message_id}`));
  await erased();
  expect(await copies('calpurnia-dream', 'calpurnia-note')).toEqual([['calpurnia-note', ['events']]]);
  const received = 'You asked to be reminded of a message that was deleted.';
  expect((await remindersOf(member)).map(({ content }) => content)).toEqual([received, received]);
  server.clock.advance(6 * 60_000);
  await server.deliverDue();
  const { messages } = granted(
    await member.get<{ messages: { content: string }[] }>('/messages', {
      ...{ anchor: 'newest', num_before: 2, num_after: 0, apply_markdown: false },
      narrow: [{ operator: 'is', operand: 'dm' }],
    }),
  );
  const note = `${received}\n\nYour note:\n\n\`\`\`quote\ncalpurnia-note\n\`\`\``;
  expect(messages.map(({ content }) => content)).toEqual([note, received]);
  await server.ensureLaws();
});

describe('what was delivered or deleted', () => {
  it('is erased too: scheduled messages that were sent, snippets, drafts and files', async () => {
    const to = await server.channel(owner);
    const at = () => ({ to, scheduled_delivery_timestamp: inMinutes(server, 5) });
    await scheduledId(schedule(owner, { ...at(), content: 'hecuba-later' }));
    const given = await scheduledId(schedule(owner, { ...at(), content: 'hecuba-never' }));
    granted(await owner.delete(`/scheduled_messages/${given}`));
    server.clock.advance(6 * 60_000);
    await server.deliverDue();
    expect(await scheduledOf(owner)).toEqual([]);
    const { messages } = granted(
      await owner.get<{ messages: { id: number; content: string }[] }>('/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
      }),
    );
    expect(messages).toMatchObject([{ content: '<p>hecuba-later</p>' }]);
    const words = { title: 'hecuba-title', content: 'hecuba-snippet' };
    const { saved_snippet_id } = granted(await owner.post<{ saved_snippet_id: number }>('/saved_snippets', words));
    granted(await owner.delete(`/saved_snippets/${saved_snippet_id}`));
    granted(await owner.delete(`/drafts/${await saveDraft(owner, { content: 'hecuba-draft' })}`));
    await saveDraft(owner, { content: 'hecuba-discarded' });
    granted(await owner.patch('/settings', { enable_drafts_synchronization: false }));
    granted(await owner.patch('/settings', { enable_drafts_synchronization: true }));
    await saveDraft(owner, { content: 'hecuba-kept' });
    await uploadFile(owner, 'bytes', { name: 'hecuba-file.txt' });
    const { attachments } = granted(await owner.get<{ attachments: { id: number }[] }>('/attachments'));
    granted(await owner.delete(`/attachments/${attachments[0]?.id ?? 0}`));

    await erased();
    // The message still exists. Its text is in the one event about it.
    expect(await copies('hecuba-never', 'hecuba-title', 'hecuba-snippet', 'hecuba-file')).toEqual([]);
    expect(await copies('hecuba-draft', 'hecuba-discarded')).toEqual([]);
    expect(await draftsOf(owner)).toMatchObject([{ content: 'hecuba-kept' }]);
    expect(await copies('hecuba-later')).toEqual([['hecuba-later', ['events']]]);
    granted(await owner.delete(`/messages/${messages[0]?.id ?? 0}`));
    await erased();
    expect(await copies('hecuba-later')).toEqual([]);
    await server.ensureLaws();
  });
});
