import { UnitOfWork } from '@annals/kernel';
import type { Origin, RealmId, UserId } from '@annals/kernel/domain';
import { AuthenticationMethods, PASSWORD } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { userAggregate } from '../../domain/account/account';
import { ensureStrong } from '../../domain/account/password';
import { reject } from '../../domain/rejections';
import { passwordResetAggregate, resetPassword } from '../../domain/sign-in/password-reset';
import { UserFacts } from '../../read/account/user-facts';
import { NewAccounts } from '../account/new-accounts';
import { MailedTokens } from './mailed-tokens';
import { Passwords } from './passwords';
import { Sessions } from './sessions';

/** Chooses another password with the link of a mail. All sessions of the account end. */
export class ResetPassword extends Command<void> {
  constructor(
    readonly realmId: RealmId,
    readonly token: string,
    readonly password: string,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(ResetPassword)
export class ResetPasswordHandler implements ICommandHandler<ResetPassword> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: UserFacts,
    private readonly tokens: MailedTokens,
    private readonly passwords: Passwords,
    private readonly accounts: NewAccounts,
    private readonly sessions: Sessions,
    private readonly methods: AuthenticationMethods,
  ) {}

  async execute({ realmId, token, password, origin }: ResetPassword): Promise<void> {
    const userId = await this.tokens.owner(realmId, 'password-reset', token);
    if (userId === undefined || !(await this.methods.isOn(realmId, 'Email'))) throw reject.linkNotValid();
    await this.ensureStrong(realmId, userId, password);
    const secret = await this.passwords.secretOf(userId, password);
    await this.work.run({ realmId, userId: null, origin }, async (work) => {
      const account = await work.read(userAggregate, userId);
      await work.decide(passwordResetAggregate, userId, (link) => resetPassword(link, account, work.at));
      work.secret(this.tokens.drop('password-reset', userId));
      await this.accounts.setPassword(work, userId, secret);
      await this.sessions.endAll(work, userId, 'password');
    });
  }

  private async ensureStrong(realmId: RealmId, userId: UserId, password: string): Promise<void> {
    const account = await this.facts.account(realmId, userId);
    ensureStrong(password, PASSWORD, account ? [account.deliveryEmail, account.fullName] : []);
  }
}
