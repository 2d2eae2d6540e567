import { attachmentsPresenter } from '@annals/files';
import { defineContext } from '@annals/kernel';
import { guestsPresenter, usersRegisterBlock } from '@annals/users';
import { emojiName, messageThere, oldestInChannel, topicEmptied } from './application/access/guards';
import { MESSAGES_EVENTS } from './domain/events';
import { ReactionAdded, ReactionRemoved } from './domain/reaction/reaction-events';
import { conversationsFeed } from './feed/message/conversations.feed';
import { deletionsFeed } from './feed/deletions.feed';
import { deletionsPresenter } from './feed/deletions.presenter';
import { attachmentsFeed } from './feed/message/attachments.feed';
import { editsPresenter } from './feed/message/edits.presenter';
import { flagsFeed, flagsPresenter } from './feed/move/flags.feed';
import { messagesFeed, sentMessagesFeed } from './feed/message/messages.feed';
import { messagesPresenter } from './feed/message/messages.presenter';
import { reactionsFeed } from './feed/reactions.feed';
import { reactionsPresenter } from './feed/reactions.presenter';
import { messagesNaming } from './read/attachments/file-references';
import { fileReferencesView } from './read/attachments/file-references.view';
import { editingPresenter, typingPresenter } from './feed/typing.presenter';
import { orphanedView } from './read/upkeep/orphaned-orders.view';
import { messagesView } from './read/placement/messages.view';
import { conversationsView, topicsView } from './read/placement/places.view';
import { readAccessibleUsers } from './read/visibility/user-access';
import { reactionsView } from './read/reactions/reactions.view';
import { messagesRegisterBlock } from './read/query/register';
import { readUserAccessHistory } from './read/history/user-access-history';

/** Brings what clients see of accounts too, because whom guests know follows from channels and conversations. */
export const messagesContext = defineContext({
  name: 'messages',
  events: [...MESSAGES_EVENTS, ReactionAdded, ReactionRemoved],
  projections: [topicsView, conversationsView, messagesView, reactionsView, fileReferencesView, orphanedView],
  guards: [messageThere, topicEmptied, oldestInChannel, emojiName],
  feeds: [conversationsFeed, sentMessagesFeed, messagesFeed, flagsFeed, deletionsFeed, reactionsFeed, attachmentsFeed],
  presenters: [
    guestsPresenter(readUserAccessHistory),
    messagesPresenter,
    editsPresenter,
    deletionsPresenter,
    flagsPresenter,
    reactionsPresenter,
    typingPresenter,
    editingPresenter,
    attachmentsPresenter(messagesNaming),
  ],
  registerBlocks: [messagesRegisterBlock, usersRegisterBlock(readAccessibleUsers)],
});
