import type { GroupId, Recorded, UserId } from '@annals/kernel/domain';
import { defineAggregate } from '@annals/kernel/domain';
import type { GroupEvent, UserGroupSettings } from './events';

/** A group as the rules need it. */
export interface Group {
  readonly groupId: GroupId;
  readonly isSystemGroup: boolean;
  readonly isDeactivated: boolean;
  /** Null after it was erased. The names of system groups are not read here. */
  readonly name: string | null;
  readonly description: string | null;
  readonly settings: UserGroupSettings;
  /** Direct members, also deactivated accounts. None are stored for a system group. */
  readonly members: ReadonlySet<UserId>;
}

/** The streams `group-{id}`. Null before a group is created. */
export const groupAggregate = defineAggregate<Group | null, GroupEvent, GroupId>('group', null, (state, event) =>
  event.type === 'groups.SystemGroupCreated' || event.type === 'groups.GroupCreated'
    ? created(event)
    : state && { ...state, ...changeBy(state, event) },
);

type Creation = Extract<Recorded<GroupEvent>, { type: 'groups.SystemGroupCreated' | 'groups.GroupCreated' }>;

function created(event: Creation): Group {
  const { groupId, settings } = event.data;
  const usual = { groupId, settings, isDeactivated: false };
  if (event.type === 'groups.SystemGroupCreated') {
    return { ...usual, isSystemGroup: true, name: null, description: null, members: new Set() };
  }
  const { name, description } = event.sealed === 'erased' ? { name: null, description: null } : event.sealed;
  return { ...usual, isSystemGroup: false, name, description, members: new Set(event.data.memberIds) };
}

function changeBy(group: Group, event: Exclude<Recorded<GroupEvent>, Creation>): Partial<Group> {
  switch (event.type) {
    case 'groups.GroupRenamed':
      return { name: event.sealed === 'erased' ? null : event.sealed.name };
    case 'groups.GroupDescribed':
      return { description: event.sealed === 'erased' ? null : event.sealed.description };
    case 'groups.GroupSettingChanged':
      return { settings: { ...group.settings, [event.data.setting]: event.data.value } };
    case 'groups.MembersAdded':
      return { members: new Set([...group.members, ...event.data.userIds]) };
    case 'groups.MembersRemoved': {
      const members = new Set(group.members);
      for (const user of event.data.userIds) members.delete(user);
      return { members };
    }
    case 'groups.GroupDeactivated':
      return { isDeactivated: true };
    case 'groups.GroupReactivated':
      return { isDeactivated: false };
  }
}
