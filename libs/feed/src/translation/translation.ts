import type { RealmId } from '@annals/kernel/domain';
import type { CheckpointedReader, Kernel } from '@annals/kernel';
import { BackgroundRunner } from '@annals/kernel';
import { clientEventsReader } from './client-events-reader';

/** The BullMQ queue that asks for translation, one job per realm. */
export const TRANSLATION_QUEUE = 'client-events';

/**
 * Keeps the client events up to date with the log, in a worker, as one of the followers of the log. Three things start
 * it: a job of the queue, the wake-up that a realm has a new head, and a read of all heads every second, which is the
 * guarantee.
 */
export class Translation {
  readonly reader: CheckpointedReader;
  private readonly catchingUp: BackgroundRunner;

  constructor(private readonly kernel: Kernel) {
    const { database, store, events: source, clock, options, keepUp } = kernel;
    this.reader = {
      ...clientEventsReader(options.contexts, source),
      isUrgent: true,
      committed: (realmId, position) => kernel.wakeUps.publish('client-events', realmId, position),
    };
    this.catchingUp = new BackgroundRunner(
      { database, source, store, clock, keepUp, log: options.log },
      [],
      [this.reader],
    );
  }

  /**
   * Jobs of the queue, and events that this process writes, wake the follower. If another process follows the realm,
   * its own wake-up reaches it.
   */
  async wake(runner: Pick<BackgroundRunner, 'wake'>): Promise<void> {
    const queues = await this.kernel.queues();
    queues.work(TRANSLATION_QUEUE, async ({ data }) => runner.wake(Number(data.key) as RealmId, Number(data.position)));
    this.kernel.onCommitted((realmId, head, events) => {
      if (events.some((event) => this.reader.concerns?.(event))) this.kernel.wakeUps.publish('urgent', realmId, head);
    });
  }

  /** Reads the heads once and translates everything, whether or not this process follows the realm. */
  async catchUp(): Promise<void> {
    await this.kernel.store.ensureReaders([this.reader]);
    await this.catchingUp.poll();
    await this.catchingUp.settled();
  }

  /** The result of catching up. */
  status() {
    return this.catchingUp.status();
  }
}
