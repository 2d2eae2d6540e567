import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { Actor, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { manages } from '../domain/consumer';
import { reject } from '../domain/rejections';
import type { ConsumerRow } from './consumer-row';
import { readConsumers } from './consumer-row';

const ALL = 'all';

/** The consumers of organizations, cached in the process. Exact after the fence. */
@Injectable()
export class ConsumerFacts {
  private readonly consumers: FactCache<readonly ConsumerRow[]>;

  constructor(kernel: Kernel) {
    this.consumers = kernel.facts<readonly ConsumerRow[]>({
      touched: ({ type }) => (type.startsWith('consumers.') ? [ALL] : []),
      load: async (realmId) => new Map([[ALL, await readConsumers(kernel.database.pool, realmId)]]),
    });
  }

  /** In the order of their creation. */
  async all(realmId: RealmId): Promise<readonly ConsumerRow[]> {
    return (await this.consumers.get(realmId, ALL)) ?? [];
  }

  async byId(realmId: RealmId, id: number): Promise<ConsumerRow | undefined> {
    return (await this.all(realmId)).find((consumer) => consumer.id === id);
  }

  /** @throws Rejected NO_SUCH_CONSUMER for all but its owner and owners of the organization */
  async managed(by: Pick<Actor, 'realmId' | 'userId' | 'role'>, name: string): Promise<ConsumerRow> {
    const found = (await this.all(by.realmId)).find((consumer) => consumer.name === name);
    if (!found || !manages(by, found)) throw reject.noSuchConsumer();
    return found;
  }

  /** The same for its owner, whose events they are. @throws Rejected also for owners of the organization */
  async own(by: Pick<Actor, 'realmId' | 'userId' | 'role'>, name: string): Promise<ConsumerRow> {
    const consumer = await this.managed(by, name);
    if (consumer.ownerId !== by.userId) throw reject.notOwner();
    return consumer;
  }

  /** The same to pull them. @throws Rejected also if the server sends them */
  async pulled(by: Pick<Actor, 'realmId' | 'userId' | 'role'>, name: string): Promise<ConsumerRow> {
    const consumer = await this.own(by, name);
    if (consumer.webhook) throw reject.hasWebhook();
    if (consumer.sink) throw reject.hasSink();
    return consumer;
  }
}
