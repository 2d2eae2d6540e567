export { PushJobsModule, PushModule } from './push.module';
export { pushContext } from './push.context';
export type { BouncerAccess } from './application/bouncer';
export { Bouncer } from './application/bouncer';
export { pushOutbox } from './jobs/push-outbox';
export { retryDeadLetters, readDeadLetters } from './jobs/push-outbox-rows';
