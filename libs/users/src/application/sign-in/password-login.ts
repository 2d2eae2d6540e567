import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import type { AuthenticationMethod } from '@annals/realm';
import { AuthenticationMethods, runAsVisitor } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { userAggregate } from '../../domain/account/account';
import { isActive } from '../../domain/account/account-parts';
import { reject } from '../../domain/rejections';
import { UserFacts } from '../../read/account/user-facts';
import type { CodeAttempt } from '../two-factors/second-factors';
import { SecondFactors } from '../two-factors/second-factors';
import type { EnteredPassword } from './password-checks';
import { PasswordChecks } from './password-checks';
import { Passwords } from './passwords';

/** No account has this id. An unknown name takes the same steps as a known one, and the same time. */
const NOBODY = 0 as UserId;

/** What an account gets whose password was right, for example a key. It runs in the unit of work of the login. */
type Admit<T> = (work: Work, userId: UserId, method: AuthenticationMethod) => Promise<T>;

/** What a login leads to. */
export interface LoginResults<T> {
  readonly done: Admit<T>;
  /** The password is right, and the code that the account needs too was not entered. Left out: the login is refused. */
  readonly withoutCode?: Admit<T>;
}

/** A password that was entered alone, or followed by the six digits of an app: which of both, the password decides. */
interface Typed {
  readonly password: string;
  /** Undefined for the password alone. */
  readonly attempt: CodeAttempt | undefined;
}

/** An account whose password was right. */
interface RightPassword extends Pick<Typed, 'attempt'> {
  readonly userId: UserId;
  readonly method: AuthenticationMethod;
}

/** Logs in with a name and a password: those of this server first, then those of the other checks. */
@Injectable()
export class PasswordLogin {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: UserFacts,
    private readonly passwords: Passwords,
    private readonly checks: PasswordChecks,
    private readonly methods: AuthenticationMethods,
    private readonly factors: SecondFactors,
  ) {}

  /**
   * @returns what the account gets
   * @throws Rejected AUTHENTICATION_FAILED, TWO_FACTOR_CODE_REQUIRED, PASSWORD_AUTH_DISABLED where nobody logs in with a password, and what
   *   `results` or a check refuses
   */
  async run<T>(entered: EnteredPassword, results: LoginResults<T>): Promise<T> {
    const { realmId } = entered;
    await this.methods.ensurePasswords(realmId);
    const isOn = (method: AuthenticationMethod) => this.methods.isOn(realmId, method);
    const typed = typedIn(entered.password);
    const own = (await isOn('Email')) ? await this.withOwnPassword(entered, typed, results) : null;
    if (own) return own.result;
    for (const check of this.checks.all) {
      if (!(await isOn(check.method))) continue;
      for (const { password, attempt } of typed) {
        const userId = await check.accountOf({ ...entered, password });
        if (userId === null) continue;
        const found = await this.inWork(entered, (work) =>
          this.admitted(work, { userId, method: check.method, attempt }, results),
        );
        if (found) return found.result;
      }
    }
    throw reject.wrongLogin();
  }

  private async withOwnPassword<T>(entered: EnteredPassword, typed: readonly Typed[], results: LoginResults<T>) {
    const { realmId, username } = entered;
    const userId = (await this.facts.idByEmail(realmId, username)) ?? NOBODY;
    return this.inWork(entered, async (work) => {
      // The state is read first: if the password changes meanwhile, the account changes too, and everything is decided
      // again.
      await work.read(userAggregate, userId);
      let right: Typed | undefined;
      // All of them are compared, so that the time tells nothing.
      for (const one of typed) if (await this.passwords.matches(realmId, userId, one.password)) right ??= one;
      return right ? this.admitted(work, { userId, method: 'Email', attempt: right.attempt }, results) : null;
    });
  }

  private inWork<T>({ realmId, origin }: EnteredPassword, decide: (work: Work) => Promise<T>): Promise<T> {
    return runAsVisitor(this.work, { realmId, origin }, decide);
  }

  /** Null for a code that is wrong, or that nobody asked for. */
  private async admitted<T>(
    work: Work,
    { userId, method, attempt }: RightPassword,
    { done, withoutCode }: LoginResults<T>,
  ): Promise<{ readonly result: T } | null> {
    if (!(await this.methods.isOnIn(work, method))) return null;
    const account = await work.read(userAggregate, userId);
    if (account && !isActive(account)) throw reject.accountDeactivated();
    const needsCode = await this.factors.areOn(work, userId);
    if (needsCode && !attempt) {
      if (!withoutCode) throw reject.codeRequired();
      return { result: await withoutCode(work, userId, method) };
    }
    if (attempt && !(needsCode && (await this.factors.accept(work, userId, attempt)))) return null;
    return { result: await done(work, userId, method) };
  }
}

function typedIn(password: string): readonly Typed[] {
  const [, before, code] = /^(.+?) ?(\d{6})$/s.exec(password) ?? [];
  const alone = { password, attempt: undefined };
  return before === undefined || code === undefined ? [alone] : [alone, { password: before, attempt: { code } }];
}
