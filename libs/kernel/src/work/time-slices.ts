import { setTimeout as pause } from 'node:timers/promises';
import { Turns } from './turns';

/** The source of time and pauses. Specs have their own. In ms. */
export interface Pacing {
  now(): number;
  pause(ms: number): Promise<unknown>;
}

const REAL: Pacing = { now: () => performance.now(), pause };

/** Work after which the process pauses, in ms. */
const SLICE_MS = 4;

/**
 * Runs pieces of long computations one at a time. Their owners take turns. After a slice of work comes a pause
 * of the same length, in which the process does everything else. So however many pieces wait, they take half of its time,
 * and nothing else waits longer than the longest piece.
 */
export class TimeSlices {
  private readonly turns = new Turns();
  /** Worked since the last pause, in ms. */
  private worked = 0;

  constructor(private readonly pacing: Pacing = REAL) {}

  /**
   * @param asker the owner of the pieces, for example an account. Its pieces wait for each other
   * @returns the result of the piece, and how long it took in ms
   * @throws any error of the piece
   */
  async run<Result>(asker: string, piece: () => Result): Promise<{ readonly result: Result; readonly took: number }> {
    await this.turns.take(asker);
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
   * @param atOnce how many take about a millisecond. So many or fewer are made without waiting
   * @throws any error of `make`
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

  private async release(): Promise<void> {
    if (this.worked >= SLICE_MS) {
      const { worked } = this;
      this.worked = 0;
      await this.pacing.pause(worked);
    }
    this.turns.pass();
  }
}

/**
 * The long computations of this process: rendering and comparing texts, presenting long lists, writing long answers.
 */
export const longWork = new TimeSlices();
