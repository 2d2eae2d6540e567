import { rejection } from '@annals/kernel/domain';

const bad = (text: string) => rejection('BAD_REQUEST', text);

/** Every refusal of this context (contract/messages.md). */
export const reject = {
  noReadReceipts: rejection('BAD_REQUEST', 'Read receipts are disabled in this organization.'),
  unknownMessage: bad('Invalid message(s)'),
  emptyMessage: bad('Message must not be empty'),
  tooMuchText: bad('These messages are too long together: ask for fewer at once'),

  unknownChannel: bad('Invalid channel ID'),
  noSuchChannelId: rejection<{ stream_id: number }>('STREAM_DOES_NOT_EXIST', 'Channel with this ID does not exist'),
  noSuchChannelName: rejection<{ stream: string }>('STREAM_DOES_NOT_EXIST', 'Channel with this name does not exist'),
  mayNotSend: bad('You do not have permission to post in this channel.'),
  channelNotAccessible: bad('Not authorized to send to this channel'),
  channelArchived: bad('Not authorized to send to this channel: it is archived'),
  mayNotCreateTopic: bad('You do not have permission to create new topics in this channel.'),
  emptyTopicNotAllowed: bad('Sending messages to the general chat is not allowed in this channel.'),
  onlyEmptyTopicAllowed: bad('Only the general chat topic is allowed in this channel.'),

  noRecipients: bad('Message must have recipients'),
  tooManyRecipients: bad('A message can be written to 1,000 people at most'),
  unknownRecipient: bad('Invalid recipient: no such user'),
  deactivatedRecipient: rejection<{ email: string }>(
    'BAD_REQUEST',
    ({ email }) => `'${email}' is no longer using this organization.`,
  ),
  directMessagesDisabled: bad('Direct messages are disabled in this organization.'),
  mayNotWriteDirectly: bad('This conversation does not include any users who can authorize it.'),
  mayNotStartConversation: bad('You do not have permission to initiate direct message conversations.'),

  channelWildcardNotAllowed: rejection(
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'You do not have permission to use channel wildcard mentions in this channel.',
  ),
  topicWildcardNotAllowed: rejection(
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    'You do not have permission to use topic wildcard mentions in this topic.',
  ),
  groupMentionNotAllowed: bad('You are not allowed to mention this user group.'),

  reportingDisabled: bad('Message reporting is not enabled in this organization.'),
  reportNotExplained: bad('An explanation is required.'),

  noSuchTopic: rejection<{ topic: string }>(
    'BAD_REQUEST',
    ({ topic }) => `There is no topic '${topic}' in this channel`,
  ),

  historyHidden: bad('Message edit history is disabled in this organization'),

  nothingToChange: bad('Nothing to change'),
  contentAndChannel: bad('Cannot change message content while changing channel'),
  propagationWithoutMove: bad('Invalid propagate_mode without topic edit'),
  directMessageStays: bad('Direct messages cannot be moved to channels.'),
  emptyTopicResolved: bad('General chat cannot be marked as resolved'),
  unprintableTopic: rejection<{ position: number }>(
    'BAD_REQUEST',
    ({ position }) => `Invalid character in topic, at position ${position}!`,
  ),
  targetArchived: bad('Messages cannot be moved to an archived channel.'),
  mayNotResolve: bad("You don't have permission to resolve topics."),
  mayNotMove: bad("You don't have permission to move this message"),
  moveTooLate: rejection<{
    first_message_id_allowed_to_move: number | null;
    total_messages_in_topic: number;
    total_messages_allowed_to_move: number;
  }>('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', 'You only have permission to move the most recent messages in this topic.'),
  editingDisabled: bad('Your organization has turned off message editing'),
  notTheSender: bad("You don't have permission to edit this message"),
  editTooLate: bad('The time limit for editing this message has passed'),
  mayNotDelete: bad("You don't have permission to delete this message"),
  deleteTooLate: bad('The time limit for deleting this message has passed'),
  administratorNeeded: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'),
  directTypingDisabled: bad('User has disabled typing notifications for direct messages'),
  channelTypingDisabled: bad('User has disabled typing notifications for channel messages'),
  contentChanged: rejection('EXPECTATION_MISMATCH', "'prev_content_sha256' value does not match the expected value."),

  widgetNotEditable: bad('Widgets cannot be edited.'),
  noWidget: bad('You cannot attach a submessage to this message.'),
  noWidgetJson: bad('Invalid json for submessage'),
  invalidWidgetChange: rejection<{ why: string }>('BAD_REQUEST', ({ why }) => why),
  widgetChangeTooLong: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `The submessage is too long (limit: ${limit} characters)`,
  ),
  noWidgetContentJson: bad('Widgets: API programmer sent invalid JSON content'),
  invalidWidgetContent: rejection<{ why: string }>('BAD_REQUEST', ({ why }) => `Widgets: ${why}`),
  widgetContentTooLong: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `Widgets: widget_content is too long (limit: ${limit} characters)`,
  ),
  widgetFull: bad('This message cannot have more submessages.'),
  pollQuestionOfAuthor: bad("You can't edit a question unless you are the author."),
  taskListTitleOfAuthor: bad("You can't edit the task list title unless you are the author."),

  reactionExists: rejection('REACTION_ALREADY_EXISTS', 'Reaction already exists.'),
  noSuchReaction: rejection('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."),
  emojiNameMissing: bad("Missing 'emoji_name' argument"),
  unknownEmoji: rejection<{ name: string }>('BAD_REQUEST', ({ name }) => `Emoji '${name}' does not exist`),
  noEmojiNamed: bad('At least one of the following arguments must be present: emoji_name, emoji_code'),
  invalidEmojiCode: bad('Invalid emoji code.'),
  invalidEmojiName: bad('Invalid emoji name.'),
  invalidCustomEmoji: bad('Invalid custom emoji.'),
  invalidCustomEmojiName: bad('Invalid custom emoji name.'),
  deactivatedEmoji: bad('This custom emoji has been deactivated.'),
};
