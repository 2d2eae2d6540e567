import { UnitOfWork } from '@annals/kernel';
import type { Origin, RealmId } from '@annals/kernel/domain';
import { AuthenticationMethods, PASSWORD, ensureUsable, runAsVisitor } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { userAggregate } from '../../domain/account/account';
import { ensureStrong } from '../../domain/account/password';
import { reject } from '../../domain/rejections';
import { passwordResetAggregate, resetPassword } from '../../domain/sign-in/password-reset';
import { AccountPasswords } from './account-passwords';
import { MailedTokens } from './mailed-tokens';
import { Passwords } from './passwords';
import { ReplacedPasswords } from './replaced-passwords';

/** Chooses another password with the link of a mail. All sessions and keys of the account end. */
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
    private readonly tokens: MailedTokens,
    private readonly passwords: Passwords,
    private readonly replaced: ReplacedPasswords,
    private readonly methods: AuthenticationMethods,
    private readonly places: AccountPasswords,
  ) {}

  async execute({ realmId, token, password, origin }: ResetPassword): Promise<void> {
    // A password is hashed at some cost, so the link must be good. All of it is decided in the unit of work.
    const userId = await this.tokens.owner(realmId, 'password-reset', token);
    if (userId === undefined) throw reject.linkNotValid();
    const secret = await this.passwords.secretOf(userId, password);
    await runAsVisitor(this.work, { realmId, origin }, async (work) => {
      const account = await work.read(userAggregate, userId);
      const use = { now: work.at, reactivation: await ensureUsable(work) };
      await work.decide(passwordResetAggregate, userId, (link) => resetPassword(link, account, use));
      await this.tokens.ensureValid(work, 'password-reset', token, userId);
      if (!(await this.methods.isOnIn(work, 'Email'))) throw reject.linkNotValid();
      // The link may be older than the password in the other system, which another one here would outlive.
      if ((await this.places.placeOf(realmId, userId)) === 'elsewhere') throw reject.linkNotValid();
      ensureStrong(password, PASSWORD, account ? [account.email ?? '', account.fullName] : []);
      await this.replaced.replace(work, userId, secret);
    });
  }
}
