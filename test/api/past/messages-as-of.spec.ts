import { Eraser } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';
import { copied, idOf, send, sendDirect } from '../../support/requests/messages';

interface Found {
  readonly messages: readonly (Params & { readonly id: number; readonly content: string })[];
  readonly anchor?: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: boolean;
  readonly as_of_position: number;
}

const DAY = 24 * 60 * 60 * 1000;

let users: ServerWithUsers;
let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
beforeAll(async () => {
  users = await startWithUsers();
  ({ server, owner, member, other } = users);
});
afterAll(() => server.close());

const now = async () => `p${(await server.kernel.events.heads()).get(1 as RealmId) ?? 0}`;
const newest = { anchor: 'newest', num_before: 100 };
const narrow = (...terms: [string, unknown][]) => terms.map(([operator, operand]) => ({ operator, operand }));
const list = async (by: Person, params: Params) => granted(await by.get<Found>('/messages', { ...newest, ...params }));
const idsIn = async (by: Person, params: Params) => (await list(by, params)).messages.map(({ id }) => id);
const one = (by: Person, id: number, as_of: unknown) =>
  by.get<{ message: Params; raw_content: string; as_of_position: number }>(`/messages/${id}`, { as_of });
const refused = (msg: string, code = 'BAD_REQUEST') => ({ status: 400, body: { result: 'error', code, msg } });

describe('a message as of a moment', () => {
  it('has the text, the place and the reactions that it had', async () => {
    const channel = await server.channel(owner, { name: 'first name', subscribers: [owner, member] });
    const id = await idOf(send(member, { to: channel, topic: 'plan', content: 'one **two**' }));
    granted(await owner.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    const then = await now();
    const before = granted(await one(member, id, undefined)).message;
    server.clock.advance(60_000);
    granted(await member.patch(`/messages/${id}`, { content: 'other' }));
    granted(await owner.patch(`/messages/${id}`, { topic: 'other', propagate_mode: 'change_all' }));
    granted(await owner.patch(`/streams/${channel}`, { new_name: 'second name' }));
    granted(await owner.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    const answer = granted(await one(member, id, then));
    expect(answer.message).toEqual(before);
    expect(answer).toMatchObject({ raw_content: 'one **two**', as_of_position: Number(then.slice(1)) });
    expect(granted(await one(member, id, undefined)).message).toMatchObject({ subject: 'other', reactions: [] });
    expect(await idsIn(member, { narrow: narrow(['channel', 'first name'], ['topic', 'PLAN']), as_of: then })).toEqual([
      id,
    ]);
    expect(await idsIn(member, { narrow: narrow(['channel', 'second name']) })).toContain(id);
    const unknown = await member.get('/messages', {
      ...newest,
      narrow: narrow(['channel', 'second name']),
      as_of: then,
    });
    expect(unknown).toMatchObject(refused('Invalid narrow operator: unknown channel', 'BAD_NARROW'));
    const topics = async (as_of?: string) =>
      granted(await member.get<{ topics: object[] }>(`/users/me/${channel}/topics`, { as_of })).topics;
    expect(await topics(then)).toEqual([{ name: 'plan', max_id: id }]);
    expect(await topics()).toMatchObject([{ name: 'other' }]);
  });

  it('has the changes up to the moment', async () => {
    const channel = await server.channel(owner, { subscribers: [owner, member] });
    const id = await idOf(send(owner, { to: channel, topic: 'draft', content: 'one' }));
    const first = await now();
    server.clock.advance(60_000);
    granted(await owner.patch(`/messages/${id}`, { content: 'two' }));
    granted(await owner.patch(`/messages/${id}`, { topic: 'final' }));
    const second = await now();
    granted(await owner.patch(`/messages/${id}`, { content: 'three' }));
    const history = async (as_of?: string) => {
      const path = `/messages/${id}/history`;
      return granted(await member.get<{ message_history: Params[] }>(path, { as_of })).message_history;
    };
    const [sent, edited, moved, again] = await history();
    expect(again).toMatchObject({ content: 'three', prev_content: 'two' });
    expect(await history(first)).toEqual([sent]);
    expect(await history(second)).toEqual([sent, edited, moved]);
    const changesAt = async (as_of: string) => granted(await one(member, id, as_of)).message['edit_history'];
    expect(await changesAt(first)).toBeUndefined();
    expect(await changesAt(second)).toMatchObject([{ prev_topic: 'draft' }, { prev_content: 'one' }]);
  });

  it('is back when it was deleted since, and empty once it was erased', async () => {
    const channel = await server.channel(owner, { subscribers: [owner, member, other] });
    const id = await idOf(send(owner, { to: channel, topic: 'gone', content: 'deleted words' }));
    const direct = await idOf(sendDirect(owner, [member.id], { content: 'deleted to one' }));
    const then = await now();
    for (const deleted of [id, direct]) granted(await owner.delete(`/messages/${deleted}`));
    const after = await now();
    expect(granted(await one(member, id, then)).message).toMatchObject({
      content: '<p>deleted words</p>',
      subject: 'gone',
    });
    expect(await idsIn(member, { narrow: narrow(['channel', channel]), as_of: then })).toEqual([id]);
    expect(await idsIn(member, { narrow: narrow(['dm', [owner.id]]), as_of: then })).toContain(direct);
    expect(await idsIn(member, { as_of: then })).toEqual(expect.arrayContaining([id, direct]));
    expect(await one(other, direct, then)).toMatchObject(refused('Invalid message(s)'));
    expect(await one(member, id, after)).toMatchObject(refused('Invalid message(s)'));
    server.clock.advance(31 * DAY);
    await server.settled();
    await new Eraser(server.kernel, 30).sweep();
    const erased = granted(await one(member, id, then));
    expect(erased).toMatchObject({ message: { content: '', is_erased: true }, raw_content: '' });
    const { messages } = await list(member, { narrow: narrow(['channel', channel]), as_of: then });
    expect(messages).toMatchObject([{ id, content: '', is_erased: true }]);
    const history = await member.get<{ message_history: Params[] }>(`/messages/${id}/history`, { as_of: then });
    expect(granted(history).message_history).toMatchObject([{ content: '', rendered_content: '' }]);
  });

  it('is shown only to users who could read it then and may read it today', async () => {
    const channel = await server.channel(owner, { subscribers: [owner, member], invite_only: true });
    const name = granted(await owner.get<{ stream: { name: string } }>(`/streams/${channel}`)).stream.name;
    const id = await idOf(send(owner, { to: channel, topic: 'private', content: 'for members' }));
    const then = await now();
    granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [other.id] }));
    granted(await owner.patch(`/streams/${channel}`, { is_private: true, history_public_to_subscribers: true }));
    expect((await one(other, id, undefined)).status).toBe(200);
    expect(await one(other, id, then)).toMatchObject(refused('Invalid message(s)'));
    expect((await one(member, id, then)).status).toBe(200);
    granted(await member.delete('/users/me/subscriptions', { subscriptions: [name] }));
    expect(await one(member, id, then)).toMatchObject(refused('Invalid message(s)'));
    const asked = { narrow: narrow(['channel', channel]), as_of: then };
    const unknown = refused('Invalid narrow operator: unknown channel', 'BAD_NARROW');
    expect(await member.get('/messages', { ...newest, ...asked })).toMatchObject(unknown);
    expect(await idsIn(owner, asked)).toEqual([id]);
    const topics = await member.get(`/users/me/${channel}/topics`, { as_of: then });
    expect(topics).toMatchObject(refused('Invalid channel ID'));
  });

  it('is not shown with a text or a place that the organization hides today', async () => {
    const channel = await server.channel(owner, { subscribers: [owner, member] });
    const [edited, moved] = [
      await idOf(send(owner, { to: channel, topic: 'a', content: 'before' })),
      await idOf(send(owner, { to: channel, topic: 'b', content: 'stays' })),
    ];
    const then = await now();
    granted(await owner.patch(`/messages/${edited}`, { content: 'after' }));
    granted(await owner.patch(`/messages/${moved}`, { topic: 'c' }));
    const shownWith = async (policy: string) => {
      granted(await owner.patch('/realm', { message_edit_history_visibility_policy: policy }));
      return idsIn(member, { narrow: narrow(['channel', channel]), as_of: then });
    };
    expect(await shownWith('none')).toEqual([]);
    expect(await shownWith('moves')).toEqual([moved]);
    expect(await shownWith('all')).toEqual([edited, moved]);
  });
});

describe('a page as of a moment', () => {
  let channel: number;
  let ids: number[];
  let then: string;
  beforeAll(async () => {
    channel = await server.channel(owner, { subscribers: [owner, member] });
    ids = [];
    for (let n = 0; n < 6; n++) ids.push(await idOf(send(n % 2 ? owner : member, { to: channel, content: `no ${n}` })));
    then = await now();
    await idOf(send(owner, { to: channel, content: 'later' }));
    granted(await owner.delete(`/messages/${ids[2]}`));
  });

  const asked = (params: Params) => list(member, { narrow: narrow(['channel', channel]), as_of: then, ...params });

  it('has the anchors and limits of today', async () => {
    const about = ({ messages, ...rest }: Found) => ({ ids: messages.map(({ id }) => ids.indexOf(id)), ...rest });
    const position = Number(then.slice(1));
    const all = { found_anchor: false, found_oldest: true, found_newest: true, history_limited: false };
    expect(about(await asked({}))).toMatchObject({ ...all, ids: [0, 1, 2, 3, 4, 5], as_of_position: position });
    expect(about(await asked({ anchor: 'first_unread' }))).toMatchObject({ ...all, ids: [0, 1, 2, 3, 4, 5] });
    const oldest = await asked({ anchor: 'oldest', num_before: 0, num_after: 2 });
    expect(about(oldest)).toMatchObject({ ids: [0, 1], found_oldest: true, found_newest: false });
    const around = await asked({ anchor: ids[2], num_before: 1, num_after: 1 });
    expect(about(around)).toMatchObject({ ids: [1, 2, 3], anchor: ids[2], found_anchor: true, found_newest: false });
    const last = await asked({ anchor: ids[5], num_before: 0, num_after: 5 });
    expect(about(last)).toMatchObject({ ids: [5], found_newest: true });
    const dated = await asked({ anchor: 'date', anchor_date: '2026-01-01', num_before: 0, num_after: 1 });
    expect(dated.found_newest).toBe(false);
    const chosen = await member.get<Found>('/messages', { message_ids: [...ids, 1, 999_999], as_of: then });
    expect(granted(chosen).messages.map(({ id }) => id)).toEqual(ids);
    const tooMany = await member.get('/messages', { anchor: 'newest', num_before: 5_001, as_of: then });
    expect(tooMany).toMatchObject(refused('Too many messages requested (maximum 5000).'));
  });

  it('finds messages by sender, id, link and place', async () => {
    expect((await asked({ narrow: narrow(['channel', channel], ['sender', owner.id]) })).messages).toHaveLength(3);
    expect((await asked({ narrow: narrow(['id', ids[2]]) })).messages).toHaveLength(1);
    expect((await asked({ narrow: narrow(['with', ids[2]]) })).messages).toHaveLength(6);
    expect((await asked({ narrow: narrow(['channel', channel], ['near', ids[2]]) })).messages).toHaveLength(6);
    expect((await asked({ narrow: narrow(['channel', channel], ['has', 'link']) })).messages).toEqual([]);
    const others = [
      { operator: 'channel', operand: channel },
      { operator: 'sender', operand: owner.id, negated: true },
    ];
    expect((await asked({ narrow: others })).messages).toHaveLength(3);
  });

  it.each([
    ['is', 'unread'],
    ['is', 'starred'],
    ['is', 'followed'],
    ['is', 'muted'],
    ['search', 'later'],
    ['in', 'home'],
  ])('refuses %s:%s, which is not kept with its time', async (operator, operand) => {
    const answer = await member.get('/messages', { ...newest, narrow: narrow([operator, operand]), as_of: then });
    const name = operator === 'search' ? 'search' : `${operator}:${operand}`;
    expect(answer).toMatchObject(
      refused(`Invalid narrow operator: ${name} cannot be answered about the past`, 'BAD_NARROW'),
    );
  });

  it('takes a time, and refuses what is no moment', async () => {
    server.clock.advance(60_000);
    const time = new Date(server.clock.now()).toISOString();
    server.clock.advance(60_000);
    const late = await idOf(send(owner, { to: channel, content: 'after the time' }));
    const here = narrow(['channel', channel]);
    expect(await idsIn(member, { narrow: here, as_of: time })).not.toContain(late);
    expect(await idsIn(member, { narrow: here })).toContain(late);
    for (const as_of of ['yesterday', 'p99999999', '4000-01-01T00:00:00Z', '-1']) {
      const answer = await member.get('/messages', { ...newest, as_of });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_MOMENT' } });
    }
    expect(await server.anonymous.get('/messages', { ...newest, as_of: then })).toMatchObject({ status: 401 });
  });

  it('before the first event, and of an account that did not exist, is empty', async () => {
    const empty = { messages: [], found_oldest: true, found_newest: true };
    expect(await list(member, { as_of: '0' })).toMatchObject({ ...empty, as_of_position: 0 });
    expect(await list(member, { as_of: 'p1' })).toMatchObject({ ...empty, as_of_position: 1 });
    const late = await server.person();
    expect(await list(late, { as_of: then })).toMatchObject(empty);
    expect(await one(late, ids[0] ?? 0, then)).toMatchObject(refused('Invalid message(s)'));
    const topics = await late.get(`/users/me/${channel}/topics`, { as_of: then });
    expect(topics).toMatchObject(refused('Invalid channel ID'));
  });

  it('of a topic that moved as a whole is where it was, in pages', async () => {
    const [from, to] = [await server.channel(owner, { subscribers: [owner, member] }), channel];
    const first = await idOf(send(owner, { to: from, topic: 'long' }));
    await copied(server.kernel, first, 1_100);
    const before = await now();
    granted(await owner.patch(`/messages/${first}`, { stream_id: to, propagate_mode: 'change_all' }));
    const place = narrow(['channel', from], ['topic', 'long']);
    const seen: number[] = [];
    for (let anchor: number | string = 'newest'; ;) {
      const page = await list(member, { narrow: place, as_of: before, anchor, num_before: 400, include_anchor: false });
      seen.unshift(...page.messages.map(({ id }) => id));
      if (page.found_oldest) break;
      anchor = seen[0] ?? 0;
    }
    expect(seen).toHaveLength(1_101);
    expect(new Set(seen).size).toBe(1_101);
    expect(await idsIn(member, { narrow: narrow(['channel', from]), as_of: before, num_before: 5_000 })).toEqual(seen);
    expect(await idsIn(member, { narrow: narrow(['channel', from]) })).not.toContain(seen[0]);
  });
});
