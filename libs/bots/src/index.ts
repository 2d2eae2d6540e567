export { BotsJobsModule, BotsModule } from './bots.module';
export { botsContext } from './bots.context';
export { Welcomes } from './application/welcomes';
export { BotOptions, botTasks } from './jobs/bot-tasks';
export { TaskRunner } from './jobs/task-runner';
