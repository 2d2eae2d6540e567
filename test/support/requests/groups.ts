import type { Caller, Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';

/** A user group on the wire. */
export interface WireGroup {
  readonly id: number;
  readonly name: string;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly deactivated: boolean;
  readonly [field: string]: unknown;
}

export const groupsSeen = async (by: Caller, include_deactivated_groups = true): Promise<WireGroup[]> =>
  granted(await by.get<{ user_groups: WireGroup[] }>('/user_groups', { include_deactivated_groups })).user_groups;

/** @throws Error when there is no such group */
export async function groupSeen(by: Caller, id: number): Promise<WireGroup> {
  const group = (await groupsSeen(by)).find((one) => one.id === id);
  if (!group) throw new Error(`there is no group ${id}`);
  return group;
}

/** Ids of the system groups by their names without `role:`. */
export async function systemGroups(by: Caller): Promise<Readonly<Record<string, number>>> {
  const groups = (await groupsSeen(by)).filter(({ name }) => name.startsWith('role:'));
  return Object.fromEntries(groups.map(({ id, name }) => [name.slice('role:'.length), id]));
}

let made = 0;

/** A new group, by default with a unique name and without members. */
export async function makeGroup(by: Caller, request: Params = {}): Promise<number> {
  const usual = { name: `group ${++made}`, description: '', members: [] };
  return granted(await by.post<{ group_id: number }>('/user_groups/create', { ...usual, ...request })).group_id;
}

/** Value of a group setting: these people. */
export const only = (...people: readonly Pick<Person, 'id'>[]) => ({
  direct_members: people.map(({ id }) => id),
  direct_subgroups: [],
});

/** A refusal of this code, in the envelope. */
export const refused = (code = 'BAD_REQUEST', more: object = {}) => ({
  status: 400,
  body: { result: 'error', code, ...more },
});
