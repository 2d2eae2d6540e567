import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import {
  changeDefaultSettings,
  changeOwnSettings,
  defaultSettingsAggregate,
  ownSettingsAggregate,
} from '../domain/own-settings';
import type { OwnSettings } from '../domain/settings';
import type { PasswordChange } from './own-password';
import { OwnPassword } from './own-password';

/** Changes settings and the password of the actor's own, all of it or nothing (contract/users.md section 7). */
export class ChangeOwnSettings extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly wish: Partial<OwnSettings>,
    readonly password: PasswordChange | null = null,
  ) {
    super();
  }
}

@CommandHandler(ChangeOwnSettings)
export class ChangeOwnSettingsHandler implements ICommandHandler<ChangeOwnSettings> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly own: OwnPassword,
  ) {}

  async execute({ by, wish, password }: ChangeOwnSettings): Promise<void> {
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      if (password) await this.own.change(work, password);
      await work.decide(ownSettingsAggregate, userId, (state) => changeOwnSettings(state, userId, wish));
    });
  }
}

/** Chooses what people who come from now on begin with; nothing changes for those who are there. */
export class ChangeDefaultSettings extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly wish: Partial<OwnSettings>,
  ) {
    super();
  }
}

@CommandHandler(ChangeDefaultSettings)
export class ChangeDefaultSettingsHandler implements ICommandHandler<ChangeDefaultSettings> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, wish }: ChangeDefaultSettings): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(defaultSettingsAggregate, 'realm', (state) => changeDefaultSettings(state, work.actor, wish));
    });
  }
}
