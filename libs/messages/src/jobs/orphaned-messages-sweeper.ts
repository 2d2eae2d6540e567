import type { Kernel } from '@annals/kernel';
import { PeriodicSweep } from '@annals/kernel';
import type { OrphanedMessages } from '../application/delete/orphaned-messages';
import { REALMS_WITH_ORPHANED_ORDERS, readOrphanedOrders } from '../read/upkeep/orphaned-orders';

const SWEEP_MS = 1_000;
const WARNING = 'messages of deleted accounts could not be deleted; trying again';

/** Deletes the messages of deleted accounts, checking every second for new orders. Several workers may run it at once. */
export class OrphanedMessagesSweeper extends PeriodicSweep {
  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'due' | 'options'>,
    private readonly messages: Pick<OrphanedMessages, 'deleteAll'>,
  ) {
    super(SWEEP_MS, kernel, WARNING);
  }

  /** An order that fails holds up no other one. */
  override async sweep(): Promise<void> {
    const { due, database } = this.kernel;
    if ((await due.find(REALMS_WITH_ORPHANED_ORDERS)).length === 0) return;
    for (const order of await readOrphanedOrders(database.pool)) {
      const { realmId: realm, position } = order;
      await this.isolated({ realm, position }, () => this.messages.deleteAll(order));
    }
  }
}
