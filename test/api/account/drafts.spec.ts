import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { WireDraft } from '../../support/requests/personal';
import { draftMany, draftsOf, postDrafts, saveDraft } from '../../support/requests/personal';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startWithUsers } from '../../support/server/start-with-users';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;
let channel: number;
beforeAll(async () => {
  ({ server, owner, member, other, guest } = await startWithUsers());
  channel = await server.channel(owner, { name: 'plans', subscribers: [owner, member] });
});
afterAll(() => server.close());

const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const missing = { status: 404, body: { result: 'error', code: 'BAD_REQUEST', msg: 'Draft does not exist' } };
const off = { status: 400, body: { code: 'BAD_REQUEST', msg: 'User has disabled synchronizing drafts.' } };
const registered = async (by: Person) =>
  (await by.register({ fetch_event_types: ['drafts'] }))['drafts'] as WireDraft[];
const plain = { type: '', to: [], topic: '', content: 'Hello' };
const now = () => Math.floor(server.clock.now() / 1000);
const synchronize = async (by: Person, enable_drafts_synchronization: boolean) =>
  granted(await by.patch('/settings', { enable_drafts_synchronization }));

describe('POST /drafts', () => {
  it('saves several, with one event for their owner only', async () => {
    const drafts = [
      { type: 'stream', to: [channel], topic: 'lunch', content: ' Soup?\n', timestamp: 1_595_479_019 },
      { type: 'private', to: [other.id, guest.id, member.id], topic: 'ignored', content: 'Hi' },
      { type: 'private', to: [], topic: '', content: 'to nobody yet' },
      { type: 'private', to: [member.id], topic: '', content: 'to myself' },
      { ...plain, to: [5], timestamp: null },
      { ...plain, content: 'an old one', timestamp: 5 },
    ];
    const received: unknown[] = [];
    let ids: number[] = [];
    const act = async () => ({ ids } = granted(await postDrafts(member, ...drafts)));
    const others = await other.receive(async () => received.push(...(await member.receive(act))));
    const people = [other.id, guest.id].sort((a, b) => a - b);
    const shown = [
      { type: 'stream', to: [channel], topic: 'lunch', content: ' Soup?', timestamp: 1_595_479_019 },
      { type: 'private', to: people, topic: '', content: 'Hi', timestamp: now() },
      { ...plain, content: 'to nobody yet', timestamp: now() },
      { type: 'private', to: [member.id], topic: '', content: 'to myself', timestamp: now() },
      { ...plain, timestamp: now() },
      { ...plain, content: 'an old one', timestamp: 5 },
    ].map((draft, n) => ({ id: ids[n], ...draft }));
    expect(received).toEqual([{ id: expect.any(Number) as number, type: 'drafts', op: 'add', drafts: shown }]);
    expect(others).toEqual([]);
    const newestFirst = [...shown.slice(1, -1).reverse(), shown[0], shown.at(-1)];
    expect(granted(await member.get('/drafts'))).toMatchObject({ count: 6, drafts: newestFirst });
    expect(await registered(member)).toEqual(newestFirst);
    for (const person of [other, owner]) expect(await registered(person)).toEqual([]);
  });

  it('cuts long texts, as they are when they are sent', async () => {
    const id = await saveDraft(member, {
      type: 'stream',
      to: [channel],
      topic: 'x'.repeat(61),
      content: '😀'.repeat(10_001),
    });
    const found = (await draftsOf(member)).find((one) => one.id === id);
    expect(found?.topic).toBe(`${'x'.repeat(57)}...`);
    expect([...(found?.content ?? '')]).toHaveLength(10_000);
    expect(found?.content.endsWith('\n[message truncated]')).toBe(true);
  });

  it.each<[string, Params]>([
    ['a blank text', { content: ' \n' }],
    ['an unknown type', { type: 'channel' }],
    ['two channels', { type: 'stream', to: [1, 2] }],
    ['no channel', { type: 'stream', to: [] }],
    ['an unknown channel', { type: 'stream', to: [999_999] }],
    ['an unknown user', { type: 'private', to: [999_999] }],
    ['a time before 1970', { timestamp: -1 }],
    ['a time after the year 9999', { timestamp: 253_402_300_800 }],
    ['a time that is no number', { timestamp: 'now' }],
    ['a key that drafts do not have', { sender: 1 }],
    ['a text with NUL', { content: 'a\0b' }],
    ['no text', { content: undefined }],
  ])('refuses %s, and then saves none', async (_, wrong) => {
    expect(await postDrafts(other, plain, { ...plain, ...wrong })).toMatchObject(refused);
    expect(await draftsOf(other)).toEqual([]);
  });

  it('refuses channels that the user cannot read, and users whom they cannot see', async () => {
    const hidden = await server.channel(owner, { name: 'hidden', invite_only: true, subscribers: [owner] });
    const to = (id: number) => postDrafts(guest, { ...plain, type: 'stream', to: [id] });
    for (const id of [hidden, channel]) expect(await to(id)).toMatchObject(refused);
    const archived = await server.channel(owner, { name: 'over', subscribers: [owner] });
    granted(await owner.delete(`/streams/${archived}`));
    expect(await postDrafts(owner, { ...plain, type: 'stream', to: [archived] })).toMatchObject(refused);
    const gone = await server.person();
    granted(await owner.delete(`/users/${gone.id}`));
    expect(await postDrafts(owner, { ...plain, type: 'private', to: [gone.id] })).toMatchObject(refused);
    expect(await draftsOf(guest)).toEqual([]);
  });

  it('is allowed to all accounts, up to 1,000 drafts each', async () => {
    const bot = await server.bot(member);
    for (const person of [owner, guest, bot]) await saveDraft(person);
    expect(await server.anonymous.post('/drafts', { drafts: [plain] })).toMatchObject({ status: 401 });
    await draftMany(server.kernel, bot, 998);
    expect(await postDrafts(bot, plain, plain)).toMatchObject(refused);
    const last = await saveDraft(bot);
    expect(await postDrafts(bot, plain)).toMatchObject(refused);
    granted(await bot.delete(`/drafts/${last}`));
    await saveDraft(bot);
    expect(await draftsOf(bot)).toHaveLength(1_000);
  });
});

describe('PATCH /drafts/{draft_id}', () => {
  it('replaces it, and sends the whole draft', async () => {
    const [id, newer] = [await saveDraft(other), await saveDraft(other)];
    server.clock.advance(90_000);
    const draft = { type: 'stream', to: [channel], topic: 'tea', content: 'Milk?' };
    const received = await other.receive(async () => granted(await other.patch(`/drafts/${id}`, { draft })));
    const shown = { id, ...draft, timestamp: now() };
    expect(received).toEqual([{ id: expect.any(Number) as number, type: 'drafts', op: 'update', draft: shown }]);
    expect((await draftsOf(other)).map((one) => one.id)).toEqual([id, newer]);
    expect((await registered(other))[0]).toEqual(shown);
  });

  it('is silent when nothing changes', async () => {
    const draft = { ...plain, timestamp: 5 };
    const id = await saveDraft(other, draft);
    expect(await other.receive(async () => granted(await other.patch(`/drafts/${id}`, { draft })))).toEqual([]);
  });

  it.each<[Params]>([[{ content: '' }], [{ type: 'stream', to: [] }], [{ to: 'all' }]])('refuses %j', async (wrong) => {
    const before = await draftsOf(other);
    const path = `/drafts/${before[0]?.id ?? 0}`;
    expect(await other.patch(path, { draft: { ...plain, ...wrong } })).toMatchObject(refused);
    expect(await draftsOf(other)).toEqual(before);
  });
});

describe('DELETE /drafts/{draft_id}', () => {
  it('removes it', async () => {
    const id = await saveDraft(other);
    const received = await other.receive(async () => granted(await other.delete(`/drafts/${id}`)));
    expect(received).toEqual([{ id: expect.any(Number) as number, type: 'drafts', op: 'remove', draft_id: id }]);
    expect(await other.delete(`/drafts/${id}`)).toMatchObject(missing);
  });

  it('finds the own drafts only, as PATCH does', async () => {
    const id = await saveDraft(member);
    for (const [by, which] of [
      [owner, id],
      [member, id + 1_000_000],
      [member, 0],
    ] as const) {
      expect(await by.patch(`/drafts/${which}`, { draft: plain })).toMatchObject(missing);
      expect(await by.delete(`/drafts/${which}`)).toMatchObject(missing);
    }
    expect(await draftsOf(member)).toContainEqual(expect.objectContaining({ id }));
  });
});

describe('the setting enable_drafts_synchronization', () => {
  it('refuses every request while it is off', async () => {
    const person = await server.person();
    const id = await saveDraft(person);
    const events = await person.receive(() => synchronize(person, false));
    // Clients keep their drafts, so they are not told to remove them.
    expect(events.map(({ type }) => type)).not.toContain('drafts');
    expect(await registered(person)).toEqual([]);
    expect(await person.get('/drafts')).toMatchObject(off);
    expect(await postDrafts(person, plain)).toMatchObject(off);
    expect(await person.patch(`/drafts/${id}`, { draft: plain })).toMatchObject(off);
    expect(await person.delete(`/drafts/${id}`)).toMatchObject(off);
    await synchronize(person, true);
    expect(await draftsOf(person)).toEqual([]);
    expect(await person.patch(`/drafts/${id}`, { draft: plain })).toMatchObject(missing);
    expect(await person.delete(`/drafts/${id}`)).toMatchObject(missing);
    expect(await saveDraft(person)).toBeGreaterThan(id);
  });

  it('is also turned off by administrators', async () => {
    const people = [await server.person(), await server.person()];
    for (const person of people) await saveDraft(person);
    const target_users = { user_ids: people.map(({ id }) => id), skip_if_already_edited: false };
    granted(await owner.patch('/settings', { enable_drafts_synchronization: false, target_users }));
    for (const person of people) {
      expect(await person.get('/drafts')).toMatchObject(off);
      await synchronize(person, true);
      expect(await draftsOf(person)).toEqual([]);
    }
    await server.ensureLaws();
  });
});
