import { deactivateOrganization, reactivateOrganization } from '@annals/realm';
import type { ScimBody, ScimCaller } from '../../support/provisioning/scim-caller';
import { ScimCaller as Directory, directoryOf, scimError } from '../../support/provisioning/scim-caller';
import type { OtherOrganization } from '../../support/server/organizations';
import { SERVER_ENV, anotherOrganization } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let garden: OtherOrganization;
/** The directories of two organizations of one server. */
let ours: ScimCaller;
let theirs: ScimCaller;
let person: ScimBody;
let group: ScimBody;
beforeAll(async () => {
  server = await startTestServer({ env: SERVER_ENV });
  garden = await anotherOrganization(server, 'garden');
  ours = (await directoryOf(server.owner)).named('chat.example.com');
  theirs = (await directoryOf(garden.owner)).named(garden.host);
  person = await made(theirs, '/Users', { userName: 'gwen@example.com', displayName: 'Gwen Green', externalId: 'g-1' });
  const members = [{ value: person.id }];
  group = await made(theirs, '/Groups', { displayName: 'Gardeners', externalId: 'gg-1', members });
});
afterAll(() => server.close());

async function made(directory: ScimCaller, path: string, body: ScimBody): Promise<ScimBody> {
  const answer = await directory.post(path, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
const versionOf = ({ meta }: ScimBody) => String((meta as ScimBody).version);

describe('the directory of an organization', () => {
  it('finds nobody of another one, whatever it asks for', async () => {
    for (const filter of ['userName eq "gwen@example.com"', 'externalId eq "g-1"', 'displayName co "Gwen"'])
      expect([filter, await ours.find('/Users', filter)]).toEqual([filter, []]);
    for (const filter of ['displayName eq "Gardeners"', 'externalId eq "gg-1"', 'displayName co "Garden"'])
      expect([filter, await ours.find('/Groups', filter)]).toEqual([filter, []]);
    const { body } = await ours.post('/.search', { filter: 'id pr', count: 1_000 });
    expect(JSON.stringify(body)).not.toMatch(/gwen|garden/i);
  });

  it('cannot read, change or delete by id, and learns nothing from versions', async () => {
    for (const [path, of] of [
      ['/Users', person],
      ['/Groups', group],
    ] as const) {
      // An id may exist in both organizations. Then it means the own resource.
      const before = (await theirs.get(`${path}/${String(of.id)}`)).body;
      const own = (await ours.get(`${path}/${String(of.id)}`)).body;
      expect(own.displayName).not.toBe(of.displayName);
      const stale = await ours.patch(`${path}/${String(of.id)}`, [{ op: 'replace', path: 'externalId', value: 'x' }], {
        'if-match': versionOf(of),
      });
      expect([404, 412]).toContain(stale.status);
      await ours.delete(`${path}/99999`);
      expect((await theirs.get(`${path}/${String(of.id)}`)).body).toEqual(before);
    }
  });

  it('may use the same addresses, names and ids of its own', async () => {
    const body = { userName: 'gwen@example.com', displayName: 'Gwen Grey', externalId: 'g-1' };
    const own = await made(ours, '/Users', body);
    await made(ours, '/Groups', { displayName: 'Gardeners', externalId: 'gg-1', members: [{ value: own.id }] });
    expect((await theirs.find('/Users', 'externalId eq "g-1"')).map(({ displayName }) => displayName)).toEqual([
      'Gwen Green',
    ]);
    const ended = await ours.delete(`/Users/${String(own.id)}`);
    expect(ended.status).toBe(204);
    expect((await theirs.get(`/Users/${String(person.id)}`)).body).toMatchObject({ active: true });
  });

  it('takes no members from another one', async () => {
    const refused = { status: 400, body: scimError(400, 'invalidValue') };
    const foreign = String(Number(person.id) + 1_000);
    expect(await ours.post('/Groups', { displayName: 'Mixed', members: [{ value: foreign }] })).toMatchObject(refused);
  });

  it('has a token that is valid at its own host only', async () => {
    for (const [directory, host] of [
      [ours, garden.host],
      [theirs, 'chat.example.com'],
    ] as const)
      expect(await directory.named(host).get('/Users')).toMatchObject({ status: 401, body: scimError(401) });
    // The id of a token of one organization with the secret of another one.
    const [, , secret = ''] = theirs.token.split('-');
    const mixed = new Directory(ours.url, `annals-1-${secret}`).named('chat.example.com');
    expect(await mixed.get('/Users')).toMatchObject({ status: 401 });
  });

  it('reads why nothing goes on while its organization is deactivated, or where none is', async () => {
    await deactivateOrganization(server.kernel, garden.id);
    const ended = { status: 401, body: { ...scimError(401), detail: 'This organization has been deactivated' } };
    expect(await theirs.get('/Users')).toMatchObject(ended);
    await reactivateOrganization(server.kernel, garden.id);
    expect(await theirs.get('/Users')).toMatchObject({ status: 200 });
    const nowhere = theirs.named('renamed.chat.example.com');
    expect(await nowhere.get('/Users')).toMatchObject({ status: 404, body: scimError(404) });
  });

  it('shows addresses of its own organization', async () => {
    expect((person.meta as ScimBody).location).toBe(`http://${garden.host}/scim/v2/Users/${String(person.id)}`);
  });
});
