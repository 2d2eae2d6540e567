interface Running {
  done: Promise<void>;
  /** Somebody asked since the round under way began. */
  again: boolean;
}

/**
 * Does something for keys, for each one round at a time: who asks while one is under way gets another round after it,
 * and both wait for the end of that.
 */
export class Rounds<Key> {
  private readonly running = new Map<Key, Running>();
  private isStopped = false;

  constructor(private readonly round: (key: Key) => Promise<void>) {}

  /** @throws whatever a round throws; rounds that were asked for meanwhile are left out then */
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

  /** Begins no round any more, and resolves when those under way have ended, however they do. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.allSettled([...this.running.values()].map(({ done }) => done));
  }

  private async untilQuiet(key: Key, running: Running): Promise<void> {
    do {
      running.again = false;
      if (!this.isStopped) await this.round(key);
    } while (running.again && !this.isStopped);
  }
}
