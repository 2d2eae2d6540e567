import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { userAggregate } from '../../domain/account/account';
import type { KeyId } from '../../domain/events';
import { endKey } from '../../domain/sign-in/keys';
import { apiKeySecret } from '../../read/account/api-key';

/** Ends one API key of the actor: the program that has it is logged out, and its queues end. */
export class EndApiKey extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly keyId: number,
  ) {
    super();
  }
}

@CommandHandler(EndApiKey)
export class EndApiKeyHandler implements ICommandHandler<EndApiKey> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, keyId }: EndApiKey): Promise<void> {
    await this.work.run(by, async (work) => {
      const key = keyId as KeyId;
      await work.decide(userAggregate, work.actor.userId, (state) => endKey(state, key));
      work.secret({ drop: apiKeySecret(key) });
    });
  }
}
