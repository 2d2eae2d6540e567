import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import type { AuthenticationMethod } from '@annals/realm';
import { AuthenticationMethods } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { userAggregate } from '../../domain/account/account';
import { reject } from '../../domain/rejections';
import { UserFacts } from '../../read/account/user-facts';
import type { EnteredPassword } from './password-checks';
import { PasswordChecks } from './password-checks';
import { Passwords } from './passwords';

/** No account has this id. An unknown name takes the same steps as a known one, and the same time. */
const NOBODY = 0 as UserId;

/** What an account gets whose password was right, for example a key. It runs in the unit of work of the login. */
export type Admit<T> = (work: Work, userId: UserId, method: AuthenticationMethod) => Promise<T>;

/** Logs in with a name and a password: those of this server first, then those of the other checks. */
@Injectable()
export class PasswordLogin {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: UserFacts,
    private readonly passwords: Passwords,
    private readonly checks: PasswordChecks,
    private readonly methods: AuthenticationMethods,
  ) {}

  /**
   * @returns what the account gets
   * @throws Rejected AUTHENTICATION_FAILED, PASSWORD_AUTH_DISABLED where nobody logs in with a password, and what `admit` or a check
   *   refuses
   */
  async run<T>(entered: EnteredPassword, admit: Admit<T>): Promise<T> {
    const { realmId } = entered;
    await this.methods.ensurePasswords(realmId);
    const isOn = (method: AuthenticationMethod) => this.methods.isOn(realmId, method);
    const own = (await isOn('Email')) ? await this.withOwnPassword(entered, admit) : null;
    if (own) return own.result;
    for (const check of this.checks.all) {
      const userId = (await isOn(check.method)) ? await check.accountOf(entered) : null;
      if (userId !== null) return this.admitted(entered, userId, check.method, admit);
    }
    throw reject.wrongLogin();
  }

  private async withOwnPassword<T>(entered: EnteredPassword, admit: Admit<T>): Promise<{ readonly result: T } | null> {
    const { realmId, username, password, origin } = entered;
    const userId = (await this.facts.idByEmail(realmId, username)) ?? NOBODY;
    return this.work.run({ realmId, userId: null, origin }, async (work) => {
      // The state is read first: if the password changes meanwhile, the account changes too, and everything is decided
      // again.
      await work.read(userAggregate, userId);
      if (!(await this.passwords.matches(realmId, userId, password))) return null;
      return { result: await admit(work, userId, 'Email') };
    });
  }

  private admitted<T>(
    { realmId, origin }: EnteredPassword,
    userId: UserId,
    method: AuthenticationMethod,
    admit: Admit<T>,
  ): Promise<T> {
    return this.work.run({ realmId, userId: null, origin }, (work) => admit(work, userId, method));
  }
}
