import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { MessageFixture, term } from '../../support/requests/message-fixture';
import type { Person } from '../../support/server/organization';
import { picture } from '../../support/requests/pictures';
import { uploadFile } from '../../support/requests/uploads';
import type { TestServer } from '../../support/server/server';

const NEWEST = 10_000_000_000_000_000;

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;
let correspondence: MessageFixture;
let sent: MessageFixture['sent'];
let channels: MessageFixture['channels'];
let all: MessageFixture['all'];
let fetch: MessageFixture['fetch'];
let names: MessageFixture['names'];
beforeAll(async () => {
  correspondence = await MessageFixture.create();
  ({ server, owner, member, other, guest } = correspondence.users);
  ({ sent, channels, all, fetch, names } = correspondence);
});
afterAll(() => server.close());

const refused = (code: string, more: object = {}) => ({ status: 400, body: { result: 'error', code, ...more } });

describe('without a narrow', () => {
  it('are the received messages, in order', async () => {
    expect(await all(owner)).toEqual(Object.keys(sent));
    expect(await all(member)).toEqual(['open1', 'dm1', 'open2', 'kept1', 'shared1', 'group1', 'open3', 'dm2']);
    expect(await all(other)).toEqual(['group1']);
    expect(await all(guest)).toEqual([]);
  });

  it('have all fields that a client expects', async () => {
    const { status, body } = await fetch(other, { anchor: 'newest', num_before: 1 });
    expect(status).toBe(200);
    expect(body).toEqual({
      result: 'success',
      msg: '',
      messages: [expect.objectContaining({ id: sent['group1'], flags: [] })],
      anchor: NEWEST,
      found_anchor: false,
      found_oldest: false,
      found_newest: true,
      history_limited: false,
    });
  });
});

describe('anchors', () => {
  const page = async (by: Person, params: Params) => {
    const { messages, anchor, ...flags } = granted(await fetch(by, params));
    const anchorName = Object.keys(sent).find((name) => sent[name] === anchor) ?? anchor;
    const { found_anchor, found_oldest, found_newest } = flags;
    return [names(messages.map(({ id }) => id)).join(' '), anchorName, { found_anchor, found_oldest, found_newest }];
  };
  const flags = (anchor: boolean, oldest: boolean, newest: boolean) => ({
    found_anchor: anchor,
    found_oldest: oldest,
    found_newest: newest,
  });

  it.each<[Params, string, string | number, ReturnType<typeof flags>]>([
    [{ anchor: 'newest', num_before: 2 }, 'open3 dm2', NEWEST, flags(false, false, true)],
    [
      { anchor: 'newest', num_before: 8 },
      'open1 dm1 open2 kept1 shared1 group1 open3 dm2',
      NEWEST,
      flags(false, false, true),
    ],
    [
      { anchor: 'newest', num_before: 9 },
      'open1 dm1 open2 kept1 shared1 group1 open3 dm2',
      NEWEST,
      flags(false, true, true),
    ],
    [{ anchor: 'newest', num_after: 3 }, '', NEWEST, flags(false, false, true)],
    [{ anchor: '10000000000000000', num_before: 1 }, 'dm2', NEWEST, flags(false, false, true)],
    [{ anchor: '99999999999999999999', num_before: 1 }, 'dm2', NEWEST, flags(false, false, true)],
    [{ anchor: 'oldest', num_after: 2 }, 'open1 dm1', 0, flags(false, true, false)],
    [{ anchor: 'oldest', num_after: 9 }, 'open1 dm1 open2 kept1 shared1 group1 open3 dm2', 0, flags(false, true, true)],
    [{ anchor: '-7', num_after: 1 }, 'open1', 0, flags(false, true, false)],
  ])('%j', async (params, expected, anchor, found) => {
    expect(await page(member, params)).toEqual([expected, anchor, found]);
  });

  it('at a message return it and its neighbors', async () => {
    const at = (params: Params) => page(member, { anchor: sent['open2'], ...params });
    expect(await at({ num_before: 1, num_after: 1 })).toEqual(['dm1 open2 kept1', 'open2', flags(true, false, false)]);
    expect(await at({ num_before: 3, num_after: 0 })).toEqual(['open1 dm1 open2', 'open2', flags(true, true, false)]);
    expect(await at({ num_before: 0, num_after: 9 })).toEqual([
      'open2 kept1 shared1 group1 open3 dm2',
      'open2',
      flags(true, false, true),
    ]);
    expect(await at({})).toEqual(['open2', 'open2', flags(true, false, false)]);
    const without = { include_anchor: false };
    expect(await at({ num_before: 2, ...without })).toEqual(['open1 dm1', 'open2', flags(false, false, false)]);
    expect(await at({ num_after: 2, ...without })).toEqual(['kept1 shared1', 'open2', flags(false, false, false)]);
  });

  it('at a message outside the narrow return what is around its place', async () => {
    const at = { anchor: sent['far1'], num_before: 1, num_after: 1 };
    expect(await page(member, at)).toEqual(['open1 dm1', 'far1', flags(false, false, false)]);
    const beyond = (sent['far2'] ?? 0) + 1000;
    expect(await page(member, { anchor: beyond, num_before: 1 })).toEqual(['dm2', beyond, flags(false, false, true)]);
  });

  it('at a time return what was sent then or later', async () => {
    const at = (anchor_date: string) => page(member, { anchor: 'date', anchor_date, num_after: 1 });
    expect(await at('2026-01-01T01:00:00Z')).toEqual(['open2 kept1', 'open2', flags(true, false, false)]);
    expect(await at('2026-01-01T00:30:00')).toEqual(['open2 kept1', 'open2', flags(true, false, false)]);
    expect(await at('2026-01-01T02:30:00+01:00')).toEqual(['open3 dm2', 'open3', flags(true, false, false)]);
    expect(await at('2025-01-01')).toEqual(['open1 dm1', 'open1', flags(true, false, false)]);
    expect(await at('2030-01-01T00:00:00Z')).toEqual(['', NEWEST, flags(false, false, true)]);
  });

  it('at the first unread message use the narrow, or the newest', async () => {
    const unread = { anchor: 'first_unread', num_after: 1 };
    expect(await page(member, unread)).toEqual(['open1 dm1', 'open1', flags(true, false, false)]);
    expect((await page(owner, unread))[1]).toBe('open2');
    const inWork = { ...unread, narrow: [term('channel', channels['open']), term('topic', 'work')] };
    expect((await page(owner, inWork))[1]).toBe('open2');
    expect((await page(member, inWork))[1]).toBe(NEWEST);
    expect((await page(other, { ...unread, narrow: [term('channel', channels['open'])] }))[1]).toBe(NEWEST);
    const legacy = { anchor: 0, use_first_unread_anchor: true, num_after: 0 };
    expect((await page(owner, legacy))[1]).toBe('open2');
  });

  it.each<[Params, string]>([
    [{}, 'REQUEST_VARIABLE_MISSING'],
    [{ anchor: 'middle' }, 'BAD_REQUEST'],
    [{ anchor: '' }, 'BAD_REQUEST'],
    [{ anchor: '1.5' }, 'BAD_REQUEST'],
    [{ anchor: 'date' }, 'REQUEST_VARIABLE_MISSING'],
    [{ anchor: 'date', anchor_date: 'yesterday' }, 'BAD_REQUEST'],
    [{ anchor: 'date', anchor_date: '2026-13-45' }, 'BAD_REQUEST'],
    [{ anchor: 'date', anchor_date: '2026-02-31T00:00:00Z' }, 'BAD_REQUEST'],
    [{ anchor: 'date', anchor_date: '2027-02-29' }, 'BAD_REQUEST'],
    [{ anchor: 'newest', num_before: -1 }, 'BAD_REQUEST'],
    [{ anchor: 'newest', num_before: 5001 }, 'BAD_REQUEST'],
    [{ anchor: 1, num_before: 2501, num_after: 2500 }, 'BAD_REQUEST'],
    [{ anchor: 1, num_before: 1, num_after: 1, include_anchor: false }, 'BAD_REQUEST'],
    [{ anchor: 'newest', narrow: '{' }, 'BAD_REQUEST'],
    [{ anchor: 'newest', narrow: {} }, 'BAD_REQUEST'],
  ])('are refused: %j', async (params, code) => {
    expect(await fetch(member, params)).toMatchObject(refused(code));
  });
});

describe('history without a subscription', () => {
  const flagsOf = async (by: Person, narrow: unknown) =>
    (await fetch(by, { anchor: 'newest', num_before: 10, narrow })).body.messages.map(({ flags }) => flags);

  it('is read and historical where it is public', async () => {
    expect(await flagsOf(other, [term('channel', 'far')])).toEqual([
      ['read', 'historical'],
      ['read', 'historical'],
    ]);
    expect(await flagsOf(member, [term('channel', 'open')])).toEqual([[], ['read'], []]);
  });

  it('is visible to new subscribers where it is shared, not where it is protected', async () => {
    const late = await server.person();
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'shared' }, { name: 'kept' }],
      principals: [late.id],
      send_new_subscription_messages: false,
    });
    expect(await all(late, [term('channel', 'shared')])).toEqual(['shared1']);
    expect(await flagsOf(late, [term('channel', 'shared')])).toEqual([['read', 'historical']]);
    expect(await all(late, [term('channel', 'kept')])).toEqual([]);
    expect(await all(late)).toEqual([]);
    expect(await late.get(`/messages/${sent['kept1']}`)).toMatchObject(refused('BAD_REQUEST'));
    await correspondence.post('welcome', owner, 'kept', 'plans');
    expect(await all(late, [term('channel', 'kept')])).toEqual(['welcome']);
    expect(await all(late)).toEqual(['welcome']);
  });
});

describe('messages by their ids', () => {
  it('are the accessible ones, ascending, without an anchor', async () => {
    const ids = ['open3', 'kept1', 'far1', 'group1'].map((name) => sent[name]);
    const { body } = await fetch(other, { message_ids: [...ids, 999_999, -1, 2 ** 50] });
    expect(names(body.messages.map(({ id }) => id))).toEqual(['far1', 'group1', 'open3']);
    expect(body.messages.map(({ flags }) => flags)).toEqual([['read', 'historical'], [], ['read', 'historical']]);
    expect(body).toMatchObject({
      found_anchor: false,
      found_oldest: false,
      found_newest: false,
      history_limited: false,
    });
    expect(body).not.toHaveProperty('anchor');
    expect((await fetch(other, { message_ids: [] })).body.messages).toEqual([]);
  });

  it('cannot be combined with an anchor', async () => {
    for (const params of [
      { anchor: 'newest' },
      { num_before: 0 },
      { num_after: 1 },
      { use_first_unread_anchor: true },
    ]) {
      const { status, body } = await fetch(other, { message_ids: [1], ...params });
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
      expect(body).toHaveProperty('parameters');
    }
  });
});

describe('GET /messages/{message_id}', () => {
  it('shows the message and its source', async () => {
    const { body } = await member.get<{ message: object; raw_content: string }>(`/messages/${sent['open1']}`);
    expect(body).toMatchObject({
      message: { id: sent['open1'], content: '<p>open1</p>', flags: [] },
      raw_content: 'open1',
    });
    const raw = await member.get(`/messages/${sent['open1']}`, { apply_markdown: false });
    expect(raw.body).toMatchObject({ message: { content: 'open1', content_type: 'text/x-markdown' } });
  });

  it('names the empty topic as the client supports it', async () => {
    const subject = async (params: Params) =>
      (await owner.get<{ message: { subject: string } }>(`/messages/${sent['far2']}`, params)).body.message.subject;
    expect(await subject({})).toBe('general chat');
    expect(await subject({ allow_empty_topic_name: true })).toBe('');
  });

  it('gives the same answer for unknown and inaccessible messages', async () => {
    const unseen = await other.get(`/messages/${sent['dm1']}`);
    const absent = await other.get('/messages/999999');
    expect(unseen).toMatchObject(refused('BAD_REQUEST'));
    expect(unseen.body).toEqual(absent.body);
    expect((await other.get(`/messages/${sent['far1']}`)).status).toBe(200);
    expect(await other.get('/messages/99999999999999999999')).toMatchObject(refused('BAD_REQUEST'));
    expect((await other.get('/messages/abc')).status).toBe(404);
  });
});

describe('a request without a login', () => {
  it('is refused, because there is no public access', async () => {
    expect(await server.anonymous.get('/messages', { anchor: 'newest' })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED_USER' },
    });
    expect(await server.anonymous.get(`/messages/${sent['open1']}`)).toMatchObject({ status: 401 });
  });
});

describe('GET /users/me', () => {
  it('has the id of the newest message', async () => {
    expect((await other.get('/users/me')).body).toMatchObject({ max_message_id: sent['group1'] });
    expect((await guest.get('/users/me')).body).toMatchObject({ max_message_id: -1 });
  });
});

it('have no image previews where the organization disabled them', async () => {
  const { url } = await uploadFile(owner, await picture('png'), { name: 'cat.png' });
  const sending = { type: 'direct', to: [owner.id], content: `[cat](${url})` };
  const { id } = granted(await owner.post<{ id: number }>('/messages', sending));
  const html = async () =>
    granted(await owner.get<{ message: { content: string } }>(`/messages/${id}`)).message.content;
  expect(await html()).toContain('message_inline_image');
  granted(await owner.patch('/realm', { inline_image_preview: false }));
  expect(await html()).not.toContain('message_inline_image');
  granted(await owner.patch('/realm', { inline_image_preview: true }));
});
