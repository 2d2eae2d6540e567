import type { Kernel } from '@annals/kernel';
import type { DisownedMessages } from '../application/disowned-messages';
import { readDisowned } from '../read/disowned';

const SWEEP_MS = 1_000;

/** Looks every second whether somebody left messages to be deleted. Several workers may do so at once. */
export class DisownedSweeper {
  private timer: NodeJS.Timeout | null = null;
  private sweeping: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'options'>,
    private readonly messages: Pick<DisownedMessages, 'deleteAll'>,
  ) {}

  /** Sweeps now, and a second after each time that it has swept. */
  start(): void {
    this.sweeping = this.sweep().finally(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.start(), SWEEP_MS);
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.sweeping;
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
