export { FeedJobsModule } from './feed.module';
export { feedContext } from './context';
export { Dispatcher } from './delivery/dispatcher';
export { CLIENT_EVENTS } from './translation/client-events-reader';
export { Translation } from './translation/translation';
