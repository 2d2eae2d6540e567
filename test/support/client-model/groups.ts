import type { WireEvent } from '../server/caller';

/** A group as a client stores it. */
export interface Group {
  readonly id: number;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly [field: string]: unknown;
}

/**
 * The groups that a client knows after a `user_group` event (contract/groups.md section 4).
 *
 * @param knowsDeactivated whether its queue has the capability `include_deactivated_groups`
 */
export function groupsAfter(event: WireEvent, groups: readonly Group[], knowsDeactivated: boolean): Group[] {
  if (event.op === 'add') return [...groups, event['group'] as Group];
  const id = event['group_id'];
  if (event.op === 'remove') return groups.filter((group) => group.id !== id);
  // Clients without the capability of deactivated groups receive some events of them anyway.
  if (knowsDeactivated && !groups.some((group) => group.id === id)) {
    throw new Error(`an unknown group changed: ${String(id)}`);
  }
  return groups.map((group) => (group.id === id ? changed(group, event) : group));
}

function changed(group: Group, { op, data, user_ids, direct_subgroup_ids }: WireEvent): Group {
  switch (op) {
    case 'update':
      return { ...group, ...(data as object) };
    case 'add_members':
    case 'remove_members':
      return { ...group, members: listAfter(group.members, op === 'add_members', user_ids as number[]) };
    case 'add_subgroups':
    case 'remove_subgroups': {
      const ids = direct_subgroup_ids as number[];
      return { ...group, direct_subgroup_ids: listAfter(group.direct_subgroup_ids, op === 'add_subgroups', ids) };
    }
    default:
      throw new Error(`this client does not know what user_group/${String(op)} means`);
  }
}

/** A list of ids with additions or removals, ascending and unique. */
function listAfter(list: readonly number[], isMore: boolean, ids: readonly number[]): number[] {
  const others = list.filter((id) => !ids.includes(id));
  return (isMore ? [...others, ...ids] : others).sort((a, b) => a - b);
}
