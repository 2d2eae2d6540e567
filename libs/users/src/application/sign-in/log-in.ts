import type { Work } from '@annals/kernel';
import type { Origin, RealmId, UserId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { logIn } from '../../domain/sign-in/keys';
import { UserFacts } from '../../read/account/user-facts';
import { ApiKeys } from './api-keys';
import { PasswordLogin } from './password-login';

/** Exchanges a name and a password for a key of its own (contract/boot.md section 2.2). */
export class LogIn extends Command<{ userId: UserId; apiKey: string; email: string }> {
  constructor(
    readonly realmId: RealmId,
    readonly username: string,
    readonly password: string,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(LogIn)
export class LogInHandler implements ICommandHandler<LogIn> {
  constructor(
    private readonly logins: PasswordLogin,
    private readonly facts: UserFacts,
    private readonly keys: ApiKeys,
  ) {}

  async execute({ realmId, username, password, origin }: LogIn) {
    const apiKey = this.keys.random();
    const done = async (work: Work, account: UserId) => {
      await this.keys.issue(work, account, apiKey, logIn);
      return account;
    };
    const userId = await this.logins.run({ realmId, username, password, origin }, { done });
    return { userId, apiKey, email: await this.emailOf(realmId, userId) };
  }

  private async emailOf(realmId: RealmId, userId: UserId): Promise<string> {
    const account = await this.facts.account(realmId, userId);
    if (!account) throw new Error(`account ${userId} is not in the read model`);
    return account.deliveryEmail;
  }
}
