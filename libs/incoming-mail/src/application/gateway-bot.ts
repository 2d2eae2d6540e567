import { UnitOfWork, systemActor } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { SystemBots } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { chooseGatewayBot, gatewayBot } from '../domain/posted-mail';

/** The system bot that posts mails to channels. It is created when the first mail arrives. */
@Injectable()
export class GatewayBot {
  constructor(
    private readonly work: UnitOfWork,
    private readonly bots: SystemBots,
  ) {}

  async idIn(realmId: RealmId): Promise<UserId> {
    return this.work.run(systemActor(realmId), async (work) => {
      const present = await work.read(gatewayBot, 'realm');
      if (present !== null) return present;
      const userId = await this.bots.open(work, 'emailgateway', 'Email Gateway');
      await work.decide(gatewayBot, 'realm', (state) => chooseGatewayBot(state, userId));
      return userId;
    });
  }
}
