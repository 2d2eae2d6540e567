import { Auditing } from '@annals/audit';
import { ActorReader } from '@annals/groups';
import { systemActor } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ConsumerRow } from './consumer-row';

type Asked = Pick<ConsumerRow, 'realmId' | 'ownerId' | 'view' | 'words'>;

/** Whether owners of consumers may still get what these want (contract/feed.md section 1). Exact after the fence. */
@Injectable()
export class ConsumerRights {
  constructor(
    private readonly actors: ActorReader,
    private readonly auditing: Auditing,
  ) {}

  /** The owner of a consumer, who may read what it wants. Null if the owner may not, or is deactivated. */
  async reader(consumer: Asked): Promise<Actor | null> {
    try {
      return await this.ensure(consumer);
    } catch (error) {
      if (error instanceof Rejected) return null;
      throw error;
    }
  }

  /** The same. @throws Rejected UNAUTHORIZED_AUDIT, USER_DEACTIVATED */
  async ensure(consumer: Asked): Promise<Actor> {
    const owner = await this.owner(consumer);
    if (consumer.view === 'domain') await this.auditing.ensureReading(owner, consumer.words);
    return owner;
  }

  /** @throws Rejected UNAUTHORIZED_AUDIT unless its owner may read the words of the log */
  async ensureWords(consumer: Asked): Promise<void> {
    if (consumer.view === 'domain') await this.auditing.ensureReading(await this.owner(consumer), true);
  }

  private owner({ realmId, ownerId }: Asked): Promise<Actor> {
    return this.actors.actor(realmId, ownerId, systemActor(realmId).origin);
  }
}
