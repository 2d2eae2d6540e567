import { ChannelsModule } from '@annals/channels';
import { GroupsModule } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import { MessagesModule } from '@annals/messages';
import { OnboardingModule } from '@annals/onboarding';
import { UsersModule } from '@annals/users';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import { Endings } from './application/endings';
import { InvitableAddresses, InvitePeopleHandler } from './application/invite-people';
import { CreateInvitationLinkHandler } from './application/invitation-links';
import { InvitationOptions } from './application/invitation-options';
import { InvitationRules } from './application/invitation-rules';
import { JoinHandler } from './application/join';
import { JoinAddresses } from './application/join-addresses';
import { Joining } from './application/joining';
import { ResendInvitationHandler, RevokeInvitationHandler } from './application/manage-invitations';
import { OpenLinks } from './application/open-links';
import { RequestRegistrationHandler } from './application/registrations';
import { JoinTokens } from './application/tokens';
import { InvitationWelcomes } from './application/welcome-texts';
import { EndingSweep } from './jobs/ending-sweep';
import { ListInvitationsHandler } from './read/list-invitations';

/** Invitations, and who may join. Global, because its options belong to the process. */
@Global()
@Module({
  imports: [UsersModule, GroupsModule, ChannelsModule, MessagesModule, OnboardingModule],
  providers: [
    JoinTokens,
    JoinAddresses,
    InvitationRules,
    InvitableAddresses,
    InvitePeopleHandler,
    CreateInvitationLinkHandler,
    RevokeInvitationHandler,
    ResendInvitationHandler,
    ListInvitationsHandler,
    Joining,
    OpenLinks,
    RequestRegistrationHandler,
    JoinHandler,
    Endings,
    InvitationWelcomes,
  ],
  exports: [JoinTokens, JoinAddresses, Joining, OpenLinks, Endings, InvitationWelcomes],
})
export class InvitationsModule {
  static with(options: InvitationOptions): DynamicModule {
    return { module: InvitationsModule, providers: [{ provide: InvitationOptions, useValue: options }] };
  }
}

/** What a worker does for invitations. */
@Module({
  providers: [
    {
      provide: EndingSweep,
      inject: [Kernel, Endings],
      useFactory: (kernel: Kernel, endings: Endings) => new EndingSweep(kernel, endings),
    },
  ],
})
export class InvitationsJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly endings: EndingSweep) {}

  onApplicationBootstrap(): void {
    this.endings.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.endings.stop();
  }
}
