import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { regenerateKey } from '../../domain/sign-in/keys';
import { ApiKeys } from './api-keys';
import { KeyEndings } from './key-endings';
import { Sessions } from './sessions';
import { endUnfinished } from './unfinished';

/**
 * Gives the actor a new key. All old ones, and all other sessions, are invalid in every process when the answer is sent (contract/boot.md
 * section 2.2).
 */
export class RegenerateKey extends Command<string> {
  constructor(readonly by: Actor) {
    super();
  }
}

@CommandHandler(RegenerateKey)
export class RegenerateKeyHandler implements ICommandHandler<RegenerateKey> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: ApiKeys,
    private readonly endings: KeyEndings,
    private readonly sessions: Sessions,
  ) {}

  async execute({ by }: RegenerateKey): Promise<string> {
    const apiKey = this.keys.random();
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      await this.keys.issue(work, userId, apiKey, regenerateKey);
      await this.endings.ended(work, userId);
      endUnfinished(work, userId);
      await this.sessions.endAll(work, userId, 'keys', work.actor.sessionId);
    });
    return apiKey;
  }
}
