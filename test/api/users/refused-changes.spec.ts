import type { Params } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  administrator = await server.person({ role: 'administrator' });
});
afterAll(() => server.close());

const done = { status: 200, body: { result: 'success', msg: '' } };
const bad = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const shown = async ({ id }: Pick<Person, 'id'>) =>
  (await owner.get<{ user: Record<string, unknown> }>(`/users/${id}`)).body.user;
/** The changes that an act makes to a user, and its events. */
async function changesOf(person: Person, act: () => Promise<unknown>) {
  const before = await shown(person);
  const events = await owner.receive(act);
  const after = await shown(person);
  const changed = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]));
  return { changed, events };
}
const nothing = { changed: [], events: [] };

describe('PATCH /users/{user_id} with an invalid value', () => {
  let person: Person;
  beforeAll(async () => (person = await server.person({ name: 'Mia' })));

  it.each<[string, Params]>([
    ['the value of a profile field', { profile_data: [{ id: 1, value: 'here' }] }],
    ['the removal of a value', { profile_data: [{ id: 1, value: null }] }],
    ['a value without its field', { profile_data: [{ value: 'here' }] }],
    ['a field without a value', { profile_data: [{ id: 1 }] }],
    ['values of another form', { profile_data: { id: 1, value: 'here' } }],
  ])('refuses %s, and changes no other value either', async (_, params) => {
    const act = async () => {
      for (const by of [owner, administrator, person]) {
        expect(await by.patch(`/users/${person.id}`, { full_name: 'Other', role: 300, ...params })).toMatchObject(bad);
      }
    };
    expect(await changesOf(person, act)).toEqual(nothing);
  });

  it('accepts the present email, and no values at all', async () => {
    const params = { new_email: ` ${person.email} `, profile_data: [] };
    const act = async () => expect(await owner.patch(`/users/${person.email}`, params)).toMatchObject(done);
    expect(await changesOf(person, act)).toEqual(nothing);
    const more = async () =>
      expect((await owner.patch(`/users/${person.id}`, { full_name: 'Mia B.', ...params })).body).toEqual(done.body);
    expect((await changesOf(person, more)).changed).toEqual(['full_name']);
  });
});

describe('DELETE /users/{user_id} with actions', () => {
  it.each<[string, Params]>([
    ['an unknown part', { actions: { delete_everything: false } }],
    ['a part that is no boolean', { actions: { delete_profile: 'true' } }],
    ['parts that are no object', { actions: [] }],
    ['a comment that is too long', { deactivation_notification_comment: 'x'.repeat(2_001) }],
  ])('refuses %s', async (_, params) => {
    const person = await server.person();
    expect(await owner.delete(`/users/${person.id}`, params)).toMatchObject(bad);
    expect((await person.get('/users/me')).status).toBe(200);
  });

  it('deactivates the account when nothing is to be deleted', async () => {
    const person = await server.person();
    const actions = { delete_profile: false, delete_direct_messages: false };
    const comment = '\u{1F44B}'.repeat(2_000);
    const { body } = await owner.delete(`/users/${person.id}`, { actions, deactivation_notification_comment: comment });
    expect(body).toEqual(done.body);
    expect((await shown(person))['is_active']).toBe(false);
  });
});
