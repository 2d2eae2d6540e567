import { ChannelsHttpModule, ChannelsModule } from '@annals/channels';
import { FeedHttpModule } from '@annals/feed';
import { FilesHttpModule, FilesModule } from '@annals/files';
import { GroupsHttpModule, GroupsModule } from '@annals/groups';
import type { Kernel } from '@annals/kernel';
import { FileStoreModule, KernelModule } from '@annals/kernel';
import { MessagesHttpModule, MessagesModule } from '@annals/messages';
import { OnboardingHttpModule } from '@annals/onboarding';
import { PersonalHttpModule } from '@annals/personal';
import type { ServerAddress } from '@annals/realm';
import { RealmHttpModule, RealmModule } from '@annals/realm';
import { SchedulingHttpModule } from '@annals/scheduling';
import { UsersHttpModule, UsersModule } from '@annals/users';
import { WebModule } from '@annals/web';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { Settings } from '../../shared/src/settings';
import { featuresOf } from '../../shared/src/features';
import { fileStoreOf } from '../../shared/src/file-store';
import { Measures } from './measures';
import { QueuesController } from './queues.controller';
import { Readiness } from './readiness';

export interface ApiParts {
  readonly kernel: Kernel;
  readonly settings: Pick<
    Settings,
    | 'ANNALS_DATA_DIR'
    | 'ANNALS_MAX_UPLOAD_MIB'
    | 'ANNALS_RATE_LIMITS'
    | 'ANNALS_UPLOAD_QUOTA_MIB'
    | 'ANNALS_WEB_PUBLIC_CHANNELS'
    | 'REDIS_URL'
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
        RealmModule.at(address, featuresOf(settings)),
        WebModule.forRoot({
          rateLimits: settings.ANNALS_RATE_LIMITS === 'on',
          ...(settings.REDIS_URL === undefined ? {} : { redis: { url: settings.REDIS_URL, prefix: kernel.prefix } }),
          imports: [GroupsModule],
        }),
        UsersModule,
        GroupsModule,
        ChannelsModule,
        FilesModule,
        MessagesModule,
        RealmHttpModule,
        UsersHttpModule,
        GroupsHttpModule,
        ChannelsHttpModule,
        FilesHttpModule,
        MessagesHttpModule,
        SchedulingHttpModule,
        OnboardingHttpModule,
        PersonalHttpModule,
        FeedHttpModule,
      ],
      controllers: [QueuesController],
      providers: [Readiness, Measures],
    };
  }
}
