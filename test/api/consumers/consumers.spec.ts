import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

interface Shown {
  readonly name: string;
  readonly position: number;
  readonly head: number;
  readonly lag: { readonly events: number; readonly seconds: number };
  readonly state: string;
}

let users: ServerWithUsers;
beforeAll(async () => {
  users = await startWithUsers();
});
afterAll(() => users.server.close());

const create = (by: Person, name: string, wanted: Params = {}) =>
  by.post<{ consumer: Shown }>('/feed/consumers', { name, view: 'client', ...wanted });
const shown = async (by: Person, name: string) =>
  granted(await by.get<{ consumer: Shown }>(`/feed/consumers/${name}`)).consumer;
const names = async (by: Person) =>
  granted(await by.get<{ consumers: Shown[] }>('/feed/consumers')).consumers.map(({ name }) => name);
const MISSING = { status: 404, body: { result: 'error', msg: 'No such consumer', code: 'NO_SUCH_CONSUMER' } };

describe('a consumer', () => {
  it('begins after everything that there is, and gets all client events of its owner', async () => {
    const { consumer } = granted(await create(users.member, 'of-mia'));
    expect(consumer).toEqual({
      name: 'of-mia',
      owner_id: users.member.id,
      view: 'client',
      types: null,
      subjects: null,
      words: true,
      state: 'active',
      position: expect.any(Number) as unknown,
      head: expect.any(Number) as unknown,
      lag: { events: 1, seconds: 0 },
      in_flight: 0,
      parked: 0,
      delivery: 'pull',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
    });
    expect(consumer.head).toBe(consumer.position + 1);
    expect(await shown(users.member, 'of-mia')).toEqual(consumer);
  });

  it('begins at a moment, or at the beginning', async () => {
    expect(granted(await create(users.member, 'all', { from: 'beginning' })).consumer.position).toBe(0);
    expect(granted(await create(users.member, 'later', { from: 'p3' })).consumer.position).toBe(3);
    expect(granted(await create(users.member, 'newest', { from: '"now"' })).consumer.lag.events).toBe(1);
    for (const from of ['tomorrow', 'p999999', '2999-01-01T00:00:00Z'])
      expect(await create(users.member, 'none', { from })).toMatchObject({ status: 400, body: { code: 'BAD_MOMENT' } });
  });

  it('is managed by its owner and by owners of the organization, and does not exist for others', async () => {
    granted(await create(users.member, 'secret'));
    expect(await names(users.owner)).toContain('secret');
    expect(await names(users.other)).toEqual([]);
    for (const stranger of [users.other, users.administrator, users.guest]) {
      expect(await stranger.get('/feed/consumers/secret')).toMatchObject(MISSING);
      expect(await stranger.patch('/feed/consumers/secret', { paused: true })).toMatchObject(MISSING);
      expect(await stranger.post('/feed/consumers/secret/rewind', { to: 'now' })).toMatchObject(MISSING);
      expect(await stranger.delete('/feed/consumers/secret')).toMatchObject(MISSING);
    }
    granted(await users.owner.patch('/feed/consumers/secret', { paused: true }));
    expect((await shown(users.member, 'secret')).state).toBe('paused');
    granted(await users.owner.delete('/feed/consumers/secret'));
    expect(await users.member.get('/feed/consumers/secret')).toMatchObject(MISSING);
  });

  it('has a name of its own, which is free again when it is deleted', async () => {
    granted(await create(users.member, 'taken'));
    expect(await create(users.other, 'taken')).toMatchObject({ status: 409, body: { code: 'CONSUMER_EXISTS' } });
    granted(await users.member.delete('/feed/consumers/taken'));
    granted(await create(users.other, 'taken'));
    granted(await users.other.delete('/feed/consumers/taken'));
  });

  it.each(['', '.', '..', 'Large', 'with space', 'ä', 'a/b', 'x'.repeat(61)])('may not be named %p', async (name) => {
    expect(await create(users.member, name)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  it('is changed, and what is left out stays', async () => {
    granted(await create(users.member, 'changing', { types: ['message', 'reaction'], subjects: ['channel:1'] }));
    const change = (wanted: Params) => users.member.patch('/feed/consumers/changing', wanted);
    expect(granted(await change({ types: ['message'] }))).toMatchObject({
      consumer: { types: ['message'], subjects: ['channel:1'], state: 'active' },
    });
    expect(granted(await change({ types: 'null', subjects: 'null', paused: true }))).toMatchObject({
      consumer: { types: null, subjects: null, state: 'paused' },
    });
    expect(granted(await change({ paused: false }))).toMatchObject({ consumer: { state: 'active' } });
  });

  it('is rewound', async () => {
    granted(await create(users.member, 'rewound'));
    const rewind = (to: string) => users.member.post<{ consumer: Shown }>('/feed/consumers/rewound/rewind', { to });
    expect(granted(await rewind('beginning')).consumer.position).toBe(0);
    expect(granted(await rewind('p2')).consumer.position).toBe(2);
    const { consumer } = granted(await rewind('now'));
    expect(consumer.position).toBe(consumer.head - 1);
    expect(await rewind('p99999')).toMatchObject({ status: 400, body: { code: 'BAD_MOMENT' } });
  });
});

describe('what a consumer wants', () => {
  it.each([
    ['a type of the log for the view client', { types: ['messages.MessageSent'] }, 'BAD_REQUEST'],
    ['a client event for the view domain', { view: 'domain', types: ['message'] }, 'BAD_REQUEST'],
    ['an unknown context', { view: 'domain', types: ['nothing.*'] }, 'BAD_REQUEST'],
    ['no types', { types: [] }, 'BAD_REQUEST'],
    ['too many types', { types: Array.from({ length: 101 }, () => 'message') }, 'BAD_REQUEST'],
    ['a subject that is none', { subjects: ['channel'] }, 'BAD_SUBJECT'],
    ['a subject of a kind that does not exist', { subjects: ['planet:3'] }, 'BAD_SUBJECT'],
    ['an unknown view', { view: 'all' }, 'BAD_REQUEST'],
    ['no words in the view client', { words: false }, 'BAD_REQUEST'],
  ])('is not %s', async (_, wanted, code) => {
    expect(await create(users.owner, 'wrong', wanted)).toMatchObject({ status: 400, body: { code } });
  });

  it('may be prefixes of types and several subjects', async () => {
    const wanted = { types: ['messages.*', 'realm.Created'], subjects: ['realm', 'channel:1'] };
    const { consumer } = granted(await create(users.owner, 'some', { view: 'domain', ...wanted }));
    expect(consumer).toMatchObject({ ...wanted, view: 'domain', words: false });
  });
});

describe('the right to the events of the log', () => {
  const REFUSED = { status: 403, body: { code: 'UNAUTHORIZED_AUDIT' } };
  const grant = (setting: string, group: string) =>
    users.owner.patch('/realm', { [setting]: { new: users.groups[group] } });

  it('is that of auditors, and words are for auditors of words', async () => {
    granted(await create(users.owner, 'facts', { view: 'domain' }));
    expect(await create(users.owner, 'words', { view: 'domain', words: true })).toMatchObject(REFUSED);
    expect(await users.owner.patch('/feed/consumers/facts', { words: true })).toMatchObject(REFUSED);
    expect(await create(users.administrator, 'ada', { view: 'domain' })).toMatchObject(REFUSED);
    granted(await grant('can_audit_group', 'administrators'));
    granted(await create(users.administrator, 'ada', { view: 'domain' }));
    expect(await create(users.guest, 'gus', { view: 'domain' })).toMatchObject(REFUSED);
    granted(await grant('can_audit_content_group', 'administrators'));
    granted(await create(users.administrator, 'ada-words', { view: 'domain', words: true }));
    granted(await users.owner.patch('/feed/consumers/facts', { words: true }));
  });

  it('refuses a consumer whose owner loses it, and not one that needs less', async () => {
    granted(await grant('can_audit_content_group', 'nobody'));
    expect(await shown(users.administrator, 'ada')).toMatchObject({ state: 'active' });
    expect(await shown(users.administrator, 'ada-words')).toMatchObject({ state: 'refused' });
    granted(await grant('can_audit_group', 'owners'));
    expect(await shown(users.administrator, 'ada')).toMatchObject({ state: 'refused' });
    granted(await grant('can_audit_group', 'administrators'));
    expect(await shown(users.administrator, 'ada')).toMatchObject({ state: 'active' });
  });
});

describe('the number of consumers', () => {
  it('is 20 of an account and 100 of an organization', async () => {
    const { server } = users;
    const fill = async (by: Person, count: number) => {
      for (let n = 0; n < count; n += 1) granted(await create(by, `c${by.id}-${n}`));
    };
    const LIMIT = { status: 400, body: { code: 'CONSUMER_LIMIT' } };
    const first = await server.person();
    await fill(first, 20);
    expect(await create(first, 'one-more')).toMatchObject(LIMIT);
    let room = 100 - (await names(users.owner)).length;
    while (room > 0) {
      await fill(await server.person(), Math.min(room, 20));
      room -= 20;
    }
    expect(await create(await server.person(), 'one-more')).toMatchObject(LIMIT);
    granted(await first.delete(`/feed/consumers/c${first.id}-0`));
    granted(await create(first, 'one-more'));
  });
});
