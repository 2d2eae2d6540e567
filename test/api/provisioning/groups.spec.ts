import type { ScimBody, ScimCaller } from '../../support/provisioning/scim-caller';
import { directoryOf, scimError } from '../../support/provisioning/scim-caller';
import { granted } from '../../support/server/caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
let directory: ScimCaller;
let people: string[];
beforeAll(async () => {
  users = await startWithUsers();
  directory = await directoryOf(users.owner);
  people = [users.member, users.other, users.guest].map(({ id }) => String(id));
});
afterAll(() => users.server.close());

type Created = ScimBody & { readonly id: string };
let made = 0;
const create = async (members: readonly (string | undefined)[] = [], more: ScimBody = {}): Promise<Created> => {
  const body = { displayName: `Group ${++made}`, members: members.map((value) => ({ value })), ...more };
  const answer = await directory.post('/Groups', body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body as Created;
};
const membersOf = async (id: string): Promise<string[]> => {
  const { body } = await directory.get(`/Groups/${id}`);
  return ((body.members ?? []) as { value: string }[]).map(({ value }) => value);
};
const userGroup = async (id: string) => {
  const { user_groups } = granted(
    await users.owner.get<{ user_groups: ScimBody[] }>('/user_groups', { include_deactivated_groups: true }),
  );
  return user_groups.find((group) => String(group.id) === id);
};
const REMOVE_EVERYBODY = { op: 'remove', path: 'members[type eq "User"]' };
const add = (...values: unknown[]) => ({ op: 'Add', path: 'members', value: values.map((value) => ({ value })) });

describe('a group that is created', () => {
  it('is a user group, which only those can change who manage all groups', async () => {
    const answer = await directory.post('/Groups', {
      displayName: 'Engineers',
      externalId: 'g1',
      members: [{ value: people[0] }, { value: people[1] }],
    });
    const id = String(answer.body.id);
    const base = `${users.server.url}/scim/v2`;
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id,
      externalId: 'g1',
      displayName: 'Engineers',
      members: people.slice(0, 2).map((value) => ({ value, $ref: `${base}/Users/${value}`, type: 'User' })),
      meta: {
        resourceType: 'Group',
        created: expect.any(String) as unknown,
        lastModified: expect.any(String) as unknown,
        version: answer.headers.get('etag'),
        location: `${base}/Groups/${id}`,
      },
    });
    expect(await userGroup(id)).toMatchObject({
      name: 'Engineers',
      members: people.slice(0, 2).map(Number),
      creator_id: users.owner.id,
      can_manage_group: users.groups['nobody'],
    });
    const changed = await users.member.post(`/user_groups/${id}/members`, { add: [users.guest.id] });
    expect(changed).toMatchObject({ status: 400 });
  });

  it.each<[string, ScimBody, number, string]>([
    ['without a name', {}, 400, 'invalidValue'],
    ['with a name that no group may have', { displayName: '@all' }, 400, 'invalidValue'],
    ['with a member that is none', { displayName: 'n1', members: [{ value: 'x' }] }, 400, 'invalidValue'],
    ['with an unknown member', { displayName: 'n2', members: [{ value: '99999' }] }, 400, 'invalidValue'],
    ['with a group as a member', { displayName: 'n3', members: [{ value: '1', type: 'Group' }] }, 400, 'invalidValue'],
    ['with the name of another', { displayName: 'role:owners' }, 409, 'uniqueness'],
  ])('%s is refused', async (_, body, status, scimType) => {
    expect(await directory.post('/Groups', body)).toMatchObject({ status, body: scimError(status, scimType) });
  });

  it('is made once, however many requests create it at the same time', async () => {
    const attempt = () => directory.post('/Groups', { displayName: 'Once' });
    const answers = await Promise.all(Array.from({ length: 4 }, attempt));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual(scimError(409, 'uniqueness'));
  });
});

describe('a change of a group', () => {
  it('adds and removes members, and answers nothing unless attributes are named', async () => {
    const [mia, otto, gus] = people;
    const { id } = await create([mia]);
    const patch = (...operations: object[]) => directory.patch(`/Groups/${id}`, operations);
    const answer = await patch(add(otto, mia), add(gus));
    expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([
      204,
      {},
      expect.stringMatching(/^W\/"\d+"$/) as unknown,
    ]);
    expect(await membersOf(id)).toEqual(people);
    await patch({ op: 'remove', path: `members[value eq "${String(otto)}"]` });
    await patch({ op: 'Remove', path: 'members', value: [{ value: gus }] });
    expect(await membersOf(id)).toEqual([mia]);
    await patch({ op: 'replace', value: { displayName: 'Renamed', members: [{ value: gus }] } });
    const { body } = await directory.patch(`/Groups/${id}?attributes=displayName,members`, [add(otto)]);
    expect(body).toMatchObject({ displayName: 'Renamed', members: [{ value: otto }, { value: gus }] });
    await patch({ op: 'remove', path: 'members' });
    expect(await membersOf(id)).toEqual([]);
  });

  it('replaces everything', async () => {
    const { id } = await create(people, { externalId: 'g2' });
    const { status, body } = await directory.put(`/Groups/${id}`, {
      displayName: 'Anew',
      members: [{ value: people[0] }],
    });
    expect([status, body.displayName, body.externalId]).toEqual([200, 'Anew', undefined]);
    expect(await membersOf(id)).toEqual([people[0]]);
  });

  it('may be about people who are deactivated, but not about those who were deleted', async () => {
    const { body } = await directory.post('/Users', {
      userName: 'left@example.com',
      displayName: 'Lee',
      active: false,
    });
    const { id } = await create([String(body.id)]);
    expect(await membersOf(id)).toEqual([body.id]);
    await directory.delete(`/Users/${String(body.id)}`);
    expect(await membersOf(id)).toEqual([]);
  });

  it('is not announced to the people', async () => {
    const { id } = await create();
    const queue = await users.member.register({ event_types: ['message', 'user_group'] });
    await directory.patch(`/Groups/${id}`, [add(people[0])]);
    const events = await users.member.events(queue);
    expect(events.map(({ type, op }) => [type, op])).toEqual([['user_group', 'add_members']]);
  });

  it('requires the version of If-Match', async () => {
    const { id, meta } = await create();
    const change = [add(people[0])];
    expect(await directory.patch(`/Groups/${id}`, change, { 'if-match': 'W/"1"' })).toMatchObject({ status: 412 });
    const version = String((meta as ScimBody).version);
    expect(await directory.patch(`/Groups/${id}`, change, { 'if-match': version })).toMatchObject({ status: 204 });
    expect(await directory.patch(`/Groups/${id}`, change, { 'if-match': version })).toMatchObject({ status: 412 });
  });

  it.each<[string, object, string]>([
    ['of the type of a member', { op: 'replace', path: 'members.type', value: 'Group' }, 'mutability'],
    ['of one member', { op: 'replace', path: 'members[value eq "1"]', value: {} }, 'mutability'],
    ['to no name', { op: 'remove', path: 'displayName' }, 'mutability'],
    ['to the name of another', { op: 'replace', path: 'displayName', value: 'Engineers' }, 'uniqueness'],
    ['to an unknown member', { op: 'add', path: 'members', value: [{ value: '77777' }] }, 'invalidValue'],
  ])('%s is refused', async (_, operation, scimType) => {
    const { id } = await create();
    const { body } = await directory.patch(`/Groups/${id}`, [operation]);
    expect(body.scimType).toBe(scimType);
  });
});

describe('members whom a directory does not see', () => {
  /** A group with a bot, somebody whom the directory deleted, and a person. */
  const mixed = async (more: ScimBody = {}) => {
    const bot = await users.server.bot(users.member);
    const { body } = await directory.post('/Users', { userName: `g${++made}@example.com`, externalId: `left-${made}` });
    const [mia = ''] = people;
    const left = String(body.id);
    const { id } = await create([mia, left], more);
    granted(await users.owner.post(`/user_groups/${id}/members`, { add: [bot.id] }));
    const before = await versionOf(id);
    expect(await directory.delete(`/Users/${left}`)).toMatchObject({ status: 204 });
    return { id, mia, bot: String(bot.id), left, before, userName: String(body.userName), externalId: body.externalId };
  };
  const versionOf = async (id: string) => ((await directory.get(`/Groups/${id}`)).body.meta as ScimBody).version;
  const allOf = async (id: string) => ((await userGroup(id))?.members as number[]).map(String).sort();

  it.each<[string, (id: string, otto: string) => Promise<unknown>]>([
    ['PUT', (id, otto) => directory.put(`/Groups/${id}`, { displayName: `G${id}`, members: [{ value: otto }] })],
    [
      'PATCH',
      (id, otto) => directory.patch(`/Groups/${id}`, [{ op: 'replace', path: 'members', value: [{ value: otto }] }]),
    ],
    ['a condition', (id, otto) => directory.patch(`/Groups/${id}`, [REMOVE_EVERYBODY, add(otto)])],
  ])(
    'stay in a group whose members are replaced by %s if they are bots, and else do not come back with it',
    async (_, replace) => {
      const { id, bot, left } = await mixed();
      const [, otto = ''] = people;
      await replace(id, otto);
      expect(await membersOf(id)).toEqual([otto]);
      granted(await users.owner.post(`/users/${left}/reactivate`));
      expect(await allOf(id)).toEqual([bot, otto].sort());
    },
  );

  it('stay when it changes others', async () => {
    const { id, bot, left, mia } = await mixed();
    const [, otto = ''] = people;
    expect(await directory.patch(`/Groups/${id}`, [add(otto)])).toMatchObject({ status: 204 });
    granted(await users.owner.post(`/users/${left}/reactivate`));
    expect(await allOf(id)).toEqual([bot, left, mia, otto].sort());
  });

  it('are removed by their id, unless they are bots', async () => {
    const { id, bot, left, mia } = await mixed();
    for (const one of [left, bot])
      await directory.patch(`/Groups/${id}`, [{ op: 'remove', path: `members[value eq "${one}"]` }]);
    granted(await users.owner.post(`/users/${left}/reactivate`));
    expect(await allOf(id)).toEqual([bot, mia].sort());
  });

  it('cannot be added, even where they are members', async () => {
    const { id, bot, left } = await mixed();
    const { id: other } = await create();
    for (const group of [id, other])
      for (const value of [bot, left]) {
        const refused = { status: 400, body: scimError(400, 'invalidValue') };
        expect(await directory.patch(`/Groups/${group}`, [add(value)])).toMatchObject(refused);
        const body = { displayName: `G${group}`, members: [{ value }] };
        expect(await directory.put(`/Groups/${group}`, body)).toMatchObject(refused);
        expect(await directory.post('/Groups', { ...body, displayName: `New ${++made}` })).toMatchObject(refused);
      }
  });

  it('change the version of the group when they disappear and come back', async () => {
    const { id, mia, left, before, userName, externalId } = await mixed();
    const { body, headers } = await directory.get(`/Groups/${id}`);
    expect([body.members, headers.get('etag')]).toEqual([
      [expect.objectContaining({ value: mia })],
      await versionOf(id),
    ]);
    const known = { 'if-none-match': String(before) };
    expect(await directory.get(`/Groups/${id}`, known)).toMatchObject({ status: 200 });
    const stale = await directory.patch(`/Groups/${id}`, [add(people[1])], { 'if-match': String(before) });
    expect(stale).toMatchObject({ status: 412 });
    const without = await versionOf(id);
    expect(await directory.find('/Groups', `meta.version eq "${String(without).replaceAll('"', '\\"')}"`)).toHaveLength(
      1,
    );
    expect(await directory.post('/Users', { userName, externalId })).toMatchObject({ status: 201, body: { id: left } });
    expect(await membersOf(id)).toEqual([mia, left]);
    const again = await versionOf(id);
    granted(await users.owner.delete(`/users/${left}`, { actions: { delete_profile: true } }));
    expect(await membersOf(id)).toEqual([mia]);
    expect(new Set([before, without, again, await versionOf(id)]).size).toBe(4);
  });
});

describe('a group that is deleted', () => {
  it('is deactivated, and comes back when it is created again with the same externalId', async () => {
    const { id, displayName } = await create([people[0]], { externalId: 'g3' });
    expect(await directory.delete(`/Groups/${id}`)).toMatchObject({ status: 204 });
    expect(await userGroup(id)).toMatchObject({ deactivated: true });
    expect(await directory.get(`/Groups/${id}`)).toMatchObject({ status: 404 });
    const next = { displayName, members: [{ value: people[1] }] };
    for (const other of [next, { ...next, externalId: 'g4' }]) {
      const refused = await directory.post('/Groups', other);
      expect([refused.status, refused.body]).toEqual([409, scimError(409, 'uniqueness')]);
      expect(refused.body.detail).toContain('A deleted group has this displayName');
    }
    expect(await userGroup(id)).toMatchObject({ deactivated: true, members: [Number(people[0])] });
    const again = await directory.post('/Groups', { ...next, externalId: 'g3' });
    expect(again).toMatchObject({ status: 201, body: { id } });
    expect(await membersOf(id)).toEqual([people[1]]);
  });

  it('by hand keeps its name', async () => {
    const { id, displayName } = await create();
    granted(await users.owner.post(`/user_groups/${id}/deactivate`));
    const again = await directory.post('/Groups', { displayName });
    expect(again).toMatchObject({ status: 409, body: scimError(409, 'uniqueness') });
  });

  it('is refused while a permission names it', async () => {
    const { id } = await create();
    granted(await users.owner.patch('/realm', { can_create_groups: { new: Number(id) } }));
    expect(await directory.delete(`/Groups/${id}`)).toMatchObject({ status: 400, body: scimError(400) });
    granted(await users.owner.patch('/realm', { can_create_groups: { new: users.groups['members'] } }));
  });
});

describe('system groups', () => {
  it('do not exist for a directory', async () => {
    const id = String(users.groups['members']);
    for (const answer of [
      await directory.get(`/Groups/${id}`),
      await directory.put(`/Groups/${id}`, { displayName: 'x' }),
      await directory.patch(`/Groups/${id}`, [add(people[0])]),
      await directory.delete(`/Groups/${id}`),
    ])
      expect(answer).toMatchObject({ status: 404, body: scimError(404) });
    const names = (await directory.find('/Groups', 'id pr')).map(({ displayName }) => String(displayName));
    expect(names.filter((name) => name.startsWith('role:'))).toEqual([]);
  });
});
