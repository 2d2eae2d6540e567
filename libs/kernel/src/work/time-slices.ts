import { setTimeout as pause } from 'node:timers/promises';

/** How time passes; tests have their own. In ms. */
export interface Pacing {
  now(): number;
  pause(ms: number): Promise<unknown>;
}

const REAL: Pacing = { now: () => performance.now(), pause };

/** Work after which others are let in, in ms. */
const SLICE_MS = 4;

/**
 * Runs pieces of long computations one at a time, those of different askers in turn. After a slice of work comes a pause
 * as long as the slice was, in which the process does everything else: however many ask, they take half of its time, and
 * nobody else waits longer than the longest piece.
 */
export class TimeSlices {
  /** Who waits, by asker; the next asker is the first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isTaken = false;
  /** Worked since the last pause, in ms. */
  private worked = 0;

  constructor(private readonly pacing: Pacing = REAL) {}

  /**
   * @param asker whose pieces wait for each other, as those of an account
   * @returns what the piece gave, and how long it took in ms
   * @throws what the piece throws
   */
  async run<Result>(asker: string, piece: () => Result): Promise<{ readonly result: Result; readonly took: number }> {
    await this.turn(asker);
    const began = this.pacing.now();
    try {
      const result = piece();
      return { result, took: this.pacing.now() - began };
    } finally {
      this.worked += this.pacing.now() - began;
      void this.release();
    }
  }

  /**
   * Makes something small of each of many things, some of them in each piece.
   *
   * @param atOnce how many take about a millisecond; no more than these are made without waiting for anybody
   * @throws what `make` throws
   */
  async map<Item, Result>(
    asker: string,
    items: readonly Item[],
    atOnce: number,
    make: (item: Item) => Result,
  ): Promise<Result[]> {
    const made: Result[] = [];
    const some = (from: number) => {
      for (const item of items.slice(from, from + atOnce)) made.push(make(item));
    };
    if (items.length <= atOnce) some(0);
    else for (let from = 0; from < items.length; from += atOnce) await this.run(asker, () => some(from));
    return made;
  }

  private turn(asker: string): Promise<void> | undefined {
    if (!this.isTaken) {
      this.isTaken = true;
      return undefined;
    }
    return new Promise((resolve) => {
      const own = this.waiting.get(asker);
      if (own) own.push(resolve);
      else this.waiting.set(asker, [resolve]);
    });
  }

  private async release(): Promise<void> {
    if (this.worked >= SLICE_MS) {
      const { worked } = this;
      this.worked = 0;
      await this.pacing.pause(worked);
    }
    const [next] = this.waiting;
    if (!next) {
      this.isTaken = false;
      return;
    }
    const [asker, [resolve, ...others]] = next;
    this.waiting.delete(asker);
    if (others.length > 0) this.waiting.set(asker, others);
    resolve?.();
  }
}

/** The work of this process that is long in sum: texts are rendered and compared, long lists presented, long answers written. */
export const longWork = new TimeSlices();
