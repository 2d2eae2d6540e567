import type { Fault } from './faults';
import { shuffled } from './random';
import type { Made } from './recoveries';

/** Makes faults of all kinds, each as often as the others, in an order that its seed gives. */
export class FaultMaker {
  /** The faults made so far, in the order of time. */
  readonly made: Made[] = [];
  private coming: Fault[] = [];

  constructor(
    private readonly faults: readonly Fault[],
    private readonly random: () => number,
    private readonly say: (line: string) => void,
  ) {}

  /** Makes the next one. Resolves at its end. @throws Error when a service does not start again */
  async next(): Promise<void> {
    if (this.coming.length === 0) this.coming = shuffled(this.faults, this.random);
    const fault = this.coming.pop();
    if (!fault) return;
    const from = performance.now();
    await fault.happen();
    const until = performance.now();
    this.made.push({ kind: fault.kind, from, until });
    this.say(`  ${String(this.made.length).padStart(3)}  ${fault.kind} (${Math.round(until - from)} ms)`);
  }
}
