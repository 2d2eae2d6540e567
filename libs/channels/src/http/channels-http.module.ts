import { Module } from '@nestjs/common';
import { ChannelsController } from './channels.controller';
import { DefaultChannelsController } from './default-channels.controller';
import { DefaultGroupsController } from './default-groups.controller';
import { FoldersController } from './folders.controller';
import { OwnSubscriptionsController } from './own-subscriptions.controller';
import { SubscribersController } from './subscribers.controller';
import { SubscriptionsController } from './subscriptions.controller';
import { TopicPoliciesController } from './topic-policies.controller';

@Module({
  controllers: [
    ChannelsController,
    SubscriptionsController,
    OwnSubscriptionsController,
    SubscribersController,
    DefaultChannelsController,
    DefaultGroupsController,
    FoldersController,
    TopicPoliciesController,
  ],
})
export class ChannelsHttpModule {}
