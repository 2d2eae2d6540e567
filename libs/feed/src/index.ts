export { FeedJobsModule } from './feed.module';
export { feedContext } from './context';
export type { ReceivedEvent } from './accounts/account-events';
export { AccountEvents } from './accounts/account-events';
export { AccountEventsModule } from './accounts/account-events.module';
export { Dispatcher } from './delivery/dispatcher';
export { cursorOf, eventId, lastLoggedId, positionOf } from './domain/event-id';
export { CLIENT_EVENTS } from './translation/client-events-reader';
export { Translation } from './translation/translation';
