import { defineContext } from '@annals/kernel';
import { consumerNameFree, consumerRoom } from './application/guards';
import { consumerDescriptions } from './audit/consumer.audit';
import {
  ConsumerChanged,
  ConsumerCreated,
  ConsumerDeleted,
  ConsumerPaused,
  ConsumerResumed,
  ConsumerRewound,
} from './domain/events';
import { consumersView } from './read/consumers.view';
import { consumerMigrations, newestConsumed, takeConsumersBack } from './schema';

export const consumersContext = defineContext({
  name: 'consumers',
  events: [ConsumerCreated, ConsumerChanged, ConsumerPaused, ConsumerResumed, ConsumerRewound, ConsumerDeleted],
  guards: [consumerNameFree, consumerRoom],
  projections: [consumersView],
  descriptions: consumerDescriptions,
  migrations: consumerMigrations,
  known: newestConsumed,
  restored: takeConsumersBack,
});
