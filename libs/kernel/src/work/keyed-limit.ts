interface Tasks {
  running: number;
  readonly waiting: (() => void)[];
}

/** Runs at most some tasks of each key at a time. The others wait, and run in the order of their requests. */
export class KeyedLimit {
  private readonly tasks = new Map<string, Tasks>();

  /** @param atOnce how many tasks of one key run at a time */
  constructor(private readonly atOnce: number) {}

  /** @throws what the task throws; the next one runs all the same */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const tasks = this.tasks.get(key) ?? { running: 0, waiting: [] };
    this.tasks.set(key, tasks);
    if (tasks.running < this.atOnce) tasks.running += 1;
    else await new Promise<void>((resolve) => tasks.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = tasks.waiting.shift();
      if (next) next();
      else if ((tasks.running -= 1) === 0) this.tasks.delete(key);
    }
  }
}
