import { attachmentsPresenter } from '@annals/files';
import { defineContext } from '@annals/kernel';
import { guestsPresenter, usersRegisterBlock } from '@annals/users';
import { markDescriptions } from './audit/mark.audit';
import { messageDescriptions } from './audit/message.audit';
import { topicDescriptions } from './audit/topic.audit';
import { widgetDescriptions } from './audit/widget.audit';
import { emojiNameGuard, messageGone, messageThere, oldestInChannel, topicEmptied } from './application/access/guards';
import { MESSAGES_EVENTS } from './domain/events';
import { AllMarkedRead, FlagsChanged } from './domain/flags/flag-events';
import { ReactionAdded, ReactionRemoved } from './domain/reaction/reaction-events';
import { LinksPreviewed } from './domain/previews/preview';
import { MessageRestored } from './domain/restored-event';
import { WIDGET_EVENTS } from './domain/widgets/widget-events';
import { renderingsFeed } from './feed/message/renderings.feed';
import { restorationsFeed } from './feed/message/restorations.feed';
import { conversationsFeed } from './feed/message/conversations.feed';
import { deletionsFeed } from './feed/deletions.feed';
import { deletionsPresenter } from './feed/deletions.presenter';
import { attachmentsFeed } from './feed/message/attachments.feed';
import { editsPresenter } from './feed/message/edits.presenter';
import { flagsFeed, ownFlagsFeed } from './feed/flags/flags.feed';
import { flagsPresenter } from './feed/flags/flags.presenter';
import { messagesFeed, sentMessagesFeed } from './feed/message/messages.feed';
import { messagesPresenter } from './feed/message/messages.presenter';
import { reactionsFeed } from './feed/reactions.feed';
import { reactionsPresenter } from './feed/reactions.presenter';
import { widgetsFeed } from './feed/widgets.feed';
import { widgetsPresenter } from './feed/widgets.presenter';
import { PREVIEW_QUEUE } from './jobs/previews/preview-outbox';
import { oldestPreviewTask } from './jobs/previews/preview-outbox-rows';
import { linkPreviewsView } from './read/previews/link-previews.view';
import { messagesNaming } from './read/attachments/file-references';
import { fileReferencesView } from './read/attachments/file-references.view';
import { editingPresenter, typingPresenter } from './feed/typing.presenter';
import { readStateView } from './read/flags/read-state.view';
import { orphanedView } from './read/upkeep/orphaned-orders.view';
import { messagesView } from './read/placement/messages.view';
import { conversationsView, topicsView } from './read/placement/places.view';
import { readAccessibleUsers } from './read/visibility/user-access';
import { reactionsView } from './read/reactions/reactions.view';
import { submessagesView } from './read/widgets/submessages.view';
import { searchView } from './read/search/search.view';
import { stopWordsRegisterBlock } from './read/search/stop-words';
import { messagesRegisterBlock } from './read/query/register';
import { forgetPreviewTasks, messagesMigrations } from './schema';
import { readUserAccessHistory } from './read/history/user-access-history';

/**
 * Declares the blocks of accounts too, because the users that guests can see follow from channels and conversations.
 */
export const messagesContext = defineContext({
  name: 'messages',
  events: [
    ...MESSAGES_EVENTS,
    LinksPreviewed,
    MessageRestored,
    ReactionAdded,
    ReactionRemoved,
    ...WIDGET_EVENTS,
    FlagsChanged,
    AllMarkedRead,
  ],
  descriptions: [...markDescriptions, ...messageDescriptions, ...topicDescriptions, ...widgetDescriptions],
  projections: [
    topicsView,
    conversationsView,
    messagesView,
    readStateView,
    reactionsView,
    submessagesView,
    fileReferencesView,
    orphanedView,
    searchView,
    linkPreviewsView,
  ],
  migrations: messagesMigrations,
  queues: [{ name: PREVIEW_QUEUE, oldestDue: oldestPreviewTask }],
  restored: forgetPreviewTasks,
  guards: [messageThere, messageGone, topicEmptied, oldestInChannel, emojiNameGuard],
  feeds: [
    conversationsFeed,
    sentMessagesFeed,
    messagesFeed,
    renderingsFeed,
    flagsFeed,
    ownFlagsFeed,
    deletionsFeed,
    restorationsFeed,
    reactionsFeed,
    widgetsFeed,
    attachmentsFeed,
  ],
  presenters: [
    guestsPresenter(readUserAccessHistory),
    messagesPresenter,
    editsPresenter,
    deletionsPresenter,
    flagsPresenter,
    reactionsPresenter,
    widgetsPresenter,
    typingPresenter,
    editingPresenter,
    attachmentsPresenter(messagesNaming),
  ],
  registerBlocks: [messagesRegisterBlock, stopWordsRegisterBlock, usersRegisterBlock(readAccessibleUsers)],
});
