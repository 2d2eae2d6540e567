import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, member, other, guest } = await startWithUsers()));
afterAll(() => server.close());

interface WireView {
  readonly fragment: string;
  readonly is_pinned: boolean;
  readonly name: string | null;
}

const ok = { status: 200, body: { result: 'success', msg: '' } };
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const missing = { status: 404, body: { result: 'error', code: 'NOT_FOUND' } };
const plain = ({ status, body }: { status: number; body: object }) => ({ status, body });
const seen = async (by: Person) =>
  granted(await by.get<{ navigation_views: WireView[] }>('/navigation_views')).navigation_views;
const registered = async (by: Person) =>
  (await by.register({ fetch_event_types: ['navigation_views'] }))['navigation_views'];
const add = (by: Person, view: Params) => by.post('/navigation_views', { is_pinned: true, ...view });
const at = (fragment: string) => `/navigation_views/${encodeURIComponent(fragment)}`;
const event = (fields: object) => ({ id: expect.any(Number) as number, type: 'navigation_view', ...fields });
const CUSTOM = { fragment: 'narrow/channel/5-plans/topic/spring', name: 'Spring' };

describe('POST /navigation_views', () => {
  afterEach(async () => {
    for (const { fragment } of await seen(member)) granted(await member.delete(at(fragment)));
  });

  it('adds a view, with an event for its owner only', async () => {
    const views = [
      { fragment: 'inbox', is_pinned: false, name: null },
      { ...CUSTOM, is_pinned: true },
    ];
    const act = async () => {
      expect(plain(await add(member, { fragment: ' inbox ', is_pinned: false }))).toEqual(ok);
      expect(plain(await add(member, { ...CUSTOM, name: '  Spring ' }))).toEqual(ok);
    };
    const received: unknown[] = [];
    const others = await other.receive(async () => received.push(...(await member.receive(act))));
    expect(received).toEqual(views.map((navigation_view) => event({ op: 'add', navigation_view })));
    expect(others).toEqual([]);
    expect(await seen(member)).toEqual(views);
    expect(await registered(member)).toEqual(views);
    for (const person of [other, owner]) {
      expect(await seen(person)).toEqual([]);
      expect(await registered(person)).toEqual([]);
    }
  });

  it.each<[Params]>([
    [{ fragment: '' }],
    [{ fragment: '  ', name: 'Blank' }],
    [{ fragment: 'custom' }],
    [{ fragment: 'custom', name: '' }],
    [{ fragment: 'custom', name: ' \t' }],
    [{ fragment: 'custom', name: 'x'.repeat(101) }],
    [{ fragment: 'x'.repeat(2049), name: 'Long' }],
    [{ fragment: 'cus\0tom', name: 'Nul' }],
    [{ fragment: 'inbox', name: 'Post' }],
    [{ fragment: 'narrow/is/starred', name: 'Stars' }],
    [{ fragment: 'custom', name: 'Custom', is_pinned: 'yes' }],
    [{ fragment: CUSTOM.fragment, name: 'Other' }],
    [{ fragment: 'recent' }],
    [{ fragment: 'other', name: 'Spring' }],
  ])('refuses %j', async (request) => {
    granted(await add(member, CUSTOM));
    granted(await add(member, { fragment: 'recent' }));
    expect(await add(member, request)).toMatchObject(refused);
    expect(await seen(member)).toHaveLength(2);
  });

  it.each(['fragment', 'is_pinned'])('requires %s', async (name) => {
    const { body } = await add(member, { ...CUSTOM, [name]: undefined });
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: name });
  });

  it('is allowed to all accounts', async () => {
    const bot = await server.bot(member);
    for (const person of [owner, guest, bot]) granted(await add(person, CUSTOM));
    expect(await server.anonymous.post('/navigation_views', CUSTOM)).toMatchObject({ status: 401 });
  });
});

describe('PATCH /navigation_views/{fragment}', () => {
  beforeAll(async () => {
    granted(await add(other, CUSTOM));
    granted(await add(other, { fragment: 'feed' }));
    granted(await add(other, { fragment: 'narrow/is/dm', name: 'Private' }));
  });
  const change = (params: Params, fragment = CUSTOM.fragment) => other.patch(at(fragment), params);

  it.each<[Params, object]>([
    [{ is_pinned: false }, { is_pinned: false }],
    [{ name: ' Summer ' }, { name: 'Summer' }],
    [
      { name: 'Spring', is_pinned: true },
      { is_pinned: true, name: 'Spring' },
    ],
    [{ name: 'Fall', is_pinned: true }, { name: 'Fall' }],
    [{ name: 'Fall', is_pinned: false }, { is_pinned: false }],
  ])('%j is one event with what changed', async (params, data) => {
    const received = await other.receive(async () => expect(plain(await change(params))).toEqual(ok));
    expect(received).toEqual([event({ op: 'update', fragment: CUSTOM.fragment, data })]);
    expect(await seen(other)).toContainEqual(expect.objectContaining({ fragment: CUSTOM.fragment, ...data }));
    expect(await registered(other)).toEqual(await seen(other));
  });

  it('is silent when nothing changes', async () => {
    granted(await change({ name: 'Fall', is_pinned: false }));
    const act = async () => {
      for (const params of [{}, { name: 'Fall', is_pinned: false }]) expect(plain(await change(params))).toEqual(ok);
    };
    expect(await other.receive(act)).toEqual([]);
  });

  it.each<[Params]>([
    [{ name: '' }],
    [{ name: 'x'.repeat(101) }],
    [{ name: 'Private' }],
    [{ is_pinned: 'no' }],
    [{ is_pinned: false, name: 'Private' }],
  ])('refuses %j', async (params) => {
    const before = await seen(other);
    expect(await change(params)).toMatchObject(refused);
    expect(await seen(other)).toEqual(before);
  });

  it('pins a built-in view, and refuses a name for it', async () => {
    expect(await change({ name: 'All' }, 'feed')).toMatchObject(refused);
    expect(await change({ name: 'Drafts' }, 'drafts')).toMatchObject(refused);
    expect(await change({ is_pinned: false }, 'feed')).toMatchObject(ok);
  });

  it('finds the own views only', async () => {
    for (const fragment of ['nowhere', 'drafts', `${CUSTOM.fragment}/`]) {
      expect(await change({ is_pinned: true }, fragment)).toMatchObject(missing);
      expect(await other.delete(at(fragment))).toMatchObject(missing);
    }
    expect(await owner.patch(at('narrow/is/dm'), { is_pinned: true })).toMatchObject(missing);
    expect(await owner.delete(at('narrow/is/dm'))).toMatchObject(missing);
    expect(await change({ is_pinned: true }, ' ')).toMatchObject(refused);
    expect(await change({ is_pinned: true }, 'x'.repeat(2049))).toMatchObject(refused);
  });
});

describe('DELETE /navigation_views/{fragment}', () => {
  it('removes a view', async () => {
    granted(await add(guest, { fragment: 'inbox' }));
    const received = await guest.receive(async () => expect(plain(await guest.delete(at('inbox')))).toEqual(ok));
    expect(received).toEqual([event({ op: 'remove', fragment: 'inbox' })]);
    expect(await guest.delete(at('inbox'))).toMatchObject(missing);
    granted(await add(guest, { fragment: 'inbox' }));
    granted(await guest.delete('/navigation_views/inbox'));
  });
});

describe('the fragment in a path', () => {
  it.each<[string, string]>([
    ['narrow/is/dm', 'narrow/is/dm'],
    ['narrow/is/dm', 'narrow%2Fis%2fdm'],
    ['narrow/is/dm', 'narrow/is%2Fdm'],
    ['narrow/topic/50.25', 'narrow/topic/50.25'],
    ['narrow/topic/50%2F50', 'narrow%2Ftopic%2F50%252F50'],
    ['narrow/topic/100%', 'narrow/topic/100%25'],
    ['narrow/topic/a b+c?d#e&f=g', 'narrow/topic/a%20b+c%3Fd%23e%26f%3Dg'],
    ['narrow/topic/Ärger 😀', 'narrow/topic/%C3%84rger%20%F0%9F%98%80'],
    ['narrow/channel/5-plans/topic/', 'narrow/channel/5-plans/topic/'],
    ['narrow/channel/5-plans/topic/', 'narrow%2Fchannel%2F5-plans%2Ftopic%2F'],
    ['narrow//double', 'narrow//double'],
    ['../realm', '..%2Frealm'],
  ])('%j can be written %s', async (fragment, path) => {
    granted(await add(owner, { fragment, name: fragment }));
    granted(await owner.patch(`/navigation_views/${path}`, { is_pinned: false }));
    expect(await seen(owner)).toContainEqual({ fragment, name: fragment, is_pinned: false });
    granted(await owner.delete(`/navigation_views/${path}`));
    expect((await seen(owner)).map((view) => view.fragment)).not.toContain(fragment);
  });

  it('may have the maximum length', async () => {
    const fragment = '😀'.repeat(2048);
    granted(await add(owner, { fragment, name: 'x'.repeat(100) }));
    granted(await owner.delete(at(fragment)));
  });

  it('is required, and must be UTF-8', async () => {
    expect(await owner.patch('/navigation_views/', { is_pinned: true })).toMatchObject({ status: 405 });
    expect(await owner.patch('/navigation_views/%FF', { is_pinned: true })).toMatchObject({ status: 400 });
    expect(await owner.patch('/navigation_views/a%00b', { is_pinned: true })).toMatchObject(refused);
  });
});
