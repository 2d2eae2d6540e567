import { defineContext } from '@annals/kernel';
import { deviceDescriptions } from './audit/device.audit';
import { PUSH_EVENTS } from './domain/events';
import { devicesFeed, devicesPresenter } from './feed/devices.feed';
import { countDeadLetters, oldestTask } from './jobs/push-outbox-rows';
import { PUSH_QUEUE } from './jobs/push-outbox';
import { devicesRegisterBlock } from './read/devices';
import { devicesView } from './read/devices.view';
import { forgetAhead, pushMigrations } from './schema';

export const pushContext = defineContext({
  name: 'push',
  events: PUSH_EVENTS,
  descriptions: deviceDescriptions,
  projections: [devicesView],
  feeds: [devicesFeed],
  presenters: [devicesPresenter],
  registerBlocks: [devicesRegisterBlock],
  migrations: pushMigrations,
  queues: [
    { name: PUSH_QUEUE, oldestDue: oldestTask, deadLetters: { count: countDeadLetters, listedBy: 'annals push list' } },
  ],
  restored: forgetAhead,
});
