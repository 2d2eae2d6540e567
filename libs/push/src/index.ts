export { PushJobsModule, PushModule } from './push.module';
export { pushContext } from './push.context';
export type { BouncerAccess } from './application/bouncer';
export { Bouncer } from './application/bouncer';
export { pushErrands } from './jobs/push-outbox';
export { retryGivenUp, givenUp } from './jobs/push-outbox-rows';
