import fc from 'fast-check';
import { FIELD, FORUM, choices, createField, fieldsOf, say } from '../requests/profile-fields';
import type { WireField } from '../requests/profile-fields';
import type { Act } from './act';
import { act } from './act';
import { pick, viewer } from './world';
import type { World } from './world';

const which = fc.nat(9);
const type = fc.constantFrom(...Object.values(FIELD), FIELD.dropdown, FIELD.dropdown);
const keys = fc.subarray(['a', 'b', 'c'], { minLength: 1 });

const field = async (world: World, index: number) => pick(await fieldsOf(world.owner), index);

/** A value of a field, chosen by a number. A choice may be one that was removed. */
function value(world: World, { type }: Pick<WireField, 'type'>, index: number): unknown {
  if (index === 0) return null;
  const people = [world.owner.id, world.viewer(index % 4).id];
  const values: Readonly<Record<number, unknown>> = {
    [FIELD.dropdown]: pick(['a', 'b', 'c'], index),
    [FIELD.date]: `2020-02-0${1 + (index % 3)}`,
    [FIELD.link]: `https://example.com/${index % 3}`,
    [FIELD.users]: people.slice(index % 2),
  };
  return values[type] ?? `*said* ${index % 3}`;
}

/** Acts on custom profile fields and their values. */
export const profileActs: readonly Act[] = [
  act('add field', 2, fc.record({ type, keys, locked: fc.boolean() }), (world, { type, keys, locked }) =>
    createField(world.owner, type, {
      name: `Field ${world.server.next()}`,
      field_data: type === FIELD.externalAccount ? FORUM : choices(...keys),
      editable_by_user: !locked,
    }),
  ),
  act(
    'change field',
    2,
    fc.record({ which, keys, required: fc.boolean() }),
    async (world, { which, keys, required }) => {
      const input = { name: `Field ${world.server.next()}`, required };
      const one = await field(world, which);
      const data = one?.type === FIELD.dropdown ? { field_data: choices(...keys) } : {};
      return world.owner.patch(`/realm/profile_fields/${one?.id ?? 0}`, { ...input, ...data });
    },
  ),
  act('order fields', 1, fc.boolean(), async (world, isTurned) => {
    const ids = (await fieldsOf(world.owner)).map(({ id }) => id);
    return world.owner.patch('/realm/profile_fields', { order: isTurned ? ids.reverse() : ids });
  }),
  act('end field', 1, which, async (world, which) =>
    world.owner.delete(`/realm/profile_fields/${(await field(world, which))?.id ?? 0}`),
  ),
  act('say', 4, fc.record({ viewer, which, value: which }), async (world, { viewer, which, value: values }) => {
    const one = await field(world, which);
    return one && say(world.viewer(viewer), { [one.id]: value(world, one, values) });
  }),
  act(
    'say for somebody',
    3,
    fc.record({ viewer, which, value: which }),
    async (world, { viewer, which, value: values }) => {
      const one = await field(world, which);
      const profile_data = one && [{ id: one.id, value: value(world, one, values) }];
      // Users who are not viewers may be erased later.
      const whom = values % 2 === 0 ? world.viewer(viewer).id : (pick(world.others, which) ?? 0);
      return world.owner.patch(`/users/${whom}`, { profile_data });
    },
  ),
];
