import type { RealmId } from '@annals/kernel/domain';
import type { CheckpointedReader, Kernel } from '@annals/kernel';
import { BackgroundRunner } from '@annals/kernel';
import { clientEventsReader } from './client-events-reader';

/** The BullMQ queue that asks for translation, one job per realm. */
export const QUEUE = 'client-events';

/**
 * Keeps client events behind the log, in a worker, as one of those who follow it. Three things start it: a job of the
 * queue, the wake-up that a realm has a new head, and a look at all heads every second; the last one is the guarantee.
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

  /** Lets jobs of the queue, and what this process writes, wake who follows; of a realm that another process follows, its own wake-up tells that one. */
  async wake(runner: Pick<BackgroundRunner, 'wake'>): Promise<void> {
    const queues = await this.kernel.queues();
    queues.work(QUEUE, async ({ data }) => runner.wake(Number(data.key) as RealmId, Number(data.position)));
    this.kernel.onCommitted((realmId, head, events) => {
      if (events.some((event) => this.reader.hears?.(event))) this.kernel.wakeUps.publish('urgent', realmId, head);
    });
  }

  /** Looks at the heads once and translates all there is, whoever follows. */
  async catchUp(): Promise<void> {
    await this.kernel.store.ensureReaders([this.reader]);
    await this.catchingUp.poll();
    await this.catchingUp.settled();
  }

  /** What came of catching up. */
  status() {
    return this.catchingUp.status();
  }
}
