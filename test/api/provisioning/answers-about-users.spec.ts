import type { ScimBody, ScimCaller } from '../../support/provisioning/scim-caller';
import { directoryOf } from '../../support/provisioning/scim-caller';
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

describe('people', () => {
  it('are no bots', async () => {
    const { user_id } = granted(
      await users.owner.post<{ user_id: number }>('/bots', { full_name: 'Robo', short_name: 'robo' }),
    );
    expect(await directory.get(`/Users/${user_id}`)).toMatchObject({ status: 404 });
    expect(await directory.patch(`/Users/${user_id}`, [{ op: 'replace', value: { active: false } }])).toMatchObject({
      status: 404,
    });
    const names = (await directory.find('/Users', 'id pr')).map(({ displayName }) => displayName);
    expect(names).not.toContain('Robo');
    expect(names).toEqual(expect.arrayContaining(['Ada', 'Mia', 'Otto', 'Gus']));
  });

  it.each(['0', '01', 'abc', '9999999', '99999999999', '%00', 'a%2Fb'])('with the id %s do not exist', async (id) => {
    const { status } = await directory.get(`/Users/${id}`);
    expect([400, 404]).toContain(status);
  });

  it('are not sent again while they have not changed', async () => {
    const { id, meta } = await create();
    const known = await directory.get(`/Users/${id}`, { 'if-none-match': String((meta as ScimBody).version) });
    expect(known).toMatchObject({ status: 304, body: {} });
    expect(await directory.get(`/Users/${id}`, { 'if-none-match': 'W/"1"' })).toMatchObject({ status: 200 });
  });

  it('have only the attributes that were asked for', async () => {
    const { id } = await create({ externalId: 'x9' });
    const keys = async (query: string) => (await directory.get(`/Users/${id}?${query}`)).body;
    expect(await keys('attributes=userName,name.givenName')).toEqual({
      schemas: expect.any(Array) as unknown,
      id,
      userName: expect.any(String) as unknown,
      name: { givenName: 'Jo' },
    });
    const without = await keys('excludedAttributes=emails,meta,name.formatted,id');
    expect([without.emails, without.meta, without.id, without.name]).toEqual([
      undefined,
      undefined,
      id,
      { givenName: 'Jo', familyName: 'March' },
    ]);
  });
});
