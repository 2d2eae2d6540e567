import { Module } from '@nestjs/common';
import { DomainsController } from './domains.controller';
import { EmojiController } from './emoji.controller';
import { EmojiDataController } from './emoji-data.controller';
import { RealmController } from './realm.controller';
import { ServerSettingsController } from './server-settings.controller';

@Module({
  controllers: [ServerSettingsController, RealmController, EmojiController, EmojiDataController, DomainsController],
})
export class RealmHttpModule {}
