import type { Kernel } from '@annals/kernel';
import { Repeated } from '@annals/kernel';
import type { OrphanedMessages } from '../application/delete/orphaned-messages';
import { readOrphanedOrders } from '../read/upkeep/orphaned';

const SWEEP_MS = 1_000;

/** Deletes the messages of deleted accounts, checking every second for new orders. Several workers may run it at once. */
export class OrphanedMessagesSweeper {
  private readonly sweeps = new Repeated(SWEEP_MS, () => this.sweep());

  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'options'>,
    private readonly messages: Pick<OrphanedMessages, 'deleteAll'>,
  ) {}

  /** Sweeps now, and every second from now on. */
  start(): void {
    this.sweeps.start();
  }

  stop(): Promise<void> {
    return this.sweeps.stop();
  }

  /** Never rejects: what fails is tried again. */
  async sweep(): Promise<void> {
    try {
      for (const order of await readOrphanedOrders(this.kernel.database.pool)) await this.messages.deleteAll(order);
    } catch (err) {
      this.kernel.options.log.warn({ err }, 'messages of deleted accounts could not be deleted; trying again');
    }
  }
}
