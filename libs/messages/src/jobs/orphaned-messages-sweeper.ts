import type { Kernel } from '@annals/kernel';
import { PeriodicSweep } from '@annals/kernel';
import type { OrphanedMessages } from '../application/delete/orphaned-messages';
import { readOrphanedOrders } from '../read/upkeep/orphaned-orders';

const SWEEP_MS = 1_000;

/** Deletes the messages of deleted accounts, checking every second for new orders. Several workers may run it at once. */
export class OrphanedMessagesSweeper extends PeriodicSweep {
  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'options'>,
    private readonly messages: Pick<OrphanedMessages, 'deleteAll'>,
  ) {
    super(SWEEP_MS, kernel, 'messages of deleted accounts could not be deleted; trying again');
  }

  override async sweep(): Promise<void> {
    for (const order of await readOrphanedOrders(this.kernel.database.pool)) await this.messages.deleteAll(order);
  }
}
