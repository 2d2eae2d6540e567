import { AuditHttpModule } from '@annals/audit/http';
import { BotsHttpModule } from '@annals/bots/http';
import { ChannelsHttpModule } from '@annals/channels/http';
import { SinkCredentials } from '@annals/consumers';
import { ConsumersHttpModule, SinkHttpModule, WebhookHttpModule } from '@annals/consumers/http';
import { FeedHttpModule } from '@annals/feed/http';
import { EmailNotificationsHttpModule } from '@annals/email-notifications/http';
import { FilesHttpModule } from '@annals/files/http';
import { GroupsModule } from '@annals/groups';
import { GroupsHttpModule } from '@annals/groups/http';
import { IntegrationsHttpModule } from '@annals/integrations/http';
import { InvitationsHttpModule } from '@annals/invitations/http';
import type { Kernel } from '@annals/kernel';
import { AddressGuard, OutgoingRequests } from '@annals/kernel';
import { MessagesHttpModule } from '@annals/messages/http';
import { OnboardingHttpModule } from '@annals/onboarding/http';
import { PersonalHttpModule } from '@annals/personal/http';
import { PresenceHttpModule } from '@annals/presence/http';
import { ProvisioningModule } from '@annals/provisioning';
import { ProvisioningHttpModule } from '@annals/provisioning/http';
import { PushHttpModule } from '@annals/push/http';
import { RealmHttpModule } from '@annals/realm/http';
import { SchedulingHttpModule } from '@annals/scheduling/http';
import { SingleSignOnModule } from '@annals/sign-in';
import { SignInPagesModule, SingleSignOnHttpModule } from '@annals/sign-in/http';
import { UsersHttpModule } from '@annals/users/http';
import type { WebOptions } from '@annals/web';
import { WebModule } from '@annals/web';
import type { DynamicModule, ModuleMetadata } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { ContextParts } from '../../shared/src/modules/context-modules';
import { contextModules } from '../../shared/src/modules/context-modules';
import type { Settings } from '../../shared/src/settings';
import { readSignOn } from '../../shared/src/sign-on/read-sign-on';
import { readSinkCredentials } from '../../shared/src/sink-credentials';
import { ApiOperation } from './operation';
import { PastLoginModule } from './past-login.module';
import { QueuesController } from './queues.controller';

type WebImports = Pick<ModuleMetadata, 'imports'>;

export interface ApiParts extends ContextParts {
  readonly settings: ContextParts['settings'] &
    Pick<
      Settings,
      | 'ANNALS_RATE_LIMITS'
      | 'ANNALS_REALM_METRICS'
      | 'ANNALS_REQUESTS_AT_ONCE'
      | 'ANNALS_SINK_CREDENTIALS'
      | 'ANNALS_WEBHOOK_ALLOW'
      | 'REDIS_URL'
    >;
}

/** The HTTP application: every context with its endpoints. */
@Module({})
export class ApiModule {
  static of(parts: ApiParts): DynamicModule {
    return {
      module: ApiModule,
      imports: modulesOf(parts, { imports: [GroupsModule, ProvisioningModule] }),
      controllers: [QueuesController],
      providers: [ApiOperation.with(parts.settings)],
    };
  }

  /**
   * The same of a past: nobody can change anything, and logins are those of today. It has no pages and figures for
   * operators, and its rate limits are its own.
   *
   * @param parts with the kernel of the past
   * @param live kernel of the present
   */
  static ofPast(parts: ApiParts, live: Kernel): DynamicModule {
    const { REDIS_URL: _shared, ...settings } = parts.settings;
    const imports = modulesOf(
      { ...parts, settings },
      {
        readOnly: true,
        imports: [PastLoginModule.of(live), ProvisioningModule],
      },
    );
    return { module: ApiModule, imports };
  }
}

function modulesOf({ kernel, settings, address }: ApiParts, web: Pick<WebOptions, 'readOnly'> & WebImports) {
  const { REDIS_URL: redisUrl } = settings;
  const outgoing = new OutgoingRequests(new AddressGuard(settings.ANNALS_WEBHOOK_ALLOW));
  return [
    ...contextModules({ kernel, settings, address }),
    WebModule.forRoot({
      ...web,
      rateLimits: settings.ANNALS_RATE_LIMITS === 'on',
      requestSlots: { ofOne: settings.ANNALS_REQUESTS_AT_ONCE },
      ...(redisUrl === undefined ? {} : { redis: { url: redisUrl, prefix: kernel.prefix } }),
    }),
    RealmHttpModule,
    UsersHttpModule,
    GroupsHttpModule,
    ChannelsHttpModule,
    FilesHttpModule,
    MessagesHttpModule,
    SchedulingHttpModule,
    OnboardingHttpModule,
    InvitationsHttpModule,
    PersonalHttpModule,
    PresenceHttpModule,
    PushHttpModule,
    EmailNotificationsHttpModule,
    BotsHttpModule,
    IntegrationsHttpModule,
    AuditHttpModule,
    FeedHttpModule,
    ConsumersHttpModule,
    SignInPagesModule,
    SingleSignOnModule.with(readSignOn(settings)),
    SingleSignOnHttpModule,
    ProvisioningHttpModule,
    WebhookHttpModule.through(outgoing),
    SinkHttpModule.through(outgoing, new SinkCredentials(readSinkCredentials(settings.ANNALS_SINK_CREDENTIALS))),
  ];
}
