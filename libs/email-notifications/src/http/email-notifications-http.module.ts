import { Module } from '@nestjs/common';
import { EmailNotificationsModule } from '../email-notifications.module';
import { UnsubscribeController } from './unsubscribe.controller';

/** The page that ends mails. */
@Module({ imports: [EmailNotificationsModule], controllers: [UnsubscribeController] })
export class EmailNotificationsHttpModule {}
