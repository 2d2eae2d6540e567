import { Kernel, LogSizes, RealmQuotas } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';
import { OrganizationFacts } from './organization-facts';

const MIB = 1024 * 1024;

/** What the operator allows organizations (`annals organizations limits`), for the checks of every request. */
@Injectable()
export class OrganizationQuotas extends RealmQuotas {
  private readonly sizes: LogSizes;

  constructor(
    kernel: Kernel,
    private readonly organizations: OrganizationFacts,
  ) {
    super();
    this.sizes = new LogSizes(kernel);
  }

  override async requestsPerMinute(realmId: RealmId): Promise<number | null> {
    return (await this.organizations.limits(realmId)).requests;
  }

  override async ensureRoomInLog(realmId: RealmId): Promise<void> {
    const { logMib: limit } = await this.organizations.limits(realmId);
    if (limit === null) return;
    if ((await this.sizes.recent(realmId)) >= limit * MIB) throw reject.logIsFull({ limit });
  }
}
