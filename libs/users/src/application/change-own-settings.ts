import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import {
  changeDefaultSettings,
  changeOwnSettings,
  defaultSettingsAggregate,
  endsDraftsSynchronization,
  ownSettingsAggregate,
} from '../domain/settings/own-settings';
import type { OwnAccountPatch } from '../domain/account/own-account';
import type { OwnSettingsState } from '../domain/settings/own-settings';
import type { OwnSettings } from '../domain/settings/settings';
import { OwnAccount } from './account/own-account';
import type { PasswordChange } from './sign-in/own-password';
import { OwnPassword } from './sign-in/own-password';
import { SynchronizedDrafts } from './synchronized-drafts';

/** Changes of the actor's own account beside its settings. */
interface OwnChange {
  readonly password?: PasswordChange | null;
  readonly account?: OwnAccountPatch;
}

/** Changes settings, password, name and email of the actor, all of it or nothing (contract/users.md section 7). */
export class ChangeOwnSettings extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly input: Partial<OwnSettings>,
    readonly own: OwnChange = {},
  ) {
    super();
  }
}

@CommandHandler(ChangeOwnSettings)
export class ChangeOwnSettingsHandler implements ICommandHandler<ChangeOwnSettings> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly account: OwnAccount,
    private readonly password: OwnPassword,
    private readonly drafts: SynchronizedDrafts,
  ) {}

  async execute({ by, input, own }: ChangeOwnSettings): Promise<void> {
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      if (own.password) await this.password.change(work, own.password);
      if (own.account) await this.account.change(work, own.account);
      const decision = (state: OwnSettingsState) => changeOwnSettings(state, userId, input);
      const changes = await work.decide(ownSettingsAggregate, userId, decision);
      if (endsDraftsSynchronization(changes)) await this.drafts.discard(work, [userId]);
    });
  }
}

/** Changes the default settings of new users; existing users keep theirs. */
export class ChangeDefaultSettings extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly input: Partial<OwnSettings>,
  ) {
    super();
  }
}

@CommandHandler(ChangeDefaultSettings)
export class ChangeDefaultSettingsHandler implements ICommandHandler<ChangeDefaultSettings> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, input }: ChangeDefaultSettings): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(defaultSettingsAggregate, 'realm', (state) => changeDefaultSettings(state, work.actor, input));
    });
  }
}
