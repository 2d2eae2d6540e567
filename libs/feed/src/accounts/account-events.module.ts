import { ChannelsModule } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import { EMPTY_TOPIC_DISPLAY_NAME, RealmFacts, ServerAddress } from '@annals/realm';
import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { ContextRules } from '../delivery/audience/context-rules';
import { Presentation } from '../delivery/presentation';
import { LogPages } from '../delivery/reading/log-pages';
import { UsualQueues } from '../register/usual-queues';
import { Translations } from '../translation/translations';
import { AccountEvents } from './account-events';

function accountEvents(kernel: Kernel, realms: RealmFacts, address: ServerAddress, usual: UsualQueues): AccountEvents {
  const { contexts, log } = kernel.options;
  const rules = new ContextRules();
  const presentation = new Presentation(
    contexts.flatMap((context) => context.presenters),
    rules,
    EMPTY_TOPIC_DISPLAY_NAME,
    async (realmId) => address.urlOf((await realms.of(realmId)).subdomain),
    kernel.database.pool,
    kernel.events,
    log,
    kernel.keepUp,
  );
  const pages = new LogPages(kernel.tail, kernel.events);
  return new AccountEvents({
    kernel,
    pages,
    translations: new Translations(contexts),
    presentation,
    rules,
    usual,
  });
}

/** Client events of accounts from the log, in an api and in a worker. Needs what `RealmModule` provides. */
@Module({
  imports: [UsersModule, ChannelsModule],
  providers: [
    UsualQueues,
    {
      provide: AccountEvents,
      inject: [Kernel, RealmFacts, ServerAddress, UsualQueues],
      useFactory: accountEvents,
    },
  ],
  exports: [AccountEvents],
})
export class AccountEventsModule {}
