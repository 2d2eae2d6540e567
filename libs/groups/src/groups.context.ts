import { defineContext } from '@annals/kernel';
import { SystemGroupCreated } from './domain/events';
import { groupsFeed } from './feed/groups.feed';
import { groupsPresenter } from './feed/groups.presenter';
import { groupsView } from './read/groups.view';
import { groupsRegisterBlock } from './read/register';

export const groupsContext = defineContext({
  name: 'groups',
  events: [SystemGroupCreated],
  projections: [groupsView],
  feeds: [groupsFeed],
  presenters: [groupsPresenter],
  registerBlocks: [groupsRegisterBlock],
});
