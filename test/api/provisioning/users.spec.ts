import type { ScimBody, ScimCaller } from '../../support/provisioning/scim-caller';
import { directoryOf, scimError } from '../../support/provisioning/scim-caller';
import { granted } from '../../support/server/caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
let directory: ScimCaller;
beforeAll(async () => {
  users = await startWithUsers();
  directory = await directoryOf(users.owner);
});
afterAll(() => users.server.close());

let made = 0;
const address = () => `p${++made}@example.com`;
const create = async (more: ScimBody = {}): Promise<ScimBody & { readonly id: string }> => {
  const { status, body } = await directory.post('/Users', { userName: address(), displayName: 'Jo March', ...more });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as ScimBody & { readonly id: string };
};
const account = async (id: unknown) => granted(await users.owner.get(`/users/${String(id)}`)).user as ScimBody;
const metaOf = ({ meta }: ScimBody) => meta as ScimBody;

describe('a person who is created', () => {
  it('gets an account, and is answered as the directory sees them', async () => {
    const userName = address();
    const answer = await directory.post('/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      externalId: '00u1',
      userName,
      name: { givenName: 'Ada', familyName: 'de Lovelace' },
      active: true,
      emails: [{ value: 'other@example.com', primary: true }],
      title: 'Countess',
      locale: 'de-DE',
      timezone: 'Europe/Berlin',
    });
    const { id } = answer.body;
    const location = `${users.server.url}/scim/v2/Users/${String(id)}`;
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(location);
    expect(answer.body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id,
      externalId: '00u1',
      userName,
      name: { formatted: 'Ada de Lovelace', givenName: 'Ada', familyName: 'de Lovelace' },
      displayName: 'Ada de Lovelace',
      active: true,
      role: 'member',
      roles: [{ value: 'member', primary: true }],
      emails: [{ value: userName, type: 'work', primary: true }],
      locale: 'de-DE',
      timezone: 'Europe/Berlin',
      meta: {
        resourceType: 'User',
        created: expect.stringMatching(/^2026-01-01T/) as unknown,
        lastModified: expect.stringMatching(/^2026-01-01T/) as unknown,
        version: answer.headers.get('etag'),
        location,
      },
    });
    expect(await account(id)).toMatchObject({
      delivery_email: userName,
      full_name: 'Ada de Lovelace',
      role: 400,
      is_active: true,
      timezone: 'Europe/Berlin',
    });
    expect((await directory.get(`/Users/${String(id)}`)).body).toEqual(answer.body);
  });

  it('is subscribed to the default channels, unless they are a guest', async () => {
    const channels = async (body: ScimBody) => {
      const { subscribers } = granted(await users.owner.get<{ subscribers: number[] }>('/streams/1/members'));
      return subscribers.includes(Number(body.id));
    };
    expect(await channels(await create())).toBe(true);
    expect(await channels(await create({ role: 'guest' }))).toBe(false);
  });

  it('may have a role, be inactive, or have a password', async () => {
    expect(await account((await create({ role: 'moderator' })).id)).toMatchObject({ role: 300 });
    const inactive = await create({ active: 'False' });
    expect([inactive.active, await account(inactive.id)]).toEqual([
      false,
      expect.objectContaining({ is_active: false }) as unknown,
    ]);
    const { userName } = await create({ password: 'correct-horse-staple' });
    granted(await users.owner.post('/fetch_api_key', { username: userName, password: 'correct-horse-staple' }));
  });

  it.each<[string, ScimBody, number, string]>([
    ['without an address', { displayName: 'Jo' }, 400, 'invalidValue'],
    ['with an address that is none', { userName: 'jo' }, 400, 'invalidValue'],
    [
      'with a name that no account may have',
      { userName: 'n1@example.com', displayName: '**Jo**' },
      400,
      'invalidValue',
    ],
    ['with an unknown role', { userName: 'n2@example.com', role: 'king' }, 400, 'invalidValue'],
    ['with a weak password', { userName: 'n3@example.com', password: 'password' }, 400, 'invalidValue'],
    ['with the address of somebody', { userName: 'OWNER@example.com' }, 409, 'uniqueness'],
  ])('%s is refused', async (_, body, status, scimType) => {
    expect(await directory.post('/Users', body)).toMatchObject({ status, body: scimError(status, scimType) });
  });

  it('is made once, however many requests create them at the same time', async () => {
    const userName = address();
    const attempt = () => directory.post('/Users', { userName, displayName: 'Jo March' });
    const answers = await Promise.all(Array.from({ length: 5 }, attempt));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await directory.find('/Users', `userName eq "${userName}"`)).toHaveLength(1);
  });

  it('obeys the domains of the organization', async () => {
    granted(await users.owner.post('/realm/domains', { domain: 'example.com', allow_subdomains: false }));
    granted(await users.owner.patch('/realm', { emails_restricted_to_domains: true }));
    const outside = { userName: 'jo@elsewhere.org', displayName: 'Jo' };
    expect(await directory.post('/Users', outside)).toMatchObject({
      status: 400,
      body: scimError(400, 'invalidValue'),
    });
    granted(await users.owner.patch('/realm', { emails_restricted_to_domains: false }));
    expect(await directory.post('/Users', outside)).toMatchObject({ status: 201 });
  });
});

describe('a change of a person', () => {
  it('renames, moves and promotes them', async () => {
    const { id } = await create();
    const userName = address();
    const changed = await directory.patch(`/Users/${id}`, [
      { op: 'replace', path: 'name.familyName', value: 'Bhaer' },
      { op: 'replace', value: { userName, role: 'moderator' } },
    ]);
    expect(changed.body).toMatchObject({ userName, displayName: 'Jo Bhaer', role: 'moderator' });
    expect(await account(id)).toMatchObject({ delivery_email: userName, full_name: 'Jo Bhaer', role: 300 });
  });

  it('that changes nothing keeps the version, and any other gives a new one', async () => {
    const { id, meta } = await create({ externalId: 'x1' });
    const versionAfter = async (operation: object) =>
      metaOf((await directory.patch(`/Users/${id}`, [operation])).body).version;
    expect(await versionAfter({ op: 'replace', path: 'displayName', value: 'Jo March' })).toBe(
      (meta as ScimBody).version,
    );
    const versions = [
      await versionAfter({ op: 'replace', path: 'externalId', value: 'x2' }),
      await versionAfter({ op: 'remove', path: 'externalId' }),
      await versionAfter({ op: 'replace', path: 'displayName', value: 'Jo B.' }),
      await versionAfter({ op: 'replace', path: 'active', value: false }),
    ];
    expect(new Set([...versions, (meta as ScimBody).version]).size).toBe(5);
  });

  it('replaces everything, and forgets what is left out', async () => {
    const { id, userName } = await create({ externalId: 'x3', timezone: 'Europe/Berlin' });
    const { status, body } = await directory.put(`/Users/${id}`, { userName, displayName: 'Josephine' });
    expect([status, body.displayName, body.externalId, body.timezone]).toEqual([
      200,
      'Josephine',
      undefined,
      undefined,
    ]);
  });

  it('by the person shows the new name to the directory', async () => {
    const { id, userName } = await create({
      password: 'correct-horse-staple',
      name: { givenName: 'J', familyName: 'M' },
    });
    const login = { username: userName, password: 'correct-horse-staple' };
    const { api_key } = granted(await users.owner.post<{ api_key: string }>('/fetch_api_key', login));
    const headers = { authorization: `Basic ${btoa(`${String(userName)}:${api_key}`)}` };
    const body = new URLSearchParams({ full_name: 'Jo of Plumfield' });
    await fetch(`${users.server.url}/api/v1/settings`, { method: 'PATCH', headers, body });
    expect((await directory.get(`/Users/${id}`)).body).toMatchObject({
      displayName: 'Jo of Plumfield',
      name: { givenName: 'Jo', familyName: 'of Plumfield' },
    });
  });

  it('requires the version of If-Match', async () => {
    const { id, meta } = await create();
    const [version, change] = [String((meta as ScimBody).version), [{ op: 'replace', path: 'locale', value: 'fr' }]];
    const stale = { 'if-match': 'W/"1"' };
    expect(await directory.patch(`/Users/${id}`, change, stale)).toMatchObject({ status: 412, body: scimError(412) });
    expect(await directory.put(`/Users/${id}`, { userName: address() }, stale)).toMatchObject({ status: 412 });
    expect(await directory.delete(`/Users/${id}`, stale)).toMatchObject({ status: 412 });
    expect(await directory.patch(`/Users/${id}`, change, { 'if-match': `W/"1", ${version}` })).toMatchObject({
      status: 200,
    });
    expect(await directory.patch(`/Users/${id}`, change, { 'if-match': '*' })).toMatchObject({ status: 200 });
  });

  it.each<[string, object, number, string | undefined]>([
    ['to the address of somebody', { path: 'userName', value: 'owner@example.com' }, 409, 'uniqueness'],
    ['to an address that is none', { path: 'userName', value: 'nothing' }, 400, 'invalidValue'],
    ['of the id', { path: 'id', value: '1' }, 400, 'mutability'],
    ['at a path that is none', { path: 'name..x', value: '1' }, 400, 'invalidPath'],
    ['of a role that is not there', { path: 'roles[value eq "x"].value', value: 'guest' }, 400, 'noTarget'],
  ])('%s is refused', async (_, operation, status, scimType) => {
    const { id } = await create();
    const answer = await directory.patch(`/Users/${id}`, [{ op: 'replace', ...operation }]);
    expect(answer).toMatchObject({ status, body: scimError(status, scimType) });
  });

  it('makes owners of guests, and ends the account in the same request', async () => {
    const { id } = await create({ role: 'guest' });
    const both = [{ op: 'replace', value: { role: 'owner', active: false } }];
    expect(await directory.patch(`/Users/${id}`, both)).toMatchObject({ body: { role: 'owner', active: false } });
    const back = [{ op: 'replace', value: { role: 'guest', active: true } }];
    expect(await directory.patch(`/Users/${id}`, back)).toMatchObject({ body: { role: 'guest', active: true } });
    expect(await create({ role: 'owner', active: false })).toMatchObject({ role: 'owner', active: false });
  });

  it('cannot leave the organization without an owner', async () => {
    const path = `/Users/${users.owner.id}`;
    for (const value of [{ active: false }, { role: 'member' }])
      expect(await directory.patch(path, [{ op: 'replace', value }])).toMatchObject({ status: 400 });
    expect(await directory.delete(path)).toMatchObject({ status: 400 });
  });
});

describe('a person who is deleted', () => {
  it('is deactivated, and does not exist for the directory', async () => {
    const { id, userName } = await create();
    expect(await directory.delete(`/Users/${id}`)).toMatchObject({ status: 204, body: {} });
    expect(await account(id)).toMatchObject({ is_active: false });
    for (const answer of [
      await directory.get(`/Users/${id}`),
      await directory.put(`/Users/${id}`, { userName }),
      await directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: true }]),
      await directory.delete(`/Users/${id}`),
    ])
      expect(answer).toMatchObject({ status: 404, body: scimError(404) });
    expect(await directory.find('/Users', `userName eq "${String(userName)}"`)).toEqual([]);
  });

  it('comes back with the same account when they are created again with the same externalId', async () => {
    const { id, userName } = await create({ externalId: 'e1' });
    const again = { userName, displayName: 'Jo Bhaer', role: 'guest', externalId: 'e1' };
    for (const active of [true, false]) {
      await directory.delete(`/Users/${id}`);
      const answer = await directory.post('/Users', { ...again, active });
      expect(answer).toMatchObject({ status: 201, body: { ...again, id, active } });
      expect(await directory.post('/Users', again)).toMatchObject({ status: 409 });
    }
  });

  it.each<[string, ScimBody, ScimBody]>([
    ['another externalId', { externalId: 'EMP-1001' }, { externalId: 'EMP-2002' }],
    ['none', { externalId: 'EMP-1002' }, {}],
    ['one, while they had none', {}, { externalId: 'EMP-1003' }],
    ['none, as they had', {}, {}],
    ['another letter case of it', { externalId: 'emp-1' }, { externalId: 'EMP-1' }],
  ])('keeps the account from the next person with the address: %s', async (_, first, next) => {
    const { id, userName } = await create(first);
    await directory.delete(`/Users/${id}`);
    const request = { userName: String(userName).toUpperCase(), displayName: 'Alice Next', ...next };
    const refused = await directory.post('/Users', request);
    expect([refused.status, refused.body]).toEqual([409, scimError(409, 'uniqueness')]);
    expect(refused.body.detail).toContain('Somebody who left has this userName');
    expect(await account(id)).toMatchObject({ full_name: 'Jo March', is_active: false });
  });

  it('leaves the address to the next person when an administrator gives the account another one', async () => {
    const { id, userName } = await create({ externalId: 'EMP-1004' });
    await directory.delete(`/Users/${id}`);
    granted(await users.owner.patch(`/users/${id}`, { new_email: address() }));
    const next = await directory.post('/Users', { userName, displayName: 'Alice Next', externalId: 'EMP-2004' });
    expect(next).toMatchObject({ status: 201, body: { userName } });
    expect(next.body.id).not.toBe(id);
  });

  it('comes back when an administrator reactivates the account', async () => {
    const { id } = await create();
    await directory.delete(`/Users/${id}`);
    granted(await users.owner.post(`/users/${id}/reactivate`));
    expect(await directory.get(`/Users/${id}`)).toMatchObject({ status: 200, body: { active: true } });
    granted(await users.owner.delete(`/users/${id}`));
    expect(await directory.get(`/Users/${id}`)).toMatchObject({ status: 200, body: { active: false } });
  });
});
