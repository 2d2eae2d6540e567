import type { ScimBody, ScimCaller } from '../../support/provisioning/scim-caller';
import { directoryOf } from '../../support/provisioning/scim-caller';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let server: TestServer;
let directory: ScimCaller;
beforeAll(async () => {
  server = await startTestServer();
  directory = await directoryOf(server.owner);
});
afterAll(() => server.close());

const resources = (body: ScimBody) => (body.Resources ?? []) as ScimBody[];

describe('Okta', () => {
  it('provisions a person and pushes a group', async () => {
    const match = '/Users?filter=userName%20eq%20%22grace%40example.com%22&startIndex=1&count=100';
    const before = await directory.get(match);
    expect(before).toMatchObject({ status: 200, body: { totalResults: 0, startIndex: 1, itemsPerPage: 0 } });
    const profile = {
      schemas: [USER],
      userName: 'grace@example.com',
      name: { givenName: 'Grace', familyName: 'Hopper' },
      emails: [{ primary: true, value: 'grace@example.com', type: 'work' }],
      displayName: 'Grace Hopper',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq-longer',
      active: true,
    };
    const created = await directory.post('/Users', profile);
    const id = String(created.body.id);
    expect(created).toMatchObject({ status: 201, body: { displayName: 'Grace Hopper', active: true } });
    expect(resources((await directory.get(match)).body).map((one) => one.id)).toEqual([id]);
    const renamed = { ...profile, id, name: { givenName: 'Grace', familyName: 'Murray' }, displayName: 'Grace Murray' };
    expect(await directory.put(`/Users/${id}`, renamed)).toMatchObject({
      status: 200,
      body: { displayName: 'Grace Murray' },
    });
    const group = await directory.post('/Groups', { displayName: 'Navy', members: [] });
    const groupId = String(group.body.id);
    const operations = [
      { op: 'add', path: 'members', value: [{ value: id, display: 'grace@example.com' }] },
      { op: 'replace', value: { id: groupId, displayName: 'Navy Reserve' } },
    ];
    expect(await directory.patch(`/Groups/${groupId}`, operations)).toMatchObject({ status: 204 });
    expect((await directory.get(`/Groups/${groupId}`)).body).toMatchObject({
      displayName: 'Navy Reserve',
      members: [{ value: id }],
    });
    await directory.patch(`/Groups/${groupId}`, [{ op: 'remove', path: `members[value eq "${id}"]` }]);
    expect((await directory.get(`/Groups/${groupId}`)).body.members).toBeUndefined();
    const ended = await directory.patch(`/Users/${id}`, [{ op: 'replace', value: { active: false } }]);
    expect(ended).toMatchObject({ status: 200, body: { active: false } });
  });
});

describe('Entra ID', () => {
  it('tests the connection, provisions a person and a group', async () => {
    const probe = '/Users?filter=userName+eq+%226bd8e2c3-aa3c-4a1b-9a4c-35b2a6d2b6b1%22';
    expect(await directory.get(probe)).toMatchObject({ status: 200, body: { totalResults: 0 } });
    const created = await directory.post('/Users', {
      schemas: [USER, ENTERPRISE],
      externalId: 'linus',
      userName: 'linus@example.com',
      active: true,
      displayName: 'Linus Pauling',
      emails: [{ primary: true, type: 'work', value: 'linus@example.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Linus Pauling', familyName: 'Pauling', givenName: 'Linus' },
      addresses: [{ type: 'work', country: 'US' }],
      [ENTERPRISE]: { department: 'Chemistry', manager: { value: '7' } },
    });
    const id = String(created.body.id);
    const send = (path: string, ...Operations: object[]) =>
      directory.send('PATCH', path, { schemas: [PATCH], Operations });
    const changed = await send(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'other@example.com' },
      { op: 'Replace', path: 'name.familyName', value: 'P.' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'moderator' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Physics' },
      { op: 'Replace', path: 'title', value: [{ value: 'Professor' }] },
      { op: 'Replace', path: 'active', value: 'True' },
    );
    expect(changed).toMatchObject({
      status: 200,
      body: { userName: 'linus@example.com', displayName: 'Linus P.', role: 'moderator', active: true },
    });
    const group = await directory.post('/Groups', { externalId: 'g-8aa1', displayName: 'Chemists' });
    const path = `/Groups/${String(group.body.id)}`;
    await send(path, { op: 'Add', path: 'members', value: [{ $ref: null, value: id }] });
    const found = await directory.get('/Groups?excludedAttributes=members&filter=displayName+eq+%22chemists%22');
    expect(resources(found.body)).toEqual([expect.objectContaining({ displayName: 'Chemists', externalId: 'g-8aa1' })]);
    expect(resources(found.body)[0]).not.toHaveProperty('members');
    expect(
      await directory.find('/Groups', `id eq "${String(group.body.id)}" and members[value eq "${id}"]`),
    ).toHaveLength(1);
    await send(path, { op: 'Remove', path: 'members', value: [{ value: id }] });
    expect(await directory.find('/Groups', `members.value eq "${id}"`)).toEqual([]);
    await send(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
    expect(await directory.find('/Users', 'externalId eq "linus" and active eq false')).toHaveLength(1);
    expect(await directory.delete(`/Users/${id}`)).toMatchObject({ status: 204 });
  });
});
