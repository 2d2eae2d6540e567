import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { NarrowFlagsController } from './narrow-flags.controller';
import { FlagsController } from './flags.controller';
import { MessagesController } from './messages.controller';
import { MessageHistoryController } from './message-history.controller';
import { ReactionsController } from './reactions.controller';
import { ReportsController } from './reports.controller';
import { SubmessagesController } from './submessages.controller';
import { TopicsController } from './topics.controller';
import { TypingController } from './typing.controller';

@Module({
  imports: [UsersModule],
  controllers: [
    FlagsController,
    NarrowFlagsController,
    MessagesController,
    MessageHistoryController,
    ReactionsController,
    ReportsController,
    SubmessagesController,
    TopicsController,
    TypingController,
  ],
})
export class MessagesHttpModule {}
