import type { By } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { ApiKeys } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { TokenId } from '../../domain/tokens/token-events';
import type { NewToken } from '../../domain/tokens/tokens';
import { issueToken, tokensAggregate } from '../../domain/tokens/tokens';
import { TOKEN_SECRET, tokenDigest, tokenSecret, tokenText } from '../../read/tokens/token-secret';

/** A token that was just issued. Nobody can read it later. */
export interface IssuedToken {
  readonly tokenId: TokenId;
  readonly token: string;
}

/** Issues tokens with which directories provision accounts and groups. */
@Injectable()
export class TokenIssue {
  private readonly keys: ApiKeys;

  constructor(private readonly kernel: Kernel) {
    this.keys = new ApiKeys(kernel);
  }

  /** @param by an owner, or the operator of the server @throws Rejected for others */
  async issue(by: By, input: NewToken): Promise<IssuedToken> {
    const tokenId = (await this.kernel.ids.next(by.realmId, 'provisioning-token')) as TokenId;
    const token = tokenText(tokenId, this.keys.random());
    await this.kernel.work.run(by, async (work) => {
      const manager = work.by.userId === null ? null : work.actor;
      await work.decide(tokensAggregate, 'realm', (tokens) => issueToken(tokens, tokenId, input, manager, work.at));
      work.secret({ put: tokenSecret(tokenId), kind: TOKEN_SECRET, value: tokenDigest(token), isUnused: true });
    });
    return { tokenId, token };
  }
}

/** Issues a token. Owners may. */
export class IssueToken extends Command<IssuedToken> {
  constructor(
    readonly by: Actor,
    readonly input: NewToken,
  ) {
    super();
  }
}

@CommandHandler(IssueToken)
export class IssueTokenHandler implements ICommandHandler<IssueToken> {
  constructor(private readonly tokens: TokenIssue) {}

  execute({ by, input }: IssueToken): Promise<IssuedToken> {
    return this.tokens.issue(by, input);
  }
}
