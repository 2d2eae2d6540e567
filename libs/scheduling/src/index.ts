export { Deliverer } from './jobs/deliverer';
export { dueJobs } from './jobs/due-jobs';
export { MessageScheduled } from './domain/events';
export { MAX_NOTE_LENGTH } from './domain/reminder';
export { SchedulingJobsModule } from './scheduling.module';
export { schedulingContext } from './scheduling.context';
