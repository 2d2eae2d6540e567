import { ChannelNotices, ChannelsModule } from '@annals/channels';
import { FileUses, FilesModule } from '@annals/files';
import { GroupNotices, GroupsModule } from '@annals/groups';
import { UserAccess, NewestMessage, UsersModule } from '@annals/users';
import { Kernel } from '@annals/kernel';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import { ChannelChangeTexts } from './application/notices/channel-change-texts';
import { ChannelNoticesByBot } from './application/notices/channel-notices';
import { DeleteMessageHandler } from './application/delete/delete-message';
import { DeleteTopicHandler } from './application/delete/delete-topic';
import { Deletions } from './application/delete/deletions';
import { DetachedFiles } from './application/edit/detached-files';
import { OrphanedMessages } from './application/delete/orphaned-messages';
import { DirectMessages } from './application/send/direct-messages';
import { EditMessageHandler } from './application/edit/edit-message';
import { FirstMessages } from './application/move/first-messages';
import { EmojiFacts } from './application/react/emoji-facts';
import { GroupNoticesByBot } from './application/notices/group-notices';
import { ContentAnalysis } from './application/send/content-analysis';
import { Mentioning } from './application/send/mentioning';
import { MoveContextLoader } from './application/move/move-context';
import { MoveExecutor } from './application/move/move-executor';
import { Notices } from './application/notices/notices';
import { Posting } from './application/send/posting';
import { AddReactionHandler, RemoveReactionHandler } from './application/react/react';
import { SendMessageHandler } from './application/send/send-message';
import { Sender } from './application/send/sender';
import { ReadableChannels } from './application/access/readable-channels';
import { MessageAccess } from './application/access/message-access';
import { SignalEditingHandler } from './application/typing/signal-editing';
import { SignalTypingHandler } from './application/typing/signal-typing';
import { TypingSignals } from './application/typing/typing-signals';
import { MoveFollowUps } from './application/move/move-follow-ups';
import { ActivityCounter } from './jobs/activity-counter';
import { OrphanedMessagesSweeper } from './jobs/orphaned-messages-sweeper';
import { ChannelBasedUserAccess } from './read/visibility/user-access';
import { ConversationFacts } from './read/placement/conversation-facts';
import { GetMessageHistoryHandler } from './read/query/get-history';
import { FileReferences } from './read/attachments/file-references';
import { GetMessageHandler, GetMessagesByIdHandler, GetMessagesHandler } from './read/query/get-messages';
import { MessageFinder } from './read/query/message-finder';
import { NarrowResolver } from './read/narrow/narrow-resolver';
import { NewestReceived } from './read/query/newest-received';
import { NarrowCompiler } from './read/narrow/narrow-compiler';
import { ListTopicsHandler } from './read/query/list-topics';
import { TopicFacts } from './read/placement/topic-facts';

/**
 * Messages, topics and conversations. Global, because accounts show their newest message and are shown to whom they know, channels and groups
 * give notice, and who may have a file depends on messages.
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
    Deletions,
    DirectMessages,
    ContentAnalysis,
    Mentioning,
    MessageFinder,
    NarrowCompiler,
    NarrowResolver,
    Notices,
    MessageAccess,
    EmojiFacts,
    TypingSignals,
    ChannelChangeTexts,
    { provide: ChannelNotices, useClass: ChannelNoticesByBot },
    { provide: GroupNotices, useClass: GroupNoticesByBot },
    { provide: FileUses, useClass: FileReferences },
    DetachedFiles,
    { provide: NewestMessage, useClass: NewestReceived },
    { provide: UserAccess, useClass: ChannelBasedUserAccess },
    Sender,
    SendMessageHandler,
    MoveContextLoader,
    MoveExecutor,
    MoveFollowUps,
    EditMessageHandler,
    DeleteMessageHandler,
    DeleteTopicHandler,
    AddReactionHandler,
    RemoveReactionHandler,
    SignalTypingHandler,
    SignalEditingHandler,
    GetMessagesHandler,
    GetMessagesByIdHandler,
    GetMessageHandler,
    GetMessageHistoryHandler,
    ListTopicsHandler,
  ],
  exports: [NewestMessage, UserAccess, ChannelNotices, GroupNotices, FileUses, Sender, Notices, MessageAccess],
})
export class MessagesModule {}

/** Counting the traffic of channels, and deleting what people who left do not want to leave, in a worker. */
@Module({
  providers: [
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
  constructor(
    private readonly activity: ActivityCounter,
    private readonly disowned: OrphanedMessagesSweeper,
  ) {}

  onApplicationBootstrap(): void {
    this.activity.start();
    this.disowned.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.disowned.stop();
    await this.activity.stop();
  }
}
