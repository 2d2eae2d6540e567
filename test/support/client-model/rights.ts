import { isGuest } from '@annals/kernel/domain';
import type { SettingValue, State } from './shapes';

/** Permissions that the client derives from settings and groups (contract/boot.md section 4.2). */
export function rightsIn(state: State): Record<string, boolean> {
  const own = state.realm_users.find(({ user_id }) => user_id === state.user_id);
  if (!own) throw new Error('the own account is not in the directory');
  const guest = isGuest({ role: own.role });
  const may = (name: string) => !guest && holds(state, state[`realm_${name}`] as SettingValue);
  const createPublic = may('can_create_public_channel_group');
  const createPrivate = may('can_create_private_channel_group');
  return {
    can_create_public_streams: createPublic,
    can_create_private_streams: createPrivate,
    can_create_streams: createPublic || createPrivate,
    can_invite_others_to_realm: may('can_invite_users_group'),
    can_subscribe_other_users: may('can_add_subscribers_group'),
  };
}

function holds(state: State, value: SettingValue): boolean {
  if (typeof value === 'number') return isIn(state, value);
  return value.direct_members.includes(state.user_id) || value.direct_subgroups.some((group) => isIn(state, group));
}

function isIn(state: State, id: number): boolean {
  const group = state.realm_user_groups.find((one) => one.id === id);
  if (!group) return false;
  return group.members.includes(state.user_id) || group.direct_subgroup_ids.some((sub) => isIn(state, sub));
}
