import { defineContext } from '@annals/kernel';
import { statusDescriptions } from './audit/status.audit';
import { StatusChanged } from './domain/events';
import { presencePresenter } from './feed/presence.presenter';
import { statusFeed, statusPresenter } from './feed/status.feed';
import { statusRegisterBlock } from './read/statuses';
import { userStatusesView } from './read/user-statuses.view';
import { presenceMigrations } from './schema';

export const presenceContext = defineContext({
  name: 'presence',
  events: [StatusChanged],
  descriptions: statusDescriptions,
  projections: [userStatusesView],
  feeds: [statusFeed],
  presenters: [presencePresenter, statusPresenter],
  registerBlocks: [statusRegisterBlock],
  migrations: presenceMigrations,
  transient: ['presences', 'presence_heads'],
});
