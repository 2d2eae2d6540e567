import { attachmentsPresenter } from '@annals/files';
import { defineContext } from '@annals/kernel';
import { MESSAGES_EVENTS } from './domain/events';
import { attachmentsFeed } from './feed/attachments.feed';
import { editsPresenter } from './feed/edits.presenter';
import { flagsFeed, flagsPresenter } from './feed/flags.feed';
import { messagesFeed } from './feed/messages.feed';
import { messagesPresenter } from './feed/messages.presenter';
import { messagesNaming } from './read/file-references';
import { fileReferencesView } from './read/file-references.view';
import { editingPresenter, typingPresenter } from './feed/typing.presenter';
import { messagesView } from './read/messages.view';
import { conversationsView, topicsView } from './read/places.view';
import { messagesRegisterBlock } from './read/register';

export const messagesContext = defineContext({
  name: 'messages',
  events: MESSAGES_EVENTS,
  projections: [topicsView, conversationsView, messagesView, fileReferencesView],
  feeds: [messagesFeed, flagsFeed, attachmentsFeed],
  presenters: [
    messagesPresenter,
    editsPresenter,
    flagsPresenter,
    typingPresenter,
    editingPresenter,
    attachmentsPresenter(messagesNaming),
  ],
  registerBlocks: [messagesRegisterBlock],
});
