export { MessagesJobsModule, MessagesModule } from './messages.module';
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
export { ReactionAdded, ReactionRemoved } from './domain/reaction/reaction-events';
export type { Destination, Draft } from './application/send/sender';
export { Sender } from './application/send/sender';
export { Notices } from './application/notices/notices';
export { SendMessage } from './application/send/send-message';
export type { Span } from './read/visibility/spans';
export type { Placed, ReaderFacts } from './read/visibility/visibility';
export {
  ARRIVED_FOR_READER_SQL,
  PLACE_JOIN,
  RECEIVED_SQL,
  VISIBLE_SQL,
  isReceived,
  isVisible,
} from './read/visibility/visibility';
export type { NoticeText } from './domain/message/notice-text';
export { notice, person, plain, quote, topicOf } from './domain/message/notice-text';
export { sentContent } from './domain/message/text';
export { isPrintable as isPrintableTopic } from './domain/topic';
export { GetMessage } from './read/query/get-messages';
export type { LoadedMessages, MessageRow } from './read/content/message-row';
export { loadMessages } from './read/content/message-row';
export { htmlOf } from './read/content/rendering';
export { readsWith } from './domain/message/clients';
