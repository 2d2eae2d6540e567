import { ChannelNotices, ChannelsModule } from '@annals/channels';
import { FileUses, FilesModule } from '@annals/files';
import { GroupNotices, GroupsModule } from '@annals/groups';
import { SettingNotices } from '@annals/realm';
import { MutedMessages, UserAccess, NewestMessage, UsersModule } from '@annals/users';
import { Kernel, OutgoingRequests } from '@annals/kernel';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import { ChannelChangeTexts } from './application/notices/channel-change-texts';
import { ChannelNoticesByBot } from './application/notices/channel-notices';
import { DeleteMessageHandler } from './application/delete/delete-message';
import { DeleteTopicHandler } from './application/delete/delete-topic';
import { Deletions } from './application/delete/deletions';
import { DetachedFiles } from './application/edit/detached-files';
import { ChangeFlagsInNarrowHandler } from './application/flags/change-flags-in-narrow';
import { ChangeFlagsHandler } from './application/flags/change-flags';
import { MarkAllReadHandler } from './application/flags/mark-all-read';
import { MarkChannelReadHandler } from './application/flags/mark-channel-read';
import { OrphanedMessages } from './application/delete/orphaned-messages';
import { DirectMessages } from './application/send/direct-messages';
import { EditMessageHandler } from './application/edit/edit-message';
import { Editor } from './application/edit/editor';
import { FirstMessages } from './application/move/first-messages';
import { MarkMutedMessages } from './application/flags/muted-messages';
import { EmojiFacts } from './application/react/emoji-facts';
import { GroupNoticesByBot } from './application/notices/group-notices';
import { ContentAnalysis } from './application/send/content-analysis';
import { TextContext } from './application/send/text-context';
import { Mentioning } from './application/send/mentioning';
import { MoveContextLoader } from './application/move/move-context';
import { MoveExecutor } from './application/move/move-executor';
import { Notices } from './application/notices/notices';
import { SettingNoticesByBot } from './application/notices/setting-notices';
import { Posting } from './application/send/posting';
import { AddReactionHandler, RemoveReactionHandler } from './application/react/react';
import { ReportMessageHandler } from './application/report/report-message';
import { RenderTextHandler } from './application/send/render-text';
import { PreviewLinks } from './application/previews/preview-links';
import { SendMessageHandler } from './application/send/send-message';
import { Sender } from './application/send/sender';
import { ReadableChannels } from './application/access/readable-channels';
import { MessageAccess } from './application/access/message-access';
import { TopicParticipation } from './application/access/topic-participation';
import { ChangeWidgetHandler } from './application/widgets/change-widget';
import { SignalEditingHandler } from './application/typing/signal-editing';
import { SignalTypingHandler } from './application/typing/signal-typing';
import { TypingSignals } from './application/typing/typing-signals';
import { ActsOfMoves } from './application/undo/act-of-move';
import { ActsOfDeletions } from './application/undo/act-of-deletion';
import { Restorations } from './application/undo/restorations';
import { VisibleMessages } from './application/undo/visible-messages';
import { UndoDeletion } from './application/undo/undo-deletion';
import { UndoMove } from './application/undo/undo-move';
import { MoveFollowUps } from './application/move/move-follow-ups';
import { ActivityCounter } from './jobs/activity-counter';
import { PreviewWorker } from './jobs/previews/preview-worker';
import { OrphanedMessagesSweeper } from './jobs/orphaned-messages-sweeper';
import { ChannelBasedUserAccess } from './read/visibility/user-access';
import { ConversationFacts } from './read/placement/conversation-facts';
import { GetMessageHistoryHandler } from './read/query/get-history';
import { GetReadReceiptsHandler } from './read/query/get-read-receipts';
import { FileReferences } from './read/attachments/file-references';
import { GetMessageHandler, GetMessagesByIdHandler, GetMessagesHandler } from './read/query/get-messages';
import { GetPastHistoryHandler, GetPastMessageHandler } from './read/past/get-past-message';
import { GetPastMessagesByIdHandler, GetPastMessagesHandler } from './read/past/get-past-messages';
import { ListPastTopicsHandler } from './read/past/list-past-topics';
import { PastNarrows } from './read/past/narrow/past-narrow';
import { PastQuestions } from './read/past/past-questions';
import { MessageFacts } from './read/content/message-facts';
import { MessageLoader } from './read/content/message-loader';
import { MessageFinder } from './read/query/message-finder';
import { MessageReader } from './read/query/message-reader';
import { ReadStateFacts } from './read/flags/read-state-facts';
import { MessageStates } from './read/unread/message-states';
import { MessagePages } from './read/query/message-pages';
import { NarrowPeople } from './read/narrow/narrow-people';
import { NarrowResolver } from './read/narrow/narrow-resolver';
import { NewestReceived } from './read/query/newest-received';
import { NarrowCompiler } from './read/narrow/narrow-compiler';
import { TextQueries } from './read/search/text-queries';
import { ListTopicsHandler } from './read/query/list-topics';
import { TopicFacts } from './read/placement/topic-facts';

/**
 * Messages, topics and conversations. Global, because it answers questions of other contexts: the newest message and
 * the visible users of accounts, notices of channels, groups and settings, and access to files.
 */
@Global()
@Module({
  imports: [UsersModule, GroupsModule, ChannelsModule, FilesModule],
  providers: [
    TopicFacts,
    ConversationFacts,
    Posting,
    FirstMessages,
    ReadableChannels,
    MessageAccess,
    TopicParticipation,
    Deletions,
    DirectMessages,
    ContentAnalysis,
    TextContext,
    Mentioning,
    MessageFacts,
    MessageLoader,
    MessageReader,
    MessageStates,
    ReadStateFacts,
    MessageFinder,
    MessagePages,
    NarrowPeople,
    NarrowCompiler,
    TextQueries,
    NarrowResolver,
    Notices,
    MessageAccess,
    EmojiFacts,
    TypingSignals,
    ChannelChangeTexts,
    { provide: ChannelNotices, useClass: ChannelNoticesByBot },
    { provide: GroupNotices, useClass: GroupNoticesByBot },
    { provide: SettingNotices, useClass: SettingNoticesByBot },
    { provide: FileUses, useClass: FileReferences },
    DetachedFiles,
    { provide: NewestMessage, useClass: NewestReceived },
    { provide: MutedMessages, useClass: MarkMutedMessages },
    { provide: UserAccess, useClass: ChannelBasedUserAccess },
    Sender,
    SendMessageHandler,
    RenderTextHandler,
    MoveContextLoader,
    MoveExecutor,
    MoveFollowUps,
    Editor,
    EditMessageHandler,
    ActsOfMoves,
    ActsOfDeletions,
    Restorations,
    VisibleMessages,
    UndoDeletion,
    UndoMove,
    DeleteMessageHandler,
    DeleteTopicHandler,
    ChangeFlagsHandler,
    ChangeFlagsInNarrowHandler,
    MarkAllReadHandler,
    MarkChannelReadHandler,
    AddReactionHandler,
    RemoveReactionHandler,
    ChangeWidgetHandler,
    ReportMessageHandler,
    SignalTypingHandler,
    SignalEditingHandler,
    GetMessagesHandler,
    GetMessagesByIdHandler,
    GetMessageHandler,
    GetMessageHistoryHandler,
    GetReadReceiptsHandler,
    ListTopicsHandler,
    PastQuestions,
    PastNarrows,
    GetPastMessagesHandler,
    GetPastMessagesByIdHandler,
    GetPastMessageHandler,
    GetPastHistoryHandler,
    ListPastTopicsHandler,
  ],
  exports: [
    NewestMessage,
    MutedMessages,
    UserAccess,
    ChannelNotices,
    GroupNotices,
    SettingNotices,
    FileUses,
    Sender,
    Editor,
    Notices,
    MessageAccess,
    EmojiFacts,
    UndoMove,
    UndoDeletion,
  ],
})
export class MessagesModule {}

/** How a worker looks at pages that texts link to. */
class PreviewOptions {
  constructor(readonly isAutomatic: boolean) {}
}

/** For a worker: counts the traffic of channels, deletes messages of deleted accounts, and looks at pages. */
@Module({
  providers: [
    PreviewLinks,
    {
      provide: PreviewWorker,
      inject: [Kernel, PreviewLinks],
      useFactory: (kernel: Kernel, previews: PreviewLinks) => new PreviewWorker(kernel, previews),
    },
    { provide: ActivityCounter, inject: [Kernel], useFactory: (kernel: Kernel) => new ActivityCounter(kernel) },
    FirstMessages,
    Deletions,
    OrphanedMessages,
    {
      provide: OrphanedMessagesSweeper,
      inject: [Kernel, OrphanedMessages],
      useFactory: (kernel: Kernel, messages: OrphanedMessages) => new OrphanedMessagesSweeper(kernel, messages),
    },
  ],
})
export class MessagesJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /**
   * @param outgoing sends requests to the pages that texts link to
   * @param isAutomatic false: pages are looked at on request only
   */
  static previewing(outgoing: OutgoingRequests, isAutomatic: boolean): DynamicModule {
    const providers = [
      { provide: OutgoingRequests, useValue: outgoing },
      { provide: PreviewOptions, useValue: new PreviewOptions(isAutomatic) },
    ];
    return { module: MessagesJobsModule, providers };
  }

  constructor(
    private readonly activity: ActivityCounter,
    private readonly orphaned: OrphanedMessagesSweeper,
    private readonly previews: PreviewWorker,
    private readonly options: PreviewOptions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.activity.start();
    this.orphaned.start();
    if (this.options.isAutomatic) await this.previews.begin();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.previews.stop();
    await this.orphaned.stop();
    await this.activity.stop();
  }
}
