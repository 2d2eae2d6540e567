import { Kernel } from '@annals/kernel';
import type { Origin } from '@annals/kernel/domain';
import { runAsVisitor } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { userAggregate } from '../../domain/account/account';
import { firstLogin } from '../../domain/sign-in/keys';
import type { UserRow } from '../../read/account/user-row';

/** Records the first use of an account that another user created, with any key. */
@Injectable()
export class FirstLogins {
  constructor(private readonly kernel: Kernel) {}

  /**
   * Costs nothing for accounts that were used before.
   *
   * @returns whether the account changed
   */
  async note({ realmId, userId, isActive, awaitsFirstLogin }: UserRow, origin: Origin): Promise<boolean> {
    if (!isActive || !awaitsFirstLogin) return false;
    await runAsVisitor(this.kernel.work, { realmId, origin }, (work) => work.decide(userAggregate, userId, firstLogin));
    await this.kernel.fence.reach(realmId);
    return true;
  }
}
