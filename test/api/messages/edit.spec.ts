import { createHash } from 'node:crypto';
import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let open: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person({ name: 'Mia' });
  other = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, member, other] });
});
afterAll(() => server.close());

const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });
const post = async (by: Person, params: Params = {}) =>
  granted(
    await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic: 'x', content: 'first', ...params }),
  ).id;
const edit = (by: Person, id: number, params: Params) => by.patch(`/messages/${id}`, params);
const shown = async (by: Person, id: number, params: Params = {}) =>
  (await by.get<{ message: Record<string, unknown>; raw_content: string }>(`/messages/${id}`, params)).body;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const organization = (settings: Params) => owner.patch('/realm', settings);

describe('PATCH /messages/{message_id}', () => {
  it('replaces the text, with time and former text', async () => {
    const id = await post(member);
    server.clock.advance(60_000);
    const editedAt = Math.floor(server.clock.now() / 1000);
    const { status, body } = await edit(member, id, { content: '**second**' });
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', detached_uploads: [] } });
    expect(await shown(other, id)).toMatchObject({
      raw_content: '**second**',
      message: {
        content: '<p><strong>second</strong></p>',
        last_edit_timestamp: editedAt,
        edit_history: [
          { user_id: member.id, timestamp: editedAt, prev_content: 'first', prev_rendered_content: '<p>first</p>' },
        ],
      },
    });
    await edit(member, id, { content: 'third' });
    const { message } = await shown(other, id);
    expect(message['edit_history']).toMatchObject([{ prev_content: '**second**' }, { prev_content: 'first' }]);
    expect(message).not.toHaveProperty('last_moved_timestamp');
  });

  it('shows no history for an unedited message', async () => {
    const { message } = await shown(other, await post(member));
    for (const field of ['last_edit_timestamp', 'last_moved_timestamp', 'edit_history']) {
      expect(message).not.toHaveProperty(field);
    }
  });

  it('treats the text as on sending, and a blank one as a deletion', async () => {
    const id = await post(member);
    const raw = async (content: string) => {
      await edit(member, id, { content });
      return (await shown(member, id)).raw_content;
    };
    expect(await raw('\n  text \n ')).toBe('  text');
    expect([...(await raw('x'.repeat(10_001)))]).toHaveLength(10_000);
    expect(await raw('  ')).toBe('(deleted)');
  });

  it('leaves no trace when nothing changes', async () => {
    const id = await post(member);
    const head = (await server.kernel.events.heads()).get(1 as never);
    expect((await edit(member, id, { content: 'first ' })).status).toBe(200);
    expect((await server.kernel.events.heads()).get(1 as never)).toBe(head);
  });

  it('works for direct messages', async () => {
    const id = await post(member, { type: 'direct', to: [owner.id] });
    expect((await edit(member, id, { content: 'second' })).status).toBe(200);
    expect((await shown(owner, id)).raw_content).toBe('second');
  });

  it('is allowed to the sender only, not even to owners', async () => {
    const id = await post(member);
    for (const by of [owner, other]) expect(await edit(by, id, { content: 'x' })).toMatchObject(refused('BAD_REQUEST'));
    const bot = await server.bot(member);
    expect(await edit(member, await post(bot), { content: 'x' })).toMatchObject(refused('BAD_REQUEST'));
  });

  it('is refused for an inaccessible message as for an unknown one', async () => {
    const id = await post(member, { type: 'direct', to: [owner.id] });
    const unseen = await edit(other, id, { content: 'x' });
    expect(unseen).toMatchObject(refused('BAD_REQUEST'));
    expect(unseen.body).toEqual((await edit(other, 999_999, { content: 'x' })).body);
    expect(await edit(other, 2 ** 50, { content: 'x' })).toMatchObject(refused('BAD_REQUEST'));
  });

  it('applies the time limit, with twenty seconds of tolerance', async () => {
    await organization({ message_content_edit_limit_seconds: 60 });
    const id = await post(member);
    server.clock.advance(80_000);
    expect((await edit(member, id, { content: 'in time' })).status).toBe(200);
    server.clock.advance(1);
    expect(await edit(member, id, { content: 'too late' })).toMatchObject(refused('BAD_REQUEST'));
    await organization({ message_content_edit_limit_seconds: 'unlimited' });
    server.clock.advance(1e9);
    expect((await edit(member, id, { content: 'at last' })).status).toBe(200);
    await organization({ message_content_edit_limit_seconds: 600 });
  });

  it('is refused where the organization allows no edits', async () => {
    const id = await post(owner);
    await organization({ allow_message_editing: false });
    expect(await edit(owner, id, { content: 'x' })).toMatchObject(refused('BAD_REQUEST'));
    await organization({ allow_message_editing: true });
  });

  it.each(['all', 'moves', 'none'])('shows the history of edits under the policy %s', async (policy) => {
    await organization({ message_edit_history_visibility_policy: policy });
    const id = await post(member);
    await edit(member, id, { content: 'second' });
    const { message } = await shown(other, id);
    expect(message).toHaveProperty('last_edit_timestamp');
    expect('edit_history' in message).toBe(policy === 'all');
    await organization({ message_edit_history_visibility_policy: 'all' });
  });

  it('refuses a request without a change, also with unsupported parameters', async () => {
    const id = await post(member);
    expect(await edit(member, id, {})).toMatchObject(refused('BAD_REQUEST'));
    expect(await edit(member, id, { prev_content_sha256: sha256('first') })).toMatchObject(refused('BAD_REQUEST'));
    const { status, body } = await edit(member, id, { content: 'second', send_notification_to_new_thread: false });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { result: 'success' },
    });
  });

  it('refuses contradictory parameters', async () => {
    const id = await post(member);
    for (const input of [{ stream_id: open }, { propagate_mode: 'change_all' }, { propagate_mode: 'all' }]) {
      expect(await edit(member, id, { content: 'moved', ...input })).toMatchObject(refused('BAD_REQUEST'));
    }
    expect(await edit(member, id, { topic: 'z', subject: 'q' })).toMatchObject(refused('REQUEST_CONFUSING_VAR'));
    expect((await shown(member, id)).raw_content).toBe('first');
  });

  it('ignores the present topic, which some clients always send', async () => {
    const id = await post(member);
    for (const params of [{ topic: 'x' }, { topic: ' x ' }, { subject: 'x' }]) {
      expect((await edit(member, id, { content: JSON.stringify(params), ...params })).status).toBe(200);
    }
    expect((await shown(member, id)).raw_content).toBe('{"subject":"x"}');
    expect(await edit(member, id, { topic: 'x' })).toMatchObject(refused('BAD_REQUEST'));
    expect(await edit(member, id, { content: 'y', topic: 'x', propagate_mode: 'change_all' })).toMatchObject(
      refused('BAD_REQUEST'),
    );
    const general = await post(member, { topic: '' });
    for (const topic of ['', 'general chat']) {
      expect((await edit(member, general, { content: `in '${topic}'`, topic })).status).toBe(200);
    }
    const direct = await post(member, { type: 'direct', to: [owner.id] });
    expect(await edit(member, direct, { content: 'y', topic: 'x' })).toMatchObject(refused('BAD_REQUEST'));
  });

  it('refuses NUL', async () => {
    expect(await edit(member, await post(member), { content: 'a\u0000' })).toMatchObject(refused('BAD_REQUEST'));
  });

  it('refuses an edit based on another text than the stored one', async () => {
    const id = await post(member, { content: 'été' });
    const from = (text: string, content: string) => edit(member, id, { content, prev_content_sha256: sha256(text) });
    expect(await from('other', 'x')).toMatchObject(refused('EXPECTATION_MISMATCH'));
    expect(await edit(member, id, { content: 'x', prev_content_sha256: '' })).toMatchObject(
      refused('EXPECTATION_MISMATCH'),
    );
    expect((await from('été', 'second')).status).toBe(200);
    expect(await from('été', 'third')).toMatchObject(refused('EXPECTATION_MISMATCH'));
    expect((await shown(member, id)).raw_content).toBe('second');
  });

  it('accepts one of two concurrent edits of the same text', async () => {
    const id = await post(member);
    const prev_content_sha256 = sha256('first');
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((content) => edit(member, id, { content, prev_content_sha256 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const winner = ['a', 'b', 'c'][answers.findIndex(({ status }) => status === 200)];
    expect((await shown(member, id)).raw_content).toBe(winner);
  });

  it('applies the rules of mentions', async () => {
    const people = await Promise.all(Array.from({ length: 16 }, () => server.person()));
    const big = await server.channel(owner, { name: 'big', subscribers: [owner, member, ...people] });
    const id = await post(member, { to: big });
    expect(await edit(member, id, { content: '@**all**' })).toMatchObject(
      refused('STREAM_WILDCARD_MENTION_NOT_ALLOWED'),
    );
    expect(await edit(member, id, { content: '@*role:members*' })).toMatchObject(refused('BAD_REQUEST'));
    expect((await shown(member, id)).raw_content).toBe('first');
  });
});

describe('the client events of an edit', () => {
  const eventsOf = async (who: Person, act: () => Promise<unknown>) => who.receive(act, 'update_message');

  it('have the old and the new text with their facts', async () => {
    const id = await post(member);
    const timestamp = Math.floor(server.clock.now() / 1000);
    const events = await eventsOf(other, () => edit(member, id, { content: '/me calls @**Otto**' }));
    expect(events).toEqual([
      {
        id: expect.any(Number) as number,
        type: 'update_message',
        user_id: member.id,
        rendering_only: false,
        message_id: id,
        message_ids: [id],
        edit_timestamp: timestamp,
        flags: ['mentioned'],
        stream_id: open,
        stream_name: 'open',
        orig_content: 'first',
        orig_rendered_content: '<p>first</p>',
        content: '/me calls @**Otto**',
        rendered_content: (await shown(other, id)).message['content'],
        is_me_message: true,
      },
    ]);
  });

  it('of a direct message are sent to both sides, without a channel', async () => {
    const id = await post(member, { type: 'direct', to: [owner.id], read_by_sender: true });
    let mine: readonly WireEvent[] = [];
    const theirs = await eventsOf(owner, async () => {
      mine = await eventsOf(member, () => edit(member, id, { content: 'second' }));
    });
    expect(theirs).toMatchObject([{ message_ids: [id], flags: [] }]);
    expect(theirs[0]).not.toHaveProperty('stream_id');
    expect(mine).toMatchObject([{ flags: ['read'] }]);
    expect(await eventsOf(other, () => edit(member, id, { content: 'third' }))).toEqual([]);
  });

  it('are sent to later subscribers as read, but not where history is protected', async () => {
    const [shared, kept] = await Promise.all(
      [true, false].map((history_public_to_subscribers) =>
        server.channel(owner, {
          name: `private ${history_public_to_subscribers}`,
          invite_only: true,
          subscribers: [owner, member],
          history_public_to_subscribers,
        }),
      ),
    );
    const [inShared, inKept] = [await post(owner, { to: shared }), await post(owner, { to: kept })];
    const late = await server.person();
    const subscriptions = [{ name: 'private true' }, { name: 'private false' }];
    await owner.post('/users/me/subscriptions', { subscriptions, principals: [late.id] });
    expect(await eventsOf(late, () => edit(owner, inShared, { content: 'second' }))).toMatchObject([
      { flags: ['read'] },
    ]);
    expect(await eventsOf(late, () => edit(owner, inKept, { content: 'secret' }))).toEqual([]);
    expect(await eventsOf(member, () => edit(owner, inKept, { content: 'secret again' }))).toHaveLength(1);
  });

  it('keep the flags of users who were mentioned before', async () => {
    const own = await server.channel(owner, { subscribers: [owner] });
    const mentioned = await server.person({ name: 'Cora' });
    const id = await post(owner, { to: own, content: '@**Cora** see' });
    expect(await eventsOf(mentioned, () => edit(owner, id, { content: 'nobody' }))).toMatchObject([
      { message_id: id, content: 'nobody', flags: ['read'] },
    ]);
    const mine = await mentioned.get<{ messages: { id: number; flags: string[] }[] }>('/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
    });
    expect(mine.body.messages.filter((message) => message.id === id)).toMatchObject([{ flags: ['read'] }]);
  });

  it('have the texts of each edit, and the message as it was sent, in a late delivery', async () => {
    const queue = await other.register({ event_types: ['message', 'update_message'] });
    const id = await post(member);
    await edit(member, id, { content: 'second' });
    await edit(member, id, { content: 'third' });
    expect(await other.events(queue)).toMatchObject([
      { type: 'message', message: { content: 'first' } },
      { orig_content: 'first', content: 'second' },
      { orig_content: 'second', content: 'third' },
    ]);
  });
});
