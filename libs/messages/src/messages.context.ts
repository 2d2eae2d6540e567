import { attachmentsPresenter } from '@annals/files';
import { defineContext } from '@annals/kernel';
import { messageThere } from './application/guards';
import { MESSAGES_EVENTS } from './domain/events';
import { ReactionAdded, ReactionRemoved } from './domain/reaction-events';
import { attachmentsFeed } from './feed/attachments.feed';
import { editsPresenter } from './feed/edits.presenter';
import { flagsFeed, flagsPresenter } from './feed/flags.feed';
import { messagesFeed } from './feed/messages.feed';
import { messagesPresenter } from './feed/messages.presenter';
import { reactionsFeed } from './feed/reactions.feed';
import { reactionsPresenter } from './feed/reactions.presenter';
import { messagesNaming } from './read/file-references';
import { fileReferencesView } from './read/file-references.view';
import { editingPresenter, typingPresenter } from './feed/typing.presenter';
import { messagesView } from './read/messages.view';
import { conversationsView, topicsView } from './read/places.view';
import { reactionsView } from './read/reactions.view';
import { messagesRegisterBlock } from './read/register';

export const messagesContext = defineContext({
  name: 'messages',
  events: [...MESSAGES_EVENTS, ReactionAdded, ReactionRemoved],
  guards: [messageThere],
  projections: [topicsView, conversationsView, messagesView, reactionsView, fileReferencesView],
  feeds: [messagesFeed, flagsFeed, reactionsFeed, attachmentsFeed],
  presenters: [
    messagesPresenter,
    editsPresenter,
    flagsPresenter,
    reactionsPresenter,
    attachmentsPresenter(messagesNaming),
    typingPresenter,
    editingPresenter,
  ],
  registerBlocks: [messagesRegisterBlock],
});
