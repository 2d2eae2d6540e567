import { Module } from '@nestjs/common';
import { BotsModule } from '../bots.module';
import { WelcomeController } from './welcome.controller';

@Module({ imports: [BotsModule], controllers: [WelcomeController] })
export class BotsHttpModule {}
