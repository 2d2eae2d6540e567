import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, administrator, member, guest } = await startWithUsers()));
afterAll(() => server.close());
afterEach(async () => {
  for (const { id } of await listed()) await remove(id);
});

interface Linkifier {
  readonly id: number;
  readonly [field: string]: unknown;
}

const TICKET = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/{id}' };
const COMMIT = { pattern: '(?P<hash>[0-9a-f]{40})', url_template: 'https://code.example/{hash}' };
const PLAIN = { example_input: null, reverse_template: null, alternative_url_templates: [] };
const EXAMPLE = {
  example_input: '#12',
  reverse_template: '#{id}',
  alternative_url_templates: ['https://old.example/{id}'],
};
const KNOWS = { client_capabilities: { linkifier_url_template: true } };
const LISTENING = { event_types: ['realm_linkifiers'], ...KNOWS };
const ok = { status: 200, body: { result: 'success', msg: '' } };
const plain = ({ status, body }: { status: number; body: object }) => ({ status, body });
const refused = (msg: string, code = 'BAD_REQUEST') => ({ status: 400, body: { result: 'error', msg, code } });
const listed = async (by = owner) => granted(await by.get<{ linkifiers: Linkifier[] }>('/realm/linkifiers')).linkifiers;
const add = (params: Params, by = administrator) => by.post<{ id: number }>('/realm/filters', params);
const added = async (params: Params) => granted(await add(params)).id;
const change = (id: number, params: Params, by = administrator) => by.patch(`/realm/filters/${id}`, params);
const remove = (id: number, by = administrator) => by.delete(`/realm/filters/${id}`);
const reorder = (ordered_linkifier_ids: number[], by = administrator) =>
  by.patch('/realm/linkifiers', { ordered_linkifier_ids });
const event = (...realm_linkifiers: object[]) => ({
  ...{ id: expect.any(Number) as number, type: 'realm_linkifiers', realm_linkifiers },
});

describe('GET /realm/linkifiers', () => {
  it('shows the list to all users, as POST /register does', async () => {
    expect(await listed(guest)).toEqual([]);
    const first = await added(TICKET);
    const second = await added({ ...COMMIT, example_input: '', alternative_url_templates: [] });
    const linkifiers = [
      { id: first, ...TICKET, ...PLAIN },
      { id: second, ...COMMIT, ...PLAIN },
    ];
    for (const person of [owner, member, guest]) {
      expect(await listed(person)).toEqual(linkifiers);
      const fetched = { fetch_event_types: ['realm_linkifiers', 'realm_filters'] };
      expect(await person.register({ ...fetched, ...KNOWS })).toMatchObject({
        realm_linkifiers: linkifiers,
        realm_filters: [],
      });
      expect(await person.register(fetched)).toMatchObject({ realm_linkifiers: [], realm_filters: [] });
    }
    expect(await server.anonymous.get('/realm/linkifiers')).toMatchObject({ status: 401 });
  });
});

describe('changes of linkifiers', () => {
  it('are sent to clients that know URL templates, with all linkifiers', async () => {
    const received = await guest.receive(async () => {
      const first = await added(TICKET);
      const second = await added(COMMIT);
      expect(plain(await change(first, { ...TICKET, ...EXAMPLE }))).toEqual(ok);
      expect(plain(await reorder([second, first]))).toEqual(ok);
      expect(plain(await remove(second))).toEqual(ok);
    }, LISTENING);
    const ids = received.flatMap((one) => (one['realm_linkifiers'] as Linkifier[]).map(({ id }) => id));
    const [first, second] = [ids[0] ?? 0, ids[2] ?? 0];
    const [ticket, commit] = [
      { id: first, ...TICKET, ...PLAIN },
      { id: second, ...COMMIT, ...PLAIN },
    ];
    const changed = { id: first, ...TICKET, ...EXAMPLE };
    expect(received).toEqual([
      event(ticket),
      event(ticket, commit),
      event(changed, commit),
      event(commit, changed),
      event(changed),
    ]);
    expect(await listed()).toEqual([changed]);
  });

  it('are not sent to other clients', async () => {
    expect(await guest.receive(() => added(TICKET))).toEqual([]);
  });

  it('are allowed to administrators only', async () => {
    const id = await added(TICKET);
    const forbidden = refused('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL');
    for (const person of [member, guest]) {
      expect(plain(await add(COMMIT, person))).toEqual(forbidden);
      expect(plain(await change(id, COMMIT, person))).toEqual(forbidden);
      expect(plain(await reorder([id], person))).toEqual(forbidden);
      expect(plain(await remove(id, person))).toEqual(forbidden);
    }
    expect(await listed()).toEqual([{ id, ...TICKET, ...PLAIN }]);
  });

  it('that change nothing send nothing', async () => {
    const [first, second] = [await added(TICKET), await added(COMMIT)];
    const received = await guest.receive(async () => {
      expect(plain(await change(first, TICKET))).toEqual(ok);
      expect(plain(await reorder([first, second]))).toEqual(ok);
    }, LISTENING);
    expect(received).toEqual([]);
  });

  it('name linkifiers that there are', async () => {
    const id = await added(TICKET);
    expect(plain(await change(id + 1, TICKET))).toEqual(refused('Linkifier not found.'));
    expect(plain(await remove(id + 1))).toEqual(refused('Linkifier not found.'));
    const incomplete = refused('The ordered list must enumerate all existing linkifiers exactly once');
    for (const order of [[], [id, id], [id + 1]]) expect(plain(await reorder(order))).toEqual(incomplete);
    expect(await reorder(['x'] as never)).toMatchObject({ status: 400 });
  });
});

describe('POST and PATCH /realm/filters', () => {
  test.each<[params: Params, msg: string]>([
    [{ pattern: '' }, 'This field cannot be blank.'],
    [{ pattern: '(foo' }, 'Bad regular expression: missing closing ): `(foo`'],
    [{ pattern: '(?P<id>a(?=b))' }, 'Bad regular expression: invalid or unsupported Perl syntax: `(?=`'],
    [{ url_template: '{id' }, 'Invalid URL template.'],
    [{ url_template: 'https://t.example' }, "Group 'id' in linkifier pattern is not present in URL template."],
    [{ url_template: '{id}{no}' }, "Group 'no' in URL template is not present in linkifier pattern."],
    [{ example_input: 'no ticket' }, 'Example input does not match the linkifier pattern.'],
    [{ reverse_template: '#{id}' }, 'reverse_template needs example_input'],
    [{ alternative_url_templates: ['{id'] }, 'Invalid URL template.'],
  ])('refuse %j', async (params, msg) => {
    expect(plain(await add({ ...TICKET, ...params }))).toEqual(refused(msg));
    const id = await added(TICKET);
    expect(plain(await change(id, { ...TICKET, ...params }))).toEqual(refused(msg));
    expect(await listed()).toEqual([{ id, ...TICKET, ...PLAIN }]);
  });

  it('refuse long texts and wrong types', async () => {
    for (const params of [
      { pattern: 'a'.repeat(1_001), url_template: 'https://t.example' },
      { ...TICKET, url_template: `https://t.example/{id}${'a'.repeat(2_000)}` },
      { ...TICKET, alternative_url_templates: 'https://t.example/{id}' },
      { ...TICKET, alternative_url_templates: Array.from({ length: 21 }, () => 'https://t.example/{id}') },
    ]) {
      expect(await add(params as Params)).toMatchObject({ status: 400 });
    }
    expect(await add({ pattern: 'a' })).toMatchObject({ body: { code: 'REQUEST_VARIABLE_MISSING' } });
  });

  it('refuse a pattern that there is', async () => {
    await added(TICKET);
    expect(plain(await add({ ...TICKET, url_template: 'https://other.example/{id}' }))).toEqual(
      refused('A linkifier with this pattern already exists.'),
    );
  });
});
