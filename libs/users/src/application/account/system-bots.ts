import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress, mailDomain } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { systemBot } from '../../domain/account/system-bot';
import { UserFacts } from '../../read/account/user-facts';
import { NewAccounts } from './new-accounts';

/** Opens bots of the server itself that an organization gets when it first needs them. */
@Injectable()
export class SystemBots {
  constructor(
    private readonly kernel: Kernel,
    private readonly accounts: NewAccounts,
    private readonly users: UserFacts,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  /**
   * Opens one within a unit of work.
   *
   * @param mailbox the part of its email before the domain. If a bot of a user has that email already, the id is added
   */
  async open(work: Work, mailbox: string, fullName: string): Promise<UserId> {
    const userId = await this.kernel.ids.next(work.realmId, 'user');
    const { subdomain } = await this.realms.of(work.realmId);
    const domain = mailDomain(this.address.urlOf(subdomain));
    const isTaken = (await this.users.idByEmail(work.realmId, `${mailbox}@${domain}`)) !== undefined;
    const email = `${mailbox}${isTaken ? `-${userId}` : ''}@${domain}`;
    await this.accounts.openSystemBot(work, systemBot({ userId, email, fullName }));
    return userId;
  }
}
