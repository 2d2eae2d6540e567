import type { RealmId, UserId } from '@annals/kernel/domain';
import { AuthenticationMethods } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { PasswordCheck } from './password-checks';
import { PasswordChecks } from './password-checks';
import { Passwords } from './passwords';

/** Where the password is that an account logs in with: at this server, in another system such as a directory, or nowhere. */
export type PasswordPlace = 'here' | 'elsewhere' | 'nowhere';

/** The passwords that accounts log in with. They are those that `PasswordLogin` takes. */
@Injectable()
export class AccountPasswords {
  constructor(
    private readonly passwords: Passwords,
    private readonly checks: PasswordChecks,
    private readonly methods: AuthenticationMethods,
  ) {}

  /** Where the password of an account is. If it has several, one of this server counts. */
  async placeOf(realmId: RealmId, userId: UserId): Promise<PasswordPlace> {
    const isHere = (await this.methods.isOn(realmId, 'Email')) && (await this.passwords.isSet(realmId, userId));
    if (isHere) return 'here';
    return (await this.checksOf(realmId, userId)).length > 0 ? 'elsewhere' : 'nowhere';
  }

  /** Whether this is the password of this server, and the account may log in with it. */
  async isOwn(realmId: RealmId, userId: UserId, password: string): Promise<boolean> {
    return (await this.methods.isOn(realmId, 'Email')) && (await this.passwords.matches(realmId, userId, password));
  }

  /**
   * Whether another system has this password for the account. None of them gets a password of this server. They may take seconds, so it is
   * not for a unit of work.
   *
   * @throws Rejected when another system gives no answer, or does not let the person log in
   */
  async isOfOthers(realmId: RealmId, userId: UserId, password: string): Promise<boolean> {
    const checks = await this.checksOf(realmId, userId);
    if (checks.length === 0 || (await this.isOwn(realmId, userId, password))) return false;
    for (const check of checks) if (await check.isPasswordOf(realmId, userId, password)) return true;
    return false;
  }

  private async checksOf(realmId: RealmId, userId: UserId): Promise<PasswordCheck[]> {
    const found: PasswordCheck[] = [];
    for (const check of this.checks.all) {
      if ((await this.methods.isOn(realmId, check.method)) && (await check.hasPasswordOf(realmId, userId)))
        found.push(check);
    }
    return found;
  }
}
