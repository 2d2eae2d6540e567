import { Module } from '@nestjs/common';
import { PresenceModule } from '../presence.module';
import { PresenceController } from './presence.controller';

@Module({ imports: [PresenceModule], controllers: [PresenceController] })
export class PresenceHttpModule {}
