import { ChannelsModule } from '@annals/channels';
import { ChannelsHttpModule } from '@annals/channels/http';
import { FeedHttpModule } from '@annals/feed/http';
import { FilesModule } from '@annals/files';
import { FilesHttpModule } from '@annals/files/http';
import { GroupsModule } from '@annals/groups';
import { GroupsHttpModule } from '@annals/groups/http';
import type { Kernel } from '@annals/kernel';
import { FileStoreModule, KernelModule } from '@annals/kernel';
import { MessagesModule } from '@annals/messages';
import { MessagesHttpModule } from '@annals/messages/http';
import { OnboardingHttpModule } from '@annals/onboarding/http';
import { PersonalHttpModule } from '@annals/personal/http';
import { PushModule } from '@annals/push';
import { PushHttpModule } from '@annals/push/http';
import type { ServerAddress } from '@annals/realm';
import { RealmModule } from '@annals/realm';
import { RealmHttpModule } from '@annals/realm/http';
import { SchedulingHttpModule } from '@annals/scheduling/http';
import { UsersModule } from '@annals/users';
import { UsersHttpModule } from '@annals/users/http';
import { WebModule } from '@annals/web';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { Settings } from '../../shared/src/settings';
import { featuresOf } from '../../shared/src/features';
import { fileStoreOf } from '../../shared/src/file-store';
import { pushServiceOf } from '../../shared/src/push-service';
import { Operation } from './operation';
import { QueuesController } from './queues.controller';

export interface ApiParts {
  readonly kernel: Kernel;
  readonly settings: Pick<
    Settings,
    | 'ANNALS_DATA_DIR'
    | 'ANNALS_MAX_UPLOAD_MIB'
    | 'ANNALS_PUSH_BOUNCER_URL'
    | 'ANNALS_PUSH_ORG_ID'
    | 'ANNALS_PUSH_ORG_KEY'
    | 'ANNALS_RATE_LIMITS'
    | 'ANNALS_REALM_METRICS'
    | 'ANNALS_UPLOAD_QUOTA_MIB'
    | 'ANNALS_WEB_PUBLIC_CHANNELS'
    | 'REDIS_URL'
  >;
  readonly address: ServerAddress;
}

/** The HTTP application: every context with its endpoints. */
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
        PushModule.through(pushServiceOf(settings)),
        RealmHttpModule,
        UsersHttpModule,
        GroupsHttpModule,
        ChannelsHttpModule,
        FilesHttpModule,
        MessagesHttpModule,
        SchedulingHttpModule,
        OnboardingHttpModule,
        PersonalHttpModule,
        PushHttpModule,
        FeedHttpModule,
      ],
      controllers: [QueuesController],
      providers: [Operation.with(settings)],
    };
  }
}
