import { ChannelsHttpModule, ChannelsModule } from '@annals/channels';
import { FeedHttpModule } from '@annals/feed';
import { GroupsHttpModule, GroupsModule } from '@annals/groups';
import type { Kernel } from '@annals/kernel';
import { FileStoreModule, KernelModule } from '@annals/kernel';
import { MessagesHttpModule, MessagesModule } from '@annals/messages';
import { OnboardingHttpModule } from '@annals/onboarding';
import { RealmHttpModule, RealmModule, ServerAddress, ServerFeatures } from '@annals/realm';
import { UsersHttpModule, UsersModule } from '@annals/users';
import { WebModule } from '@annals/web';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { Settings } from '../../shared/src/settings';
import { fileStoreOf } from '../../shared/src/file-store';
import { Measures } from './measures';
import { Readiness } from './readiness';

export interface ApiParts {
  readonly kernel: Kernel;
  readonly settings: Pick<
    Settings,
    'ANNALS_DATA_DIR' | 'ANNALS_RATE_LIMITS' | 'ANNALS_WEB_PUBLIC_CHANNELS' | 'REDIS_URL'
  >;
  readonly address: ServerAddress;
}

/** The HTTP application: every context with its doors. */
@Module({})
export class ApiModule {
  static of({ kernel, settings, address }: ApiParts): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        KernelModule.of(kernel),
        FileStoreModule.of(fileStoreOf(settings)),
        RealmModule.at(address, new ServerFeatures(settings.ANNALS_WEB_PUBLIC_CHANNELS === 'on')),
        WebModule.forRoot({
          rateLimits: settings.ANNALS_RATE_LIMITS === 'on',
          ...(settings.REDIS_URL === undefined ? {} : { redis: { url: settings.REDIS_URL, prefix: kernel.prefix } }),
          imports: [GroupsModule],
        }),
        UsersModule,
        GroupsModule,
        ChannelsModule,
        MessagesModule,
        RealmHttpModule,
        UsersHttpModule,
        GroupsHttpModule,
        ChannelsHttpModule,
        MessagesHttpModule,
        OnboardingHttpModule,
        FeedHttpModule,
      ],
      providers: [Readiness, Measures],
    };
  }
}
