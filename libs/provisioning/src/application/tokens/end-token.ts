import type { By } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { TokenId } from '../../domain/tokens/token-events';
import { endToken, tokensAggregate } from '../../domain/tokens/tokens';
import { tokenSecret } from '../../read/tokens/token-secret';

/** Ends a token: it is not valid any more in any process when the answer is sent. Owners may. */
export class EndToken extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly tokenId: TokenId,
  ) {
    super();
  }
}

@CommandHandler(EndToken)
export class EndTokenHandler implements ICommandHandler<EndToken> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, tokenId }: EndToken): Promise<void> {
    await endTokenAs(this.work, by, tokenId);
  }
}

/** @param by an owner, or the operator of the server @throws Rejected for others, and for a token that is none */
export async function endTokenAs(unitOfWork: UnitOfWork, by: By, tokenId: TokenId): Promise<void> {
  await unitOfWork.run(by, async (work) => {
    const manager = work.by.userId === null ? null : work.actor;
    await work.decide(tokensAggregate, 'realm', (tokens) => endToken(tokens, tokenId, manager));
    work.secret({ drop: tokenSecret(tokenId) });
  });
}
