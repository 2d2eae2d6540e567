import type { RealmId } from '@annals/kernel/domain';
import type { CheckpointedReader, Kernel } from '@annals/kernel';
import { BackgroundRunner } from '@annals/kernel';
import { clientEventsReader } from './client-events-reader';

/** The BullMQ queue that asks for translation, one job per realm. */
export const QUEUE = 'client-events';

/** Under load what is sent within this time is translated together, in ms. */
const REST_MS = 50;

/**
 * Keeps client events behind the log, in a worker. Three things start it: a job of the queue, the wake-up that a realm
 * has a new head, and a look at all heads every second; the last one is the guarantee. It has a runner of its own, so
 * that no other projection holds up what people wait for.
 */
export class Translation {
  private readonly reader: CheckpointedReader;
  private readonly runner: BackgroundRunner;
  private subscriptions: (() => void)[] = [];

  constructor(private readonly kernel: Kernel) {
    const { database, store, events: source, clock, options } = kernel;
    this.reader = {
      ...clientEventsReader(options.contexts, source),
      committed: (realmId, position) => kernel.wakeUps.publish('client-events', realmId, position),
    };
    this.runner = new BackgroundRunner({ database, source, store, clock, log: options.log }, [], [this.reader], {
      restMs: REST_MS,
    });
  }

  async start(): Promise<void> {
    const { kernel, runner } = this;
    await kernel.store.ensureReaders([this.reader]);
    this.subscriptions = [
      kernel.wakeUps.subscribe('head', 'all', (realmId, position) => runner.wake(realmId, position)),
    ];
    const queues = await kernel.queues();
    queues.work(QUEUE, async ({ data }) => runner.wake(Number(data.key) as RealmId, Number(data.position)));
    runner.start();
  }

  /** Looks at the heads once and translates all there is; what a start does again and again. */
  async catchUp(): Promise<void> {
    await this.kernel.store.ensureReaders([this.reader]);
    await this.runner.poll();
    await this.runner.settled();
  }

  /** Where it stands, for health and metrics. */
  status() {
    return this.runner.status();
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.subscriptions) unsubscribe();
    await this.runner.stop();
  }
}
