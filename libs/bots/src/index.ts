export { BotsJobsModule, BotsModule } from './bots.module';
export { botsContext } from './bots.context';
export { accepted, queryAggregate, queryKey } from './domain/query';
export { Welcomes } from './application/welcomes';
export { BotOptions, botTasks } from './jobs/bot-tasks';
export { TaskRunner } from './jobs/task-runner';
export { DeliveryWorker } from './jobs/webhook/delivery-worker';
