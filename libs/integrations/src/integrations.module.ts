import { MessagesModule } from '@annals/messages';
import { Module } from '@nestjs/common';
import { PostDeliveryHandler } from './application/post-delivery';

/** What posts deliveries of other systems. */
@Module({ imports: [MessagesModule], providers: [PostDeliveryHandler] })
export class IntegrationsModule {}
