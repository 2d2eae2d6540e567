import { UnitOfWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { issueBotKey, renewBotKey } from '../../domain/account/bot';
import { ApiKeys } from '../sign-in/api-keys';

/** Gives a bot a new key and ends its old ones at once (contract/permissions.md section 7). */
export class RenewBotKey extends Command<string> {
  constructor(
    readonly by: Actor,
    readonly botId: UserId,
  ) {
    super();
  }
}

@CommandHandler(RenewBotKey)
export class RenewBotKeyHandler implements ICommandHandler<RenewBotKey> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: ApiKeys,
  ) {}

  async execute({ by, botId }: RenewBotKey): Promise<string> {
    const apiKey = this.keys.random();
    await this.work.run(by, (work) =>
      this.keys.issue(work, botId, apiKey, (state, keyId) => renewBotKey(state, keyId, work.actor)),
    );
    return apiKey;
  }
}

/**
 * Gives a bot one more key; the keys that are used stay valid (contract/whole-interface.md section 1). Only digests of keys are
 * stored, so a key that was issued before cannot be shown again.
 */
export class IssueBotKey extends Command<string> {
  constructor(
    readonly by: Actor,
    readonly botId: UserId,
  ) {
    super();
  }
}

@CommandHandler(IssueBotKey)
export class IssueBotKeyHandler implements ICommandHandler<IssueBotKey> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: ApiKeys,
  ) {}

  async execute({ by, botId }: IssueBotKey): Promise<string> {
    const apiKey = this.keys.random();
    await this.work.run(by, (work) =>
      this.keys.issue(
        work,
        botId,
        apiKey,
        (state, keyId, _, neverUsed) => issueBotKey(state, keyId, neverUsed, work.actor),
        { isUnused: true },
      ),
    );
    return apiKey;
  }
}
