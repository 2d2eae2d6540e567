import fc from 'fast-check';
import type { Params } from '../server/caller';
import { act } from './act';
import type { World } from './world';
import { pick } from './world';

const group = fc.nat(5);
const change = fc.record({ group, what: fc.nat(12), isMore: fc.boolean() });

/** Acts on groups that people make. */
export const groupActs = [
  act('group', 1, fc.record({ members: fc.uniqueArray(group, { maxLength: 3 }), subgroup: fc.nat(12) }), create),
  act('enter', 2, change, (world, request) => alterList(world, request, 'members', person(world, request.what))),
  act('nest', 2, change, (world, request) => alterList(world, request, 'subgroups', subgroup(world, request.what))),
  act('alter group', 1, group, (world, group) => alter(world, group, { name: `group ${world.server.next()}` })),
  act('describe group', 1, group, (world, group) => alter(world, group, { description: `now ${world.server.next()}` })),
  act('permit in group', 1, group, (world, group) =>
    alter(world, group, {
      can_join_group: {
        new: { direct_members: world.others.slice(-1), direct_subgroups: world.systemGroups.slice(1, 3) },
      },
    }),
  ),
  act('end group', 1, group, (world, group) => world.owner.post(`${path(world, group)}/deactivate`)),
  act('begin group again', 1, group, (world, group) => alter(world, group, { deactivated: false })),
];

async function create(world: World, request: { members: readonly number[]; subgroup: number }): Promise<void> {
  const nested = subgroup(world, request.subgroup);
  const { body } = await world.owner.post<{ group_id?: number }>('/user_groups/create', {
    name: `group ${world.server.next()}`,
    description: '',
    members: request.members.map((who) => person(world, who)),
    subgroups: nested === undefined ? [] : [nested],
  });
  if (body.group_id !== undefined) world.groups.push(body.group_id);
}

const alterList = (
  world: World,
  { group, isMore }: { group: number; isMore: boolean },
  list: 'members' | 'subgroups',
  what: number | undefined,
) => world.owner.post(`${path(world, group)}/${list}`, { [isMore ? 'add' : 'delete']: [what] });

const alter = (world: World, group: number, change: Params) => world.owner.patch(path(world, group), change);

const path = (world: World, group: number) => `/user_groups/${pick(world.groups, group) ?? 0}`;

const person = (world: World, index: number) => world.viewers[index]?.id ?? world.others.at(-1) ?? world.owner.id;

/** A group that people made, or of the system. */
const subgroup = (world: World, index: number) => world.groups[index] ?? world.systemGroups[index - 5];
