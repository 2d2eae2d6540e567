export { MessagesHttpModule, MessagesJobsModule, MessagesModule } from './messages.module';
export { ActivityCounter } from './jobs/activity-counter';
export { messagesContext } from './messages.context';
export {
  ContentEdited,
  ConversationOpened,
  FirstMessageChanged,
  MessageSent,
  MessagesDeleted,
  MessagesMoved,
  TopicEnded,
  TopicMoved,
  TopicStarted,
} from './domain/events';
export { ReactionAdded, ReactionRemoved } from './domain/reaction-events';
export type { Destination } from './application/send-message';
export { SendMessage } from './application/send-message';
export type { Placed, Sight, Span } from './read/visibility';
export { PLACE_JOIN, RECEIVED_SQL, VISIBLE_SQL, isReceived, isVisible } from './read/visibility';
