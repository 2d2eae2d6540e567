import type { Answer, Caller } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ProcessServer } from '../../support/processes/processes';
import { FIELD, choices, createField, fieldsOf, newField, profileOf, say } from '../../support/requests/profile-fields';
import type { Acts } from '../../support/guards/race';
import { race } from '../../support/guards/race';

/** Profile fields and their values change at once. */
export function profiles(the: () => ProcessServer): void {
  let server: ProcessServer;
  let ann: Person;
  beforeAll(async () => {
    server = the();
    ann = await server.person();
  });

  const bad = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });
  const done = { status: 200, body: { result: 'success' } };

  /** Two acts on processes of their own, the second of which has decided on what the first changed. */
  async function raced(acts: Acts, second: object): Promise<void> {
    const [first, other]: readonly Answer[] = await race(server.kernel, acts);
    expect(first).toMatchObject(done);
    expect(other).toMatchObject(second);
  }

  describe('of two processes that decide at once about profile fields', () => {
    it('one gets the last place in the summary', async () => {
      const [here, there] = server.sides(server.owner);
      const summary = { display_in_profile_summary: true };
      const taken = await newField(here, FIELD.shortText, { name: 'shown', ...summary });
      await raced(
        [
          () => createField(here, FIELD.shortText, { name: 'shown too', ...summary }),
          () => createField(there, FIELD.shortText, { name: 'not shown', ...summary }),
        ],
        bad('Only 2 custom profile fields can be displayed in the profile summary.'),
      );
      const shown = (await fieldsOf(ann)).filter((field) => field.display_in_profile_summary);
      expect(shown.map(({ name }) => name)).toEqual(['shown', 'shown too']);
      granted(await here.delete(`/realm/profile_fields/${taken}`));
    });

    it('one gets the name', async () => {
      const [here, there] = server.sides(server.owner);
      const create = (by: Caller) => createField(by, FIELD.shortText, { name: 'Phone' });
      await raced([() => create(here), () => create(there)], bad('A field with that label already exists.'));
      expect((await fieldsOf(ann)).filter(({ name }) => name === 'Phone')).toHaveLength(1);
    });

    it('no value is set in a field that is deleted', async () => {
      const [here] = server.sides(server.owner);
      const [, there] = server.sides(ann);
      const id = await newField(server.owner, FIELD.pronouns);
      const remove = () => here.delete(`/realm/profile_fields/${id}`);
      await raced([remove, () => say(there, { [id]: 'she' })], bad(`Field id ${id} not found.`));
      expect(await profileOf(server.owner, ann.id)).toEqual({});
    });

    it('no choice is set that is removed', async () => {
      const [here] = server.sides(server.owner);
      const [, there] = server.sides(ann);
      const id = await newField(server.owner, FIELD.dropdown, { name: 'Office', field_data: choices('a', 'b') });
      const offer = () => here.patch(`/realm/profile_fields/${id}`, { field_data: choices('a') });
      await raced([offer, () => say(there, { [id]: 'b' })], bad('Invalid choice for Office'));
      expect(await profileOf(server.owner, ann.id)).toEqual({});
    });

    it('no field is set from which the permission is removed', async () => {
      const [here] = server.sides(server.owner);
      const [, there] = server.sides(ann);
      const id = await newField(server.owner, FIELD.shortText, { name: 'Number' });
      const take = () => here.patch(`/realm/profile_fields/${id}`, { editable_by_user: false });
      await raced([take, () => say(there, { [id]: '1' })], { status: 400, body: { code: 'BAD_REQUEST' } });
      expect(await profileOf(server.owner, ann.id)).toEqual({});
    });

    it('no value contains a user who is deactivated', async () => {
      const [here] = server.sides(server.owner);
      const [, there] = server.sides(ann);
      const bob = await server.person();
      const id = await newField(server.owner, FIELD.users);
      const end = () => here.delete(`/users/${bob.id}`);
      await raced([end, () => say(there, { [id]: [bob.id] })], bad(`Invalid user ID: ${bob.id}`));
      expect(await profileOf(server.owner, ann.id)).toEqual({});
    });

    it('two equal fields are created once', async () => {
      const [here, there] = server.sides(ann);
      const id = await newField(server.owner, FIELD.shortText, { name: 'Motto' });
      await raced([() => say(here, { [id]: 'once' }), () => say(there, { [id]: 'once' })], done);
      const { rows } = await server.kernel.database.pool.query(
        "SELECT FROM events WHERE realm_id = 1 AND stream = $1 AND type = 'users.ProfileValueSet'",
        [`profile-${ann.id}`],
      );
      expect(rows).toHaveLength(1);
    });
  });
}
