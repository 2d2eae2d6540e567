import type { Kernel, Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { allowed } from '@annals/kernel/domain';
import { PeopleQuota, RealmFacts, ServerAddress, organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { NewAccount } from '../../domain/account/account';
import { openAccount, setPassword, userAggregate } from '../../domain/account/account';
import { beginWith, defaultSettingsAggregate, ownSettingsAggregate } from '../../domain/settings/own-settings';
import { UserFacts } from '../../read/account/user-facts';
import { AllowedEmails } from '../email/allowed-emails';
import { defaultAvatar } from '../profile/default-avatar';
import type { PasswordSecret } from '../sign-in/passwords';
import { endUnfinished } from '../sign-in/unfinished';
import { GuardedPeopleQuota } from './guarded-people-quota';
import { Uniqueness } from './uniqueness';

/** Creates accounts in a unit of work. The caller checks permissions. */
@Injectable()
export class NewAccounts {
  constructor(
    private readonly uniqueness: Uniqueness,
    private readonly addresses: AllowedEmails,
    private readonly quota: PeopleQuota,
  ) {}

  /** For programs that have only a kernel. @param url address of the server */
  static of(kernel: Kernel, url: string): NewAccounts {
    const addresses = new AllowedEmails(new RealmFacts(kernel), new ServerAddress(url));
    return new NewAccounts(new Uniqueness(kernel, new UserFacts(kernel)), addresses, new GuardedPeopleQuota(kernel));
  }

  /**
   * @throws Rejected for an invalid name, an email that is not allowed, a name or email that is in use, or one person too
   *   many
   */
  async open(work: Work, account: NewAccount): Promise<void> {
    if (account.botType === null) await this.quota.ensureRoom(work);
    const rules = {
      address: account.botType === null ? await this.addresses.mayUse(work, account.email) : allowed,
      emailTaken: await this.uniqueness.emailTaken(work, account.email),
      nameTaken: await this.uniqueness.nameTaken(work, account.fullName),
    };
    const file = await defaultAvatar(work, account.userId);
    const opened = file === null ? account : { ...account, avatarFile: file };
    work.begins(userAggregate, account.userId);
    await work.decide(userAggregate, account.userId, (state) => openAccount(state, opened, rules));
    if (account.botType === null) await this.chooseFor(work, account.userId);
  }

  /** Opens an account of the server itself. Users may have its name. @throws Rejected for an email that is in use */
  async openSystemBot(work: Work, account: NewAccount): Promise<void> {
    const rules = {
      address: allowed,
      emailTaken: await this.uniqueness.emailTaken(work, account.email),
      nameTaken: false,
    };
    await work.decide(userAggregate, account.userId, (state) => openAccount(state, account, rules));
  }

  /** Gives the account a password that was checked and hashed before the unit of work began. */
  async setPassword(work: Work, userId: UserId, secret: PasswordSecret): Promise<void> {
    await work.decide(userAggregate, userId, setPassword);
    endUnfinished(work, userId);
    work.secret(secret);
  }

  private async chooseFor(work: Work, userId: UserId): Promise<void> {
    const defaults = await work.read(defaultSettingsAggregate, 'realm');
    const { settings } = await organization(work);
    work.begins(ownSettingsAggregate, userId);
    await work.decide(ownSettingsAggregate, userId, () => beginWith(userId, defaults, settings.default_language));
  }
}
