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
export { EmojiFacts } from './application/react/emoji-facts';
export type { EmojiInput } from './domain/reaction/emoji-choice';
export { chosenToAdd } from './domain/reaction/emoji-choice';
export { readAccessibleUsers } from './read/visibility/user-access';
export type { Destination, Draft } from './application/send/sender';
export { Editor } from './application/edit/editor';
export { Sender } from './application/send/sender';
export { UndoDeletion } from './application/undo/undo-deletion';
export { UndoMove } from './application/undo/undo-move';
export { Notices } from './application/notices/notices';
export { SendMessage } from './application/send/send-message';
export type { VisibilityFacts, ReaderFacts } from './read/visibility/visibility';
export {
  ARRIVED_FOR_READER_SQL,
  PLACE_JOIN,
  RECEIVED_SQL,
  VISIBLE_SQL,
  isReceived,
  isVisible,
} from './read/visibility/visibility';
export type { NoticeText } from './domain/message/notice-text';
export { codeBlock, messageIn, notice, person, plain, quote, topicOf } from './domain/message/notice-text';
export { withEmojiTable } from './application/send/emoji-table';
export { mayDelete } from './domain/deletion';
export { GRACE_SECONDS, mayEditContent } from './domain/message/message';
export { mayMoveBetweenTopics, mayMoveOut, mayResolve } from './domain/move/move-policies';
export { toggledResolution } from './domain/move/resolving';
export { cutTopic, sentContent, withEnding } from './domain/message/text';
export { isPrintableTopic } from './domain/topic';
export { GetMessage, GetMessagesById, askerOf } from './read/query/get-messages';
export { presentMessage, sourceOf } from './read/content/present-message';
export type { LoadedMessages, MessageRow } from './read/content/message-row';
export { loadMessages } from './read/content/load-messages';
export { notePreviews, previewAggregate } from './domain/previews/preview';
export { htmlOf } from './read/content/rendering';
export { previewOutbox } from './jobs/previews/preview-outbox';
export { PreviewWorker } from './jobs/previews/preview-worker';
export { readsWith } from './domain/message/clients';
export { decodeIds } from './domain/flags/encoded-ids';
export type { AllMarkedRead, FlagsChanged } from './domain/flags/flag-events';
export { wasReadOnArrival } from './read/placement/read-on-arrival';
export type { PastReader } from './read/past/past-audience';
export { READING_REASONS, readPastAudience } from './read/past/past-audience';
export { readDeletions } from './read/history/absences';
export { readPlacements } from './read/history/timeline/placements';
export type { UserAccessAtEvent } from './feed/message/user-access-at-event';
export { readUserAccessAtEvents } from './feed/message/user-access-at-event';
export { readHasRead } from './read/unread/has-read';
