import { defineContext } from '@annals/kernel';
import { messageThere } from './application/guards';
import { MESSAGES_EVENTS } from './domain/events';
import { editsPresenter } from './feed/edits.presenter';
import { flagsFeed, flagsPresenter } from './feed/flags.feed';
import { messagesFeed } from './feed/messages.feed';
import { messagesPresenter } from './feed/messages.presenter';
import { messagesView } from './read/messages.view';
import { conversationsView, topicsView } from './read/places.view';
import { messagesRegisterBlock } from './read/register';

export const messagesContext = defineContext({
  name: 'messages',
  events: MESSAGES_EVENTS,
  guards: [messageThere],
  projections: [topicsView, conversationsView, messagesView],
  feeds: [messagesFeed, flagsFeed],
  presenters: [messagesPresenter, editsPresenter, flagsPresenter],
  registerBlocks: [messagesRegisterBlock],
});
