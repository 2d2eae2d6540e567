import { Module } from '@nestjs/common';
import { DevicesController } from './devices.controller';
import { LegacyTokensController } from './legacy-tokens.controller';
import { NeedsPushService } from './needs-service';

@Module({ providers: [NeedsPushService], controllers: [DevicesController, LegacyTokensController] })
export class PushHttpModule {}
