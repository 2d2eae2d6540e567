import { ChannelsModule } from '@annals/channels';
import { GroupsModule } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { MailComposer } from '@annals/mail';
import { MailComposers } from '@annals/mail';
import { MessagesModule } from '@annals/messages';
import { OnboardingModule } from '@annals/onboarding';
import { UsersModule } from '@annals/users';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ChannelChoices } from './application/channel-choices';
import { Endings } from './application/endings';
import { InvitableAddresses, InvitePeopleHandler } from './application/invite-people';
import { CreateInvitationLinkHandler } from './application/invitation-links';
import { InvitationOptions } from './application/invitation-options';
import { InvitationRules } from './application/invitation-rules';
import { Inviters } from './application/inviters';
import { JoinHandler } from './application/join';
import { JoinAddresses } from './application/join-addresses';
import { Joining } from './application/joining';
import { ResendInvitationHandler, RevokeInvitationHandler } from './application/manage-invitations';
import { OpenLinks } from './application/open-links';
import { RequestRegistrationHandler } from './application/registrations';
import { JoinTokens } from './application/tokens';
import { InvitationWelcomes } from './application/welcome-texts';
import { EndingSweep } from './jobs/ending-sweep';
import { DeactivationComposer, WelcomeComposer } from './jobs/mails/account-composers';
import { InvitationComposer, ReminderComposer } from './jobs/mails/invitation-composer';
import { RegistrationComposer } from './jobs/mails/registration-composer';
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
    Inviters,
    Joining,
    OpenLinks,
    ChannelChoices,
    RequestRegistrationHandler,
    JoinHandler,
    Endings,
    InvitationWelcomes,
  ],
  exports: [JoinTokens, JoinAddresses, Joining, OpenLinks, ChannelChoices, Endings, InvitationWelcomes],
})
export class InvitationsModule {
  static with(options: InvitationOptions): DynamicModule {
    return { module: InvitationsModule, providers: [{ provide: InvitationOptions, useValue: options }] };
  }
}

const COMPOSERS = [InvitationComposer, ReminderComposer, RegistrationComposer, WelcomeComposer, DeactivationComposer];

/** What a worker does for invitations. */
@Module({
  imports: [UsersModule],
  providers: [
    {
      provide: EndingSweep,
      inject: [Kernel, Endings],
      useFactory: (kernel: Kernel, endings: Endings) => new EndingSweep(kernel, endings),
    },
    ...COMPOSERS,
  ],
})
export class InvitationsJobsModule implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly endings: EndingSweep,
    private readonly composers: MailComposers,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    for (const composer of COMPOSERS) this.composers.register(this.modules.get<MailComposer>(composer));
  }

  onApplicationBootstrap(): void {
    this.endings.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.endings.stop();
  }
}
