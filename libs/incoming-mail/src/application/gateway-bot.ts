import { Kernel, UnitOfWork, systemActor } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress, mailDomain } from '@annals/realm';
import { NewAccounts, UserFacts, systemBot } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { chooseGatewayBot, gatewayBot } from '../domain/posted-mail';

/** The part of the bot's email before the domain. */
const ADDRESS = 'emailgateway';

/** The system bot that posts mails to channels. It is created when the first mail arrives. */
@Injectable()
export class GatewayBot {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly accounts: NewAccounts,
    private readonly users: UserFacts,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  async idIn(realmId: RealmId): Promise<UserId> {
    return this.work.run(systemActor(realmId), async (work) => {
      const present = await work.read(gatewayBot, 'realm');
      if (present !== null) return present;
      const userId = await this.kernel.ids.next(realmId, 'user');
      const account = { userId, email: await this.emailOf(realmId, userId), fullName: 'Email Gateway' };
      await this.accounts.openSystemBot(work, systemBot(account));
      await work.decide(gatewayBot, 'realm', (state) => chooseGatewayBot(state, userId));
      return userId;
    });
  }

  /** A bot of a user may have the email already. Then that of the gateway has its id in it. */
  private async emailOf(realmId: RealmId, userId: UserId): Promise<string> {
    const { subdomain } = await this.realms.of(realmId);
    const domain = mailDomain(this.address.urlOf(subdomain));
    const isTaken = (await this.users.idByEmail(realmId, `${ADDRESS}@${domain}`)) !== undefined;
    return `${ADDRESS}${isTaken ? `-${userId}` : ''}@${domain}`;
  }
}
