import { Kernel, systemActor } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { RegistrationId } from '../domain/events';
import { end, invitationAggregate } from '../domain/invitation';
import { expire, registrationAggregate } from '../domain/registration';
import type { DeadInvitation } from '../read/invitation-rows';
import { JoinTokens } from './tokens';

/** Ends what nobody can use any more, so that addresses and texts in it are erased. */
@Injectable()
export class Endings {
  constructor(
    private readonly kernel: Kernel,
    private readonly tokens: JoinTokens,
  ) {}

  async invitation({ realmId, id, reason }: DeadInvitation): Promise<void> {
    await this.kernel.work.run(systemActor(realmId), async (work) => {
      const ended = await work.decide(invitationAggregate, id, (state) => end(state, reason));
      if (ended.length > 0) work.secret(this.tokens.drop('invitation', id));
    });
  }

  async registration(realmId: RealmId, id: RegistrationId): Promise<void> {
    await this.kernel.work.run(systemActor(realmId), async (work) => {
      const ended = await work.decide(registrationAggregate, id, (state) => expire(state, work.at));
      if (ended.length > 0) work.secret(this.tokens.drop('registration', id));
    });
  }
}
