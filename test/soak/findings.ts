/** A text of the soak where the log has it. */
export interface Stored {
  readonly text: string;
  readonly position: number;
}

/** A queue and the positions of the events that it has delivered. */
export interface Heard {
  readonly name: string;
  readonly since: number;
  /** Positions in the order in which they came. */
  readonly positions: readonly number[];
  /** False of one that ended before the others: then what is missing at its end is no loss. */
  readonly toTheEnd: boolean;
}

export interface Findings {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly disordered: readonly string[];
}

/**
 * Compares what was acknowledged, what is stored and what each queue delivered.
 *
 * @param acknowledged texts that the server answered as stored
 * @param stored every text of the soak in the log, by position
 */
export function findingsOf(
  acknowledged: readonly string[],
  stored: readonly Stored[],
  queues: readonly Heard[],
): Findings {
  const lost: string[] = [];
  const doubled: string[] = [];
  const disordered: string[] = [];
  const times = new Map<string, number>();
  for (const { text } of stored) times.set(text, (times.get(text) ?? 0) + 1);
  for (const text of acknowledged) if (!times.has(text)) lost.push(`"${text}" was acknowledged and is not stored`);
  for (const [text, count] of times) if (count > 1) doubled.push(`"${text}" is stored ${count} times`);
  for (const queue of queues) {
    const { name, positions } = queue;
    const known = new Map<number, number>();
    positions.forEach((position, n) => {
      known.set(position, (known.get(position) ?? 0) + 1);
      const before = positions[n - 1];
      if (before !== undefined && position < before) disordered.push(`${name} was handed ${position} after ${before}`);
    });
    for (const [position, count] of known) if (count > 1) doubled.push(`${name} was handed ${position} ${count} times`);
    for (const { position, text } of expectedBy(queue, stored))
      if (!known.has(position)) lost.push(`${name} was never handed "${text}" at ${position}`);
  }
  return { lost, doubled, disordered };
}

function expectedBy({ since, positions, toTheEnd }: Heard, stored: readonly Stored[]): readonly Stored[] {
  const until = toTheEnd ? Infinity : Math.max(since, ...positions.slice(-1));
  return stored.filter(({ position }) => position > since && position <= until);
}

/** A span of time in which something was broken, in ms. */
export interface Trouble {
  readonly from: number;
  readonly until: number;
}

/** A fault that begins so soon after something was ready to be delivered may have held it up, in ms. */
const IN_FLIGHT_MS = 1_000;

/**
 * When something could be delivered that was ready at a moment: then, or at the end of the trouble that it met.
 *
 * @param troubles in the order of time
 */
export function deliverableFrom(ready: number, troubles: readonly Trouble[]): number {
  let from = ready;
  for (const trouble of troubles) if (trouble.from <= from + IN_FLIGHT_MS) from = Math.max(from, trouble.until);
  return from;
}
