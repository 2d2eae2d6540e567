import { AggregateStore } from '../../../libs/kernel/src/facts/aggregate-store';
import type { TrailEntry } from '../../../libs/audit/src/read/trail/trail-entry';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { makeGroup } from '../../support/requests/groups';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

interface Page {
  readonly events: readonly TrailEntry[];
  readonly next_cursor: string | null;
  readonly head: number;
}

let users: ServerWithUsers;
beforeAll(async () => void (users = await startWithUsers()));
afterAll(() => users.server.close());

const page = async (params: Params = {}, by: Person = users.owner) =>
  granted(await by.get<Page>('/audit/events', params));
const only = (...people: readonly Person[]) => ({
  new: { direct_members: people.map(({ id }) => id), direct_subgroups: [] },
});
const send = async (by: Person, content: string, topic = 'plans') =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: 'general', topic, content })).id;
const typesOf = ({ events }: Page) => events.map(({ type }) => type);
const positions = ({ events }: Page) => events.map(({ position }) => position);
/** The whole list, page by page. */
async function all(params: Params): Promise<number[]> {
  const found: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const one: Page = await page({ ...params, cursor });
    found.push(...positions(one));
    cursor = one.next_cursor;
  }
  return found;
}

describe('GET /audit/events', () => {
  it('has an event at once, as it was', async () => {
    const id = await send(users.member, 'Hello!');
    const { events, next_cursor, head } = await page({ subject: `message:${id}` });
    expect(events).toEqual([
      {
        position: id,
        id: expect.stringMatching(new RegExp(`^[0-9a-f-]{36}/1/${id}$`)) as string,
        type: 'messages.MessageSent',
        version: 2,
        at: new Date(users.server.clock.now()).toISOString(),
        actor: { user_id: users.member.id, full_name: 'Mia', role: 400, is_bot: false },
        sentence: expect.stringMatching(/^Mia /) as string,
        subjects: expect.arrayContaining([
          { kind: 'message', id },
          { kind: 'user', id: users.member.id },
        ]) as object[],
        data: expect.objectContaining({ senderId: users.member.id }) as object,
        words: null,
        words_state: 'withheld',
        changes: [],
        request: { id: expect.any(String) as string, client: expect.any(String) as string, address: null },
      },
    ]);
    expect(next_cursor).toBeNull();
    expect(head).toBeGreaterThanOrEqual(id);
  });

  it('answers all filters together, in both orders and page by page', async () => {
    const first = await send(users.member, 'one', 'filters');
    const topic = (await page({ subject: `message:${first}` })).events[0]?.subjects.find(
      ({ kind }) => kind === 'topic',
    )?.id;
    const sent = [first];
    for (const by of [users.other, users.member, users.other, users.member])
      sent.push(await send(by, 'more', 'filters'));
    const subject = `topic:${topic ?? 0}`;
    expect(await all({ subject, types: ['messages.MessageSent'], order: 'oldest', limit: 2 })).toEqual(sent);
    const mias = [sent[0], sent[2], sent[4]];
    expect(await all({ subject, types: ['messages.MessageSent'], actor_id: users.member.id, limit: 1 })).toEqual(
      [...mias].reverse(),
    );
    expect(
      await all({ subject, types: ['messages.*'], actor_id: users.member.id, from: sent[0], to: `p${sent[3] ?? 0}` }),
    ).toEqual([sent[2]]);
    const [entry] = (await page({ subject: `message:${sent[3] ?? 0}` })).events;
    expect(await all({ request_id: entry?.request.id.toUpperCase() })).toEqual([sent[3]]);
    expect(await all({ request_id: entry?.request.id, actor_id: users.member.id })).toEqual([]);
    expect(await all({ subject, client: entry?.request.client, types: ['messages.MessageSent'] })).toHaveLength(5);
    expect(await all({ subject, client: 'another program' })).toEqual([]);
    expect(await all({ subject, types: [] })).toEqual([]);
    await users.server.settled();
    expect(await all({ subject, types: ['messages.MessageSent'], order: 'oldest', limit: 2 })).toEqual(sent);
  });

  it('has the events about the organization itself', async () => {
    granted(await users.owner.patch('/realm', { waiting_period_threshold: 9 }));
    expect(typesOf(await page({ subject: 'realm', limit: 1 }))).toEqual(['realm.SettingsChanged']);
    expect(typesOf(await page({ subject: 'realm', order: 'oldest', limit: 1 }))).toEqual(['realm.Created']);
  });

  it.each([
    [{ subject: 'message' }, 'BAD_SUBJECT'],
    [{ subject: 'message:x' }, 'BAD_SUBJECT'],
    [{ subject: 'message:0' }, 'BAD_SUBJECT'],
    [{ subject: 'realm:1' }, 'BAD_SUBJECT'],
    [{ subject: '@type:5' }, 'BAD_SUBJECT'],
    [{ subject: 'planet:5' }, 'BAD_SUBJECT'],
    [{ subject: '' }, 'BAD_SUBJECT'],
    [{ from: 'yesterday' }, 'BAD_MOMENT'],
    [{ to: 'p99999999' }, 'BAD_MOMENT'],
    [{ types: 'messages.*' }, 'BAD_REQUEST'],
    [{ types: ['planets.*'] }, 'BAD_REQUEST'],
    [{ types: ['messages.Nothing'] }, 'BAD_REQUEST'],
    [{ request_id: '7' }, 'BAD_REQUEST'],
    [{ order: 'sideways' }, 'BAD_REQUEST'],
    [{ cursor: 'x' }, 'BAD_REQUEST'],
    [{ cursor: 'o5' }, 'BAD_REQUEST'],
    [{ limit: 0 }, 'BAD_REQUEST'],
    [{ limit: 1_001 }, 'BAD_REQUEST'],
    [{ actor_id: 'me' }, 'BAD_REQUEST'],
    [{ client: 'x'.repeat(101) }, 'BAD_REQUEST'],
  ])('refuses %j', async (params, code) => {
    expect(await users.owner.get('/audit/events', params)).toMatchObject({ status: 400, body: { code } });
  });
});

describe('reading the history', () => {
  const by = async (person: Person, path = '/audit/events') => {
    const { status, body } = await person.get(path, { limit: 1 });
    return [status, body.code];
  };

  it('is decided by can_audit_group', async () => {
    expect(await by(users.owner)).toEqual([200, undefined]);
    for (const person of [users.administrator, users.member, users.guest])
      for (const path of ['/audit/events', '/audit/types', '/audit/events/stream'])
        expect(await by(person, path)).toEqual([403, 'UNAUTHORIZED_AUDIT']);
  });

  it('includes a bot that is in the group, and no deactivated account', async () => {
    const bot = await users.server.bot(users.member, { name: 'Compliance' });
    expect(await by(bot)).toEqual([403, 'UNAUTHORIZED_AUDIT']);
    granted(await users.owner.patch('/realm', { can_audit_group: only(users.owner, bot, users.other) }));
    expect(await by(bot)).toEqual([200, undefined]);
    granted(await users.owner.delete(`/bots/${bot.id}`));
    expect(await by(bot)).toEqual([401, 'USER_DEACTIVATED']);
  });

  it('includes bots that an administrator put into the group, and no one else', async () => {
    const { server, owner, administrator, member, other } = users;
    const [bot, ownersBot] = [await server.bot(member), await server.bot(owner)];
    const managed = { can_manage_group: only(member).new };
    const [group, inner] = [await makeGroup(owner, managed), await makeGroup(owner, managed)];
    granted(await owner.patch(`/bots/${ownersBot.id}`, { role: 100 }));
    granted(await owner.patch('/realm', { can_audit_group: { new: group } }));
    const add = (who: Person, to: number, part: object, kind = 'members') =>
      who.post(`/user_groups/${to}/${kind}`, { ...part });
    for (const who of [member, ownersBot])
      expect(await add(who, group, { add: [bot.id] })).toMatchObject({ status: 400 });
    granted(await add(member, group, { add: [other.id] }));
    expect(await by(other)).toEqual([200, undefined]);
    granted(await add(member, inner, { add: [bot.id] }));
    for (const id of [inner, users.groups['members']])
      expect(await add(member, group, { add: [id] }, 'subgroups')).toMatchObject({ status: 400 });
    granted(await add(member, inner, { delete: [bot.id] }));
    granted(await add(member, group, { add: [inner] }, 'subgroups'));
    expect(await add(member, inner, { add: [bot.id] })).toMatchObject({ status: 400 });
    expect(await by(bot)).toEqual([403, 'UNAUTHORIZED_AUDIT']);
    granted(await owner.patch(`/user_groups/${inner}`, { can_add_members_group: { new: only(administrator).new } }));
    granted(await add(administrator, inner, { add: [bot.id] }));
    expect(await by(bot)).toEqual([200, undefined]);
    expect((await ownersBot.patch('/realm', { can_audit_content_group: only(ownersBot) })).body.code).toBe(
      'UNAUTHORIZED_PRINCIPAL',
    );
    granted(await owner.patch('/realm', { can_audit_group: only(owner) }));
  });

  it('is changed by owners only', async () => {
    for (const name of ['can_audit_group', 'can_audit_content_group', 'can_manage_holds_group']) {
      expect((await users.administrator.patch('/realm', { [name]: only(users.administrator) })).status).toBe(400);
      expect(Object.keys(await users.guest.register({ fetch_event_types: ['realm'] }))).toContain(`realm_${name}`);
    }
  });

  it('says whether words are shown, with can_audit_content_group', async () => {
    const id = await send(users.member, 'a word');
    const words = async () => {
      const [entry] = (await page({ subject: `message:${id}` })).events;
      return [entry?.words_state, entry?.words, entry?.request.address !== null];
    };
    expect(await words()).toEqual(['withheld', null, false]);
    granted(await users.owner.patch('/realm', { can_audit_content_group: only(users.owner) }));
    expect(await words()).toEqual(['shown', { content: 'a word' }, true]);
    granted(await users.owner.patch('/realm', { can_audit_content_group: only(users.other) }));
    expect(await words()).toEqual(['withheld', null, false]);
  });
});

describe('a look at the history', () => {
  const views = async () => (await page({ types: ['audit.Viewed'], limit: 5, order: 'newest' })).events;

  it('is in the log, once in a minute for the same question', async () => {
    const { clock } = users.server;
    clock.advance(120_000);
    const ask = () => page({ subject: `user:${users.member.id}`, limit: 2 });
    const { next_cursor } = await ask();
    await page({ subject: `user:${users.member.id}`, limit: 2, cursor: next_cursor });
    await ask();
    const ofMember = async () =>
      (await views()).filter(
        ({ data }) => (data as { parameters: Params }).parameters['subject'] === `user:${users.member.id}`,
      );
    expect(await ofMember()).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ user_id: users.owner.id }) as object,
        data: {
          endpoint: 'GET /audit/events',
          parameters: { subject: `user:${users.member.id}`, limit: 2 },
          results: 2,
          words: false,
        },
        words_state: 'none',
      }),
    ]);
    clock.advance(60_000);
    await ask();
    expect(await ofMember()).toHaveLength(2);
  });

  it('reads many things at once, and no read is decided again because of another', async () => {
    users.server.clock.advance(120_000);
    const subjects = Array.from({ length: 20 }, (_, n) => `user:${n + 1}`);
    const forget = jest.spyOn(AggregateStore.prototype, 'forget');
    await Promise.all(subjects.map((subject) => page({ subject, limit: 1 })));
    const conflicts = forget.mock.calls.filter(([, stream]) => stream.startsWith('audit-views'));
    forget.mockRestore();
    expect(conflicts).toEqual([]);
    const recorded = await page({ types: ['audit.Viewed'], limit: 50 });
    const read = recorded.events.map(({ data }) => (data as { parameters: Params }).parameters['subject']);
    expect(read).toEqual(expect.arrayContaining(subjects));
  });

  it('is not about what is refused, and not about positions, types and the own account', async () => {
    users.server.clock.advance(120_000);
    const before = (await views())[0]?.position ?? 0;
    await users.owner.get('/audit/events', { subject: 'nothing' });
    await users.member.get('/audit/events', { subject: 'user:1' });
    granted(await users.owner.get('/audit/types'));
    granted(await users.owner.get('/audit/me'));
    granted(await users.owner.get('/audit/positions', { position: 1 }));
    const since = (await page({ types: ['audit.Viewed'], from: `p${before}` })).events;
    // The question about views itself.
    expect(since.map(({ data }) => (data as { parameters: object }).parameters)).toEqual([
      { types: ['audit.Viewed'], limit: 5 },
    ]);
  });
});

describe('GET /audit/types', () => {
  it('has every type of event with the shape of its data and a meaning', async () => {
    const { types } = granted(await users.owner.get<{ types: Record<string, unknown>[] }>('/audit/types'));
    expect(types.map(({ type }) => type)).toEqual([...users.server.kernel.registry.types].sort());
    expect(types.find(({ type }) => type === 'channels.ChannelRenamed')).toMatchObject({
      version: 1,
      data_schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        required: ['channelId'],
        properties: { channelId: { type: 'integer', minimum: 1 } },
      },
      words_schema: { type: 'object', required: ['name', 'previous'] },
      subjects: ['channel'],
    });
    expect(types.find(({ type }) => type === 'audit.Viewed')).toMatchObject({
      words_schema: null,
      subjects: [],
      meaning: 'A user read the history of the organization.',
    });
  });
});
