export { Deliverer } from './jobs/deliverer';
export { dueJobs } from './jobs/due-jobs';
export { MAX_NOTE_LENGTH } from './domain/reminder';
export { SchedulingJobsModule } from './scheduling.module';
export { schedulingContext } from './scheduling.context';
