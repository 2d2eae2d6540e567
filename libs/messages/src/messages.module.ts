import { ChannelsModule } from '@annals/channels';
import { GroupsModule } from '@annals/groups';
import { NewestMessage, UsersModule } from '@annals/users';
import { Global, Module } from '@nestjs/common';
import { DirectMessages } from './application/direct-messages';
import { EditMessageHandler } from './application/edit-message';
import { Inspection } from './application/inspection';
import { Mentioning } from './application/mentioning';
import { Posting } from './application/posting';
import { SendMessageHandler } from './application/send-message';
import { MessagesController } from './http/messages.controller';
import { ConversationFacts } from './read/conversation-facts';
import { GetMessageHandler, GetMessagesByIdHandler, GetMessagesHandler } from './read/get-messages';
import { MessageFinder } from './read/message-finder';
import { NewestReceived } from './read/newest-message';
import { Selections } from './read/selection';
import { TopicFacts } from './read/topic-facts';

/** Messages, topics and conversations. Global, because accounts show their newest message. */
@Global()
@Module({
  imports: [UsersModule, GroupsModule, ChannelsModule],
  providers: [
    TopicFacts,
    ConversationFacts,
    Posting,
    DirectMessages,
    Inspection,
    Mentioning,
    MessageFinder,
    Selections,
    { provide: NewestMessage, useClass: NewestReceived },
    SendMessageHandler,
    EditMessageHandler,
    GetMessagesHandler,
    GetMessagesByIdHandler,
    GetMessageHandler,
  ],
  exports: [NewestMessage],
})
export class MessagesModule {}

@Module({ controllers: [MessagesController] })
export class MessagesHttpModule {}
