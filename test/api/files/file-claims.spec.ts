import type { SystemActor } from '@annals/kernel';
import type { ChannelId, MessageId, TopicId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { MessagesDeleted } from '@annals/messages';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import type { WireAttachment } from '../../support/requests/uploads';
import { attachmentsOf, download, uploadFile } from '../../support/requests/uploads';

let server: TestServer;
let ann: Person;
let bob: Person;
let guest: Person;
let open: number;
beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person({ name: 'Ann' });
  bob = await server.person({ name: 'Bob' });
  guest = await server.person({ name: 'Guy', role: 'guest' });
  open = await server.channel(ann, { name: 'open', subscribers: [ann] });
  granted(await server.owner.patch('/realm', { message_content_edit_limit_seconds: 'unlimited' }));
});
afterAll(() => server.close());

const send = async (by: Person, content: string, to: Params = { type: 'channel', to: open, topic: 'files' }) =>
  granted(await by.post<{ id: number }>('/messages', { ...to, content })).id;
const edit = async (by: Person, id: number, content: string) =>
  granted(await by.patch<{ detached_uploads: WireAttachment[] }>(`/messages/${id}`, { content })).detached_uploads;
const status = async (by: Person, url: string) => (await download(by, url)).status;
const namesOf = async (by: Person, url: string) =>
  (await attachmentsOf(by)).attachments.find(({ path_id }) => url === `/user_uploads/${path_id}`)?.message_ids;
const link = ({ url }: { url: string }) => `see [this](${url})`;
/** Deletes a message as the log has it. */
const deleted = async (id: number) => {
  const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };
  const by = { realmId: 1, userId: null, origin } as SystemActor;
  const { rows } = await server.kernel.database.pool.query<{ topic: TopicId; channel: ChannelId }>(
    'SELECT topic_id AS topic, channel_id AS channel FROM view.messages WHERE realm_id = 1 AND message_id = $1',
    [id],
  );
  const place = { topicId: rows[0]?.topic ?? (0 as TopicId), channelId: rows[0]?.channel ?? (0 as ChannelId) };
  const deletion = fact(MessagesDeleted, { place, messageIds: [id as MessageId] });
  await server.kernel.work.run(by, async (work) => work.append(`deletions-${id}`, [deletion]));
};
const privateChannel = (more: Params = {}) =>
  server.channel(ann, { subscribers: [ann, bob], invite_only: true, ...more });

describe('a file that a message links to', () => {
  it('is accessible to all who may see the message', async () => {
    const file = await uploadFile(ann);
    expect([await status(bob, file.url), await status(guest, file.url)]).toEqual([403, 403]);
    const id = await send(ann, link(file));
    expect([await status(bob, file.url), await status(guest, file.url)]).toEqual([200, 403]);
    expect(await namesOf(ann, file.url)).toEqual([id]);
  });

  it('may be linked by its absolute URL, and embedded as a picture', async () => {
    const [one, two] = [await uploadFile(ann), await uploadFile(ann, 'x', { name: 'a b.png', type: 'image/png' })];
    const { realm_url } = await ann.register({ fetch_event_types: ['realm'] });
    await send(ann, `${String(realm_url)}${one.url} and ![picture](${two.url})`);
    expect([await status(bob, one.url), await status(bob, two.url)]).toEqual([200, 200]);
  });

  it('is not shared by a text without a link, or with a similar one', async () => {
    const file = await uploadFile(ann);
    await send(ann, `\`${file.url}\` https://elsewhere.example.com${file.url} [x](${file.url}x)`);
    expect(await status(bob, file.url)).toBe(403);
  });

  it('in a private channel is accessible to subscribers, as long as they are subscribed', async () => {
    const channel = await privateChannel({ name: 'inside' });
    const file = await uploadFile(ann);
    await send(ann, link(file), { type: 'channel', to: channel, topic: 'x' });
    const carl = await server.person();
    expect([await status(bob, file.url), await status(carl, file.url)]).toEqual([200, 403]);
    expect(await status(server.owner, file.url)).toBe(403);
    granted(await bob.delete('/users/me/subscriptions', { subscriptions: ['inside'] }));
    expect(await status(bob, file.url)).toBe(403);
    expect(await status(ann, file.url)).toBe(200);
  });

  it('with protected history is not accessible to later subscribers', async () => {
    const channel = await privateChannel({ name: 'protected', history_public_to_subscribers: false });
    const file = await uploadFile(ann);
    await send(ann, link(file), { type: 'channel', to: channel, topic: 'x' });
    const late = await server.person();
    const input = { subscriptions: [{ name: 'protected' }], principals: [late.id] };
    granted(await ann.post('/users/me/subscriptions', input));
    expect([await status(bob, file.url), await status(late, file.url)]).toEqual([200, 403]);
  });

  it('in a direct message is accessible to its participants', async () => {
    const file = await uploadFile(ann);
    await send(ann, link(file), { type: 'direct', to: [guest.id] });
    expect([await status(guest, file.url), await status(bob, file.url)]).toEqual([200, 403]);
  });

  it('is no longer accessible to others when the text no longer links to it', async () => {
    const file = await uploadFile(ann);
    const id = await send(ann, link(file));
    expect(await status(bob, file.url)).toBe(200);
    await edit(ann, id, 'gone');
    expect([await status(bob, file.url), await status(ann, file.url)]).toEqual([403, 200]);
    await edit(ann, id, `back: ${link(file)}`);
    expect(await status(bob, file.url)).toBe(200);
  });

  it('can be shared again by users with access, and by nobody else', async () => {
    const file = await uploadFile(ann);
    const secret = await send(bob, link(file));
    expect([await status(bob, file.url), await status(guest, file.url)]).toEqual([403, 403]);
    expect(await namesOf(ann, file.url)).toEqual([]);
    const given = await send(ann, link(file), { type: 'direct', to: [bob.id] });
    const passed = await send(bob, link(file), { type: 'direct', to: [guest.id] });
    expect(await status(guest, file.url)).toBe(200);
    expect(await namesOf(ann, file.url)).toEqual([given, passed]);
    await edit(bob, secret, `again ${link(file)}`);
    expect(await namesOf(ann, file.url)).toEqual([secret, given, passed]);
  });

  it('is no longer accessible to others when the message is deleted', async () => {
    const file = await uploadFile(ann);
    const id = await send(ann, link(file));
    const [before] = (await attachmentsOf(ann)).attachments.slice(-1);
    const events = await ann.receive(() => deleted(id), 'attachment');
    expect(events).toEqual([expect.objectContaining({ op: 'update', attachment: { ...before, message_ids: [] } })]);
    expect([await status(bob, file.url), await status(ann, file.url)]).toEqual([403, 200]);
    expect(await namesOf(ann, file.url)).toEqual([]);
  });

  it('that was deleted is linked from no message', async () => {
    const file = await uploadFile(ann);
    const id = await send(ann, link(file));
    const attachment = (await attachmentsOf(ann)).attachments.at(-1);
    granted(await ann.delete(`/attachments/${attachment?.id}`));
    expect([await status(bob, file.url), await status(ann, file.url)]).toEqual([404, 404]);
    const { raw_content } = granted(await bob.get<{ raw_content: string }>(`/messages/${id}`));
    expect(raw_content).toBe(link(file));
    expect(await edit(ann, id, `still ${link(file)}`)).toEqual([]);
  });
});

describe('has:attachment', () => {
  it('finds messages that link to a file, and no similar ones', async () => {
    const file = await uploadFile(ann);
    const to = { type: 'channel', to: await server.channel(ann), topic: 'found' };
    const named = await send(ann, link(file), to);
    const edited = await send(ann, 'later', to);
    await send(ann, '[x](/user_uploads/1/ab/no-such-file-was-ever-kept/x.txt)', to);
    await edit(ann, edited, link(file));
    const find = async (operand: string, negated = false) => {
      const narrow = [
        { operator: 'channel', operand: to.to },
        { operator: 'has', operand, negated },
      ];
      const page = { narrow, anchor: 'newest', num_before: 10 };
      const { messages } = granted(await ann.get<{ messages: { id: number }[] }>('/messages', page));
      return messages.map(({ id }) => id);
    };
    expect(await find('attachment')).toEqual([named, edited]);
    expect(await find('link')).toHaveLength(3);
    expect(await find('image')).toEqual([]);
    expect(await find('attachment', true)).toHaveLength(1);
    const refused = await ann.get('/messages', { narrow: [['has', 'wings']], anchor: 'newest', num_before: 1 });
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_NARROW' } });
  });
});

describe('attachment events', () => {
  const update = (attachment: WireAttachment | undefined, message_ids: number[], upload_space_used: number) => ({
    type: 'attachment',
    op: 'update',
    attachment: { ...attachment, message_ids },
    upload_space_used,
  });

  it('are sent to the uploader when a message starts or stops linking to a file', async () => {
    const [kept, dropped] = [await uploadFile(ann), await uploadFile(ann)];
    const { attachments, upload_space_used: used } = await attachmentsOf(ann);
    const [first, second] = attachments.slice(-2);
    let [one, two] = [0, 0];
    const others = await bob.register({ event_types: ['attachment'] });
    const events = await ann.receive(async () => {
      one = await send(ann, link(kept));
      two = await send(ann, `${link(kept)} ${link(dropped)}`);
      await edit(ann, two, `only ${link(kept)}`);
      await send(ann, 'nothing');
      await edit(ann, one, 'nothing');
      await uploadFile(ann, 'abc');
    }, 'attachment');
    expect(events.slice(0, -1).map(({ id: _, ...event }) => event)).toEqual([
      update(first, [one], used),
      update(first, [one, two], used),
      update(second, [two], used),
      update(second, [], used),
      update(first, [two], used),
    ]);
    expect(events.at(-1)).toMatchObject({ op: 'add', upload_space_used: used + 3 });
    expect(await bob.events(others)).toEqual([]);
  });

  it('are for the uploader of the file, whichever user links to it', async () => {
    const file = await uploadFile(ann);
    await send(ann, link(file));
    const events = await ann.receive(() => send(bob, link(file)), 'attachment');
    expect(events).toHaveLength(1);
    expect(await bob.receive(() => send(bob, link(file)), 'attachment')).toEqual([]);
  });
});

describe('detached_uploads of PATCH /messages/{message_id}', () => {
  it('are own files that no message links to any more', async () => {
    const [only, shared] = [await uploadFile(ann, 'only'), await uploadFile(ann, 'shared')];
    await send(ann, link(shared));
    const id = await send(ann, `${link(only)} ${link(shared)}`);
    const attachment = (await attachmentsOf(ann)).attachments.find(({ path_id }) => only.url.endsWith(path_id));
    expect(await edit(ann, id, `kept ${link(only)}`)).toEqual([]);
    expect(await edit(ann, id, 'gone')).toEqual([{ ...attachment, message_ids: [] }]);
    expect(await edit(ann, id, 'more')).toEqual([]);
  });

  it('are no files of others, and none for an edit that changes nothing', async () => {
    const file = await uploadFile(ann);
    await send(ann, link(file), { type: 'direct', to: [bob.id] });
    const passed = await send(bob, link(file), { type: 'direct', to: [ann.id, bob.id] });
    expect(await edit(bob, passed, 'gone')).toEqual([]);
    const own = await uploadFile(bob);
    const id = await send(bob, link(own));
    expect(await edit(bob, id, link(own))).toEqual([]);
  });
});
