import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { userAggregate } from '../../domain/account/account';
import { reject } from '../../domain/rejections';
import { beginTwoFactors, twoFactorsAggregate } from '../../domain/sign-in/two-factors';
import { AccountPasswords } from '../sign-in/account-passwords';
import { appSecretOf, stepOf } from './authenticator-app';
import { SecondFactors, appSecret } from './second-factors';

/** From now on logins of the actor with the password need a code. The result are the recovery codes, which are shown once. */
export class BeginTwoFactors extends Command<readonly string[]> {
  /**
   * @param secret of the app, in base32
   * @param code that the app shows for it
   */
  constructor(
    readonly by: Actor,
    readonly password: string,
    readonly secret: string,
    readonly code: string,
  ) {
    super();
  }
}

@CommandHandler(BeginTwoFactors)
export class BeginTwoFactorsHandler implements ICommandHandler<BeginTwoFactors> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly passwords: AccountPasswords,
    private readonly factors: SecondFactors,
  ) {}

  /** @throws Rejected for a wrong password or code, and for an account without a password, whose logins ask for no code */
  async execute({ by, password, secret, code }: BeginTwoFactors): Promise<readonly string[]> {
    if ((await this.passwords.placeOf(by.realmId, by.userId)) === 'nowhere') throw reject.noPassword();
    const isOfOthers = await this.passwords.isOfOthers(by.realmId, by.userId, password);
    return this.work.run(by, async (work) => {
      const { realmId, userId } = work.actor;
      await work.read(userAggregate, userId);
      if (!isOfOthers && !(await this.passwords.isOwn(realmId, userId, password))) throw reject.wrongPassword();
      const value = appSecretOf(secret);
      if (!value || stepOf(value, code.replace(/\s/g, ''), work.at) === undefined) throw reject.wrongCode();
      await work.decide(twoFactorsAggregate, userId, (state) => beginTwoFactors(state, userId));
      // Used now, so the code that was just entered cannot log in.
      work.secret({ put: appSecret(userId), kind: 'totp', value });
      const recovery = this.factors.newRecoveryCodes(userId);
      work.secret(recovery.secret);
      return recovery.codes;
    });
  }
}

/** The password of the actor is enough again. */
export class EndTwoFactors extends Command<void> {
  /** @param code of the app, or a recovery code */
  constructor(
    readonly by: Actor,
    readonly code: string,
  ) {
    super();
  }
}

@CommandHandler(EndTwoFactors)
export class EndTwoFactorsHandler implements ICommandHandler<EndTwoFactors> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly factors: SecondFactors,
  ) {}

  async execute({ by, code }: EndTwoFactors): Promise<void> {
    const attempt = { code };
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      if (!(await this.factors.areOn(work, userId))) throw reject.twoFactorsOff();
      if (!(await this.factors.accept(work, userId, attempt))) throw reject.wrongCode();
      await this.factors.end(work, userId);
    });
  }
}
