import { Module } from '@nestjs/common';
import { DomainsController } from './domains.controller';
import { EmojiController } from './emoji.controller';
import { EmojiDataController } from './emoji-data.controller';
import { ExtraEmojiController } from './extra-emoji.controller';
import { LinkifiersController } from './linkifiers.controller';
import { OrganizationController } from './organization.controller';
import { PlaygroundsController } from './playgrounds.controller';
import { PlaceholderController } from './placeholder.controller';
import { PicturesController } from './pictures.controller';
import { RealmController } from './realm.controller';
import { ServerSettingsController } from './server-settings.controller';

/** Needs a provider of `VerifierKeys`. */
@Module({
  controllers: [
    ServerSettingsController,
    RealmController,
    OrganizationController,
    EmojiController,
    EmojiDataController,
    ExtraEmojiController,
    PlaceholderController,
    DomainsController,
    LinkifiersController,
    PlaygroundsController,
    PicturesController,
  ],
})
export class RealmHttpModule {}
