import { defineContext } from '@annals/kernel';
import { ContentEdited, ConversationOpened, MessageSent, TopicStarted } from './domain/events';
import { editsPresenter } from './feed/edits.presenter';
import { flagsFeed, flagsPresenter } from './feed/flags.feed';
import { messagesFeed } from './feed/messages.feed';
import { messagesPresenter } from './feed/messages.presenter';
import { editingPresenter, typingPresenter } from './feed/typing.presenter';
import { messagesView } from './read/messages.view';
import { conversationsView, topicsView } from './read/places.view';
import { messagesRegisterBlock } from './read/register';

export const messagesContext = defineContext({
  name: 'messages',
  events: [TopicStarted, ConversationOpened, MessageSent, ContentEdited],
  projections: [topicsView, conversationsView, messagesView],
  feeds: [messagesFeed, flagsFeed],
  presenters: [messagesPresenter, editsPresenter, flagsPresenter, typingPresenter, editingPresenter],
  registerBlocks: [messagesRegisterBlock],
});
