import { defineContext } from '@annals/kernel';
import { groupDescriptions } from './audit/group.audit';
import { groupNameFree } from './application/guards';
import {
  GroupCreated,
  GroupDeactivated,
  GroupDescribed,
  GroupReactivated,
  GroupRenamed,
  GroupSettingChanged,
  MembersAdded,
  MembersRemoved,
  SubgroupsAdded,
  SubgroupsRemoved,
  SystemGroupCreated,
} from './domain/events';
import { groupsFeed } from './feed/groups.feed';
import { groupsPresenter } from './feed/groups.presenter';
import { groupsView } from './read/groups.view';
import { groupsRegisterBlock } from './read/register';

export const groupsContext = defineContext({
  name: 'groups',
  events: [
    SystemGroupCreated,
    GroupCreated,
    GroupRenamed,
    GroupDescribed,
    GroupSettingChanged,
    MembersAdded,
    MembersRemoved,
    SubgroupsAdded,
    SubgroupsRemoved,
    GroupDeactivated,
    GroupReactivated,
  ],
  guards: [groupNameFree],
  descriptions: groupDescriptions,
  projections: [groupsView],
  feeds: [groupsFeed],
  presenters: [groupsPresenter],
  registerBlocks: [groupsRegisterBlock],
});
