import type { Origin, RealmId, UserId } from '@annals/kernel/domain';
import type { AuthenticationMethod } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { UserFacts } from '../../read/account/user-facts';

/** A name and a password that somebody entered, unchecked. */
export interface EnteredPassword {
  readonly realmId: RealmId;
  readonly username: string;
  readonly password: string;
  readonly origin: Origin;
  /** The token of the link that invites them, for people who join by this login. */
  readonly invitation?: string | undefined;
}

/**
 * A way to check passwords beside those that are stored here, for example a directory. It is asked when the password is none of this
 * server's, also for names that no account has.
 */
export abstract class PasswordCheck {
  /** The way to log in that an organization can turn off. Then it is not asked. */
  abstract readonly method: AuthenticationMethod;

  /**
   * The account of this person, which the check may create. Null if the name or the password is wrong.
   *
   * @throws Rejected for a person who is known and may not log in
   */
  abstract accountOf(entered: EnteredPassword): Promise<UserId | null>;

  /**
   * Whose password somebody tries: the account, or else the name in the one form that all its spellings have. Null for a name that nobody
   * can have here. It asks no other system, because it runs before guesses are limited.
   */
  abstract meant(realmId: RealmId, username: string): Promise<UserId | string | null>;

  /** Whether the account has its password in the other system, which is not asked. */
  abstract hasPasswordOf(realmId: RealmId, userId: UserId): Promise<boolean>;

  /**
   * Whether this is the password of an account that is logged in.
   *
   * @throws Rejected when the other system gives no answer, or does not let the person log in
   */
  abstract isPasswordOf(realmId: RealmId, userId: UserId, password: string): Promise<boolean>;
}

/** The checks of passwords that other contexts add, in the order in which they were added. */
@Injectable()
export class PasswordChecks {
  private readonly added: PasswordCheck[] = [];

  constructor(private readonly facts: UserFacts) {}

  register(check: PasswordCheck): void {
    this.added.push(check);
  }

  get all(): readonly PasswordCheck[] {
    return this.added;
  }

  /** The same for all of them. */
  async meant(realmId: RealmId, username: string): Promise<UserId | string> {
    const own = await this.facts.idByEmail(realmId, username);
    if (own !== undefined) return own;
    for (const check of this.added) {
      const meant = await check.meant(realmId, username);
      if (meant !== null) return meant;
    }
    return username;
  }
}
