/** Limit of a statement of a batch, in ms. No append waits longer for another one. */
const BATCH_MS = 500;
/** Limit of a statement of an append that is written alone on its lane. */
const ALONE_MS = 200;
/** Limit of a statement of an append that delays no other append. */
const MOST_MS = 30_000;
/** After so many appends in a row that took too long even alone, PostgreSQL counts as slow, and no append does. */
export const SLOW_IN_A_ROW = 3;

/** How long statements may take. A slow append is refused after less than twice the longest limit. */
export class Patience {
  private current: number;

  /** @param mostMs for a statement that delays no other append, in ms */
  constructor(readonly mostMs = MOST_MS) {
    this.current = this.leastMs;
  }

  /** For statements of a batch. */
  get ms(): number {
    return this.current;
  }

  /** For statements of an append that others wait for. */
  get aloneMs(): number {
    return Math.min(ALONE_MS, Math.ceil(this.mostMs / 4));
  }

  /** PostgreSQL is slow: the next batch gets more time. */
  grow(): void {
    this.current = Math.min(this.current * 2, this.mostMs);
  }

  /** A batch was written in time. */
  calm(): void {
    if (this.current > this.leastMs) this.current = Math.max(Math.floor(this.current * 0.9), this.leastMs);
  }

  private get leastMs(): number {
    return Math.min(BATCH_MS, Math.ceil(this.mostMs / 2));
  }
}
