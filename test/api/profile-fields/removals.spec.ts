import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import { FIELD, choices, newField, profileOf, say } from '../../support/requests/profile-fields';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, member, other, guest } = await startWithUsers()));
afterAll(() => server.close());

interface Listed {
  readonly user_id: number;
  readonly profile_data?: Readonly<Record<string, object>>;
}
/** All profile values of GET /users; users without values are left out. */
const listed = async () => {
  const asked = { include_custom_profile_fields: true };
  return saying(granted(await guest.get<{ members: Listed[] }>('/users', asked)).members);
};
/** The same, as POST /register has it. */
const registered = async () => saying((await guest.register({ fetch_event_types: ['realm_user'] }))['realm_users']);
const saying = (people: unknown) =>
  Object.fromEntries(
    (people as Listed[])
      .filter(({ profile_data = {} }) => Object.keys(profile_data).length > 0)
      .map(({ user_id, profile_data }) => [user_id, profile_data]),
  );
const offer = (id: number, ...keys: string[]) =>
  owner.patch(`/realm/profile_fields/${id}`, { field_data: choices(...keys) });

describe('profile values of many users', () => {
  it('are listed on request, and always in POST /register', async () => {
    expect(await listed()).toEqual({});
    const id = await newField(owner, FIELD.shortText);
    granted(await say(member, { [id]: 'here' }));
    granted(await say(guest, { [id]: 'and here' }));
    const here = { [id]: { value: 'here', rendered_value: '<p>here</p>' } };
    const both = { [member.id]: here, [guest.id]: { [id]: { value: 'and here', rendered_value: '<p>and here</p>' } } };
    expect([await listed(), await registered()]).toEqual([both, both]);
    granted(await say(guest, { [id]: null }));
    expect([await listed(), await registered()]).toEqual([{ [member.id]: here }, { [member.id]: here }]);
    const { members } = granted(await guest.get<{ members: Listed[] }>('/users', { user_ids: [member.id, owner.id] }));
    for (const one of members) expect(one).not.toHaveProperty('profile_data');
    const { profile_data } = granted(await member.get<Listed>('/users/me'));
    expect(profile_data).toEqual(here);
    expect(granted(await member.get('/users/me', { include_custom_profile_fields: false }))).not.toHaveProperty(
      'profile_data',
    );
    granted(await owner.delete(`/realm/profile_fields/${id}`));
  });

  it('are deleted with their field, without events for each user', async () => {
    const [kept, deleted] = [await newField(owner, FIELD.pronouns), await newField(owner, FIELD.longText)];
    for (const by of [member, other, guest]) granted(await say(by, { [kept]: 'they', [deleted]: 'much' }));
    expect(Object.keys((await registered())[member.id] ?? {})).toEqual([`${kept}`, `${deleted}`]);
    const act = async () => granted(await owner.delete(`/realm/profile_fields/${deleted}`));
    const events = await member.receive(act, { event_types: ['realm_user', 'custom_profile_fields'] });
    expect(events.map(({ type, fields }) => [type, (fields as object[]).length])).toEqual([
      ['custom_profile_fields', 1],
    ]);
    const left = { [kept]: { value: 'they' } };
    const all = Object.fromEntries([member, other, guest].map(({ id }) => [id, left]));
    expect([await listed(), await registered()]).toEqual([all, all]);
    granted(await owner.delete(`/realm/profile_fields/${kept}`));
    expect([await listed(), await registered()]).toEqual([{}, {}]);
  });

  it('are deleted with their choice, also when the choice is added again', async () => {
    const id = await newField(owner, FIELD.dropdown, { field_data: choices('a', 'b', 'c') });
    granted(await say(member, { [id]: 'a' }));
    granted(await say(other, { [id]: 'b' }));
    granted(await say(guest, { [id]: 'b' }));
    const act = async () => granted(await offer(id, 'a', 'c'));
    const events = await member.receive(act, { event_types: ['realm_user', 'custom_profile_fields'] });
    expect(events.map(({ type }) => type)).toEqual(['custom_profile_fields']);
    const left = { [member.id]: { [id]: { value: 'a' } } };
    expect([await listed(), await registered()]).toEqual([left, left]);
    granted(await offer(id, 'b', 'c', 'a'));
    expect([await listed(), await registered()]).toEqual([left, left]);
    granted(await say(other, { [id]: null }));
    granted(await say(guest, { [id]: 'b' }));
    expect(await profileOf(owner, guest.id)).toEqual({ [id]: { value: 'b' } });
    expect(await profileOf(owner, other.id)).toEqual({});
  });

  it('send fields as they were: a choice that is added again is a new one', async () => {
    const id = await newField(owner, FIELD.dropdown, { name: 'Office', field_data: choices('a', 'b') });
    const act = async () => {
      granted(await offer(id, 'a'));
      granted(await offer(id, 'a', 'b'));
      granted(await owner.delete(`/realm/profile_fields/${id}`));
    };
    const events = await guest.receive(act, 'custom_profile_fields');
    const received = events.map(({ fields }) =>
      (fields as { id: number; field_data: string }[]).find((one) => one.id === id),
    );
    expect(received.map((one) => one?.field_data)).toEqual([
      JSON.stringify(choices('a')),
      JSON.stringify(choices('a', 'b')),
      undefined,
    ]);
  });
});
