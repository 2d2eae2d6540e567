import type { RegisterBlock } from '@annals/kernel';
import { listGroups } from './list-groups';
import { presentGroup } from './present-group';

/** contract/boot.md section 4.1 */
export const groupsRegisterBlock: RegisterBlock = {
  keys: ['realm_user_groups'],
  async read(snapshot, _by, { capabilities }) {
    const groups = await listGroups(snapshot, capabilities.include_deactivated_groups);
    return { realm_user_groups: groups.map(presentGroup) };
  },
};
