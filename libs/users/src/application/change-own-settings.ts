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

/** Changes settings of the actor's own (contract/users.md section 7). */
export class ChangeOwnSettings extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly wish: Partial<OwnSettings>,
  ) {
    super();
  }
}

@CommandHandler(ChangeOwnSettings)
export class ChangeOwnSettingsHandler implements ICommandHandler<ChangeOwnSettings> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, wish }: ChangeOwnSettings): Promise<void> {
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
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
