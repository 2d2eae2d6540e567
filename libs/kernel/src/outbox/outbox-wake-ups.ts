import type { Position, RealmId } from '../domain/index';
import type { Kernel } from '../kernel';

/**
 * Wakes the worker of an outbox by a job, once the tasks that a reader of the log has added are committed. Never fails:
 * the worker finds missed tasks itself.
 */
export class OutboxWakeUps {
  private readonly added = new Set<RealmId>();

  constructor(
    private readonly kernel: Pick<Kernel, 'queues'>,
    private readonly queue: string,
  ) {}

  /** Tasks of an organization were added. They commit with the checkpoint of the reader. */
  note(realmId: RealmId): void {
    this.added.add(realmId);
  }

  /** The `committed` of the reader. */
  readonly committed = (realmId: RealmId, position: Position): void => {
    if (this.added.delete(realmId)) void this.wake(realmId, position);
  };

  private async wake(realmId: RealmId, position: Position): Promise<void> {
    const queues = await this.kernel.queues();
    await queues.wake(this.queue, realmId, position);
  }
}
