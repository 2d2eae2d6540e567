import type { Kernel } from '@annals/kernel';
import { Repeated } from '@annals/kernel';
import type { DisownedMessages } from '../application/delete/orphaned-messages';
import { readDisowned } from '../read/upkeep/orphaned';

const SWEEP_MS = 1_000;

/** Looks every second whether somebody left messages to be deleted. Several workers may do so at once. */
export class DisownedSweeper {
  private readonly sweeps = new Repeated(SWEEP_MS, () => this.sweep());

  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'options'>,
    private readonly messages: Pick<DisownedMessages, 'deleteAll'>,
  ) {}

  /** Sweeps now, and every second from now on. */
  start(): void {
    this.sweeps.start();
  }

  stop(): Promise<void> {
    return this.sweeps.stop();
  }

  /** Never rejects: what cannot be deleted now is tried again. */
  async sweep(): Promise<void> {
    try {
      for (const order of await readDisowned(this.kernel.database.pool)) await this.messages.deleteAll(order);
    } catch (err) {
      this.kernel.options.log.warn({ err }, 'messages of people who left could not be deleted; trying again');
    }
  }
}
