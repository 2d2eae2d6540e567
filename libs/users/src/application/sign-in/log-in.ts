import { UnitOfWork } from '@annals/kernel';
import type { Origin, RealmId, UserId } from '@annals/kernel/domain';
import { AuthenticationMethods } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { logIn, userAggregate } from '../../domain/account/account';
import { reject } from '../../domain/rejections';
import { UserFacts } from '../../read/account/user-facts';
import { ApiKeys } from './api-keys';
import { Passwords } from './passwords';

/** Exchanges an email and a password for a key of its own (contract/boot.md section 2.2). */
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

/** No account has this id. An unknown email takes the same steps as a known one, and the same time. */
const NOBODY = 0 as UserId;

@CommandHandler(LogIn)
export class LogInHandler implements ICommandHandler<LogIn> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: UserFacts,
    private readonly passwords: Passwords,
    private readonly keys: ApiKeys,
    private readonly methods: AuthenticationMethods,
  ) {}

  async execute({ realmId, username, password, origin }: LogIn) {
    await this.methods.ensurePasswords(realmId);
    const userId = (await this.facts.idByEmail(realmId, username)) ?? NOBODY;
    const apiKey = this.keys.random();
    return this.work.run({ realmId, userId: null, origin }, async (work) => {
      // The state is read first: if the password changes meanwhile, the account changes too, and everything is decided
      // again.
      await work.read(userAggregate, userId);
      if (!(await this.passwords.matches(realmId, userId, password))) throw reject.wrongLogin();
      await this.keys.issue(work, userId, apiKey, logIn);
      return { userId, apiKey, email: await this.emailOf(realmId, userId) };
    });
  }

  private async emailOf(realmId: RealmId, userId: UserId): Promise<string> {
    const account = await this.facts.account(realmId, userId);
    if (!account) throw new Error(`account ${userId} is not in the read model`);
    return account.deliveryEmail;
  }
}
