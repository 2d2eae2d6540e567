import { Module } from '@nestjs/common';
import { PresenceModule } from '../presence.module';
import { PresenceController } from './presence.controller';
import { StatusController } from './status.controller';

@Module({ imports: [PresenceModule], controllers: [PresenceController, StatusController] })
export class PresenceHttpModule {}
