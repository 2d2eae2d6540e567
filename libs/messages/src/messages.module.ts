import { ChannelNotices, ChannelsModule } from '@annals/channels';
import { FileUses, FilesModule } from '@annals/files';
import { GroupNotices, GroupsModule } from '@annals/groups';
import { Acquaintances, NewestMessage, UsersModule } from '@annals/users';
import { Kernel } from '@annals/kernel';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import { ChannelChangeTexts } from './application/channel-change-texts';
import { ChannelNoticesByBot } from './application/channel-notices';
import { DeleteMessageHandler } from './application/delete-message';
import { DeleteTopicHandler } from './application/delete-topic';
import { Deletions } from './application/deletions';
import { DetachedFiles } from './application/detached-files';
import { DisownedMessages } from './application/disowned-messages';
import { DirectMessages } from './application/direct-messages';
import { EditMessageHandler } from './application/edit-message';
import { FirstMessages } from './application/first-messages';
import { EmojiFacts } from './application/emoji-facts';
import { GroupNoticesByBot } from './application/group-notices';
import { Inspection } from './application/inspection';
import { Mentioning } from './application/mentioning';
import { MoveGrounds } from './application/move-ground';
import { Moving } from './application/moving';
import { Notices } from './application/notices';
import { Posting } from './application/posting';
import { AddReactionHandler, RemoveReactionHandler } from './application/react';
import { SendMessageHandler } from './application/send-message';
import { Sender } from './application/sender';
import { ReadableChannels } from './application/readable-channels';
import { WithinReach } from './application/within-reach';
import { SignalEditingHandler } from './application/signal-editing';
import { SignalTypingHandler } from './application/signal-typing';
import { TypingSignals } from './application/typing-signals';
import { AfterMoving } from './application/after-moving';
import { ActivityCounter } from './jobs/activity-counter';
import { DisownedSweeper } from './jobs/disowned-sweeper';
import { AcquaintancesByPlaces } from './read/visibility/user-access';
import { ConversationFacts } from './read/placement/conversation-facts';
import { GetMessageHistoryHandler } from './read/query/get-history';
import { FileReferences } from './read/attachments/file-references';
import { GetMessageHandler, GetMessagesByIdHandler, GetMessagesHandler } from './read/query/get-messages';
import { MessageFinder } from './read/query/message-finder';
import { Narrows } from './read/narrow/narrows';
import { NewestReceived } from './read/query/newest-received';
import { Selections } from './read/narrow/selection';
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
    WithinReach,
    Deletions,
    DirectMessages,
    Inspection,
    Mentioning,
    MessageFinder,
    Selections,
    Narrows,
    Notices,
    WithinReach,
    EmojiFacts,
    TypingSignals,
    ChannelChangeTexts,
    { provide: ChannelNotices, useClass: ChannelNoticesByBot },
    { provide: GroupNotices, useClass: GroupNoticesByBot },
    { provide: FileUses, useClass: FileReferences },
    DetachedFiles,
    { provide: NewestMessage, useClass: NewestReceived },
    { provide: Acquaintances, useClass: AcquaintancesByPlaces },
    Sender,
    SendMessageHandler,
    MoveGrounds,
    Moving,
    AfterMoving,
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
  exports: [NewestMessage, Acquaintances, ChannelNotices, GroupNotices, FileUses, Sender, Notices, WithinReach],
})
export class MessagesModule {}

/** Counting the traffic of channels, and deleting what people who left do not want to leave, in a worker. */
@Module({
  providers: [
    { provide: ActivityCounter, inject: [Kernel], useFactory: (kernel: Kernel) => new ActivityCounter(kernel) },
    FirstMessages,
    Deletions,
    DisownedMessages,
    {
      provide: DisownedSweeper,
      inject: [Kernel, DisownedMessages],
      useFactory: (kernel: Kernel, messages: DisownedMessages) => new DisownedSweeper(kernel, messages),
    },
  ],
})
export class MessagesJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly activity: ActivityCounter,
    private readonly disowned: DisownedSweeper,
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
