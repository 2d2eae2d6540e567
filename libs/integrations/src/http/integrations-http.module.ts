import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { IntegrationsModule } from '../integrations.module';
import { DeliveriesController } from './deliveries.controller';

@Module({ imports: [IntegrationsModule, UsersModule], controllers: [DeliveriesController] })
export class IntegrationsHttpModule {}
