interface Running {
  done: Promise<void>;
  /** Another run was requested since the current one began. */
  again: boolean;
}

/**
 * Runs a job for keys, one run at a time for each key. Requests during a run share one more run after it, and all of them
 * wait for its end.
 */
export class CoalescedRuns<Key> {
  private readonly running = new Map<Key, Running>();
  private isStopped = false;

  constructor(private readonly job: (key: Key) => Promise<void>) {}

  /** @throws whatever a run throws; runs that were requested meanwhile are dropped then */
  run(key: Key): Promise<void> {
    const known = this.running.get(key);
    if (known) {
      known.again = true;
      return known.done;
    }
    const running: Running = { done: Promise.resolve(), again: false };
    this.running.set(key, running);
    running.done = this.untilQuiet(key, running).finally(() => this.running.delete(key));
    return running.done;
  }

  /** Begins no further run, and resolves when the current ones have ended, with or without an error. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.allSettled([...this.running.values()].map(({ done }) => done));
  }

  private async untilQuiet(key: Key, running: Running): Promise<void> {
    do {
      running.again = false;
      if (!this.isStopped) await this.job(key);
    } while (running.again && !this.isStopped);
  }
}
