import { Kernel } from '@annals/kernel';
import type { Origin } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { firstLogin, userAggregate } from '../../domain/account/account';
import type { UserRow } from '../../read/account/user-row';

/** Writes down when somebody uses the account that others made for them for the first time, however they got their key. */
@Injectable()
export class FirstLogins {
  constructor(private readonly kernel: Kernel) {}

  /**
   * Costs nothing for whoever was there before.
   *
   * @returns whether the account is another one now
   */
  async note({ realmId, userId, isActive, awaitsFirstLogin }: UserRow, origin: Origin): Promise<boolean> {
    if (!isActive || !awaitsFirstLogin) return false;
    await this.kernel.work.run({ realmId, userId: null, origin }, (work) =>
      work.decide(userAggregate, userId, firstLogin),
    );
    await this.kernel.fence.reach(realmId);
    return true;
  }
}
