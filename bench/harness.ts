import { createHistogram } from 'node:perf_hooks';
import type { RecordableHistogram } from 'node:perf_hooks';

export type Unit =
  | 'events'
  | 'events/s'
  | 'messages'
  | 'messages/s'
  | 'rows/s'
  | 'requests/s'
  | 'ms'
  | 'µs'
  | 'wake-ups'
  | 'MB'
  | 'kB'
  | 'bytes'
  | 'wake-ups/s'
  | '%';

export interface Figure {
  readonly value: number;
  readonly unit: Unit;
}

/** Measured figures, by names such as `append.128.p50`. */
export type Figures = Readonly<Record<string, Figure>>;

/** The means of a measurement. */
export interface Bench {
  /** Length of one measured run, in seconds. */
  readonly seconds: number;
  /** Events in the log before the measurements that need a full one. */
  readonly stored: number;
  /** Redis for wake-ups and queues; undefined where the machine has none. */
  readonly redisUrl: string | undefined;
  /** Process id of PostgreSQL's first process. */
  readonly postgres: number;
  /** A scratch folder on the disk of the database. */
  readonly folder: string;
  /** An empty database, dropped after the measurement; a connection string. */
  createDatabase(): Promise<string>;
  /** Shows what is being done; the detail may change at any rate. */
  say(step: string, detail?: string): void;
  /** Runs when the measurement is over, last things first, whether it succeeded or not. */
  after(task: () => Promise<unknown>): void;
}

export interface Measurement {
  /** For `--only`, and the first part of its figures' names. */
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<Figures>;
}

const LONGEST_US = 3_600_000_000;
const TENTH_MS = 100;
/** The part of a run's length that passes uncounted before it, while code is compiled and caches fill. */
const WARM_UP = 0.2;

/** The result of a number of callers: how many calls, and how long each took. */
export class Load {
  private readonly micros: RecordableHistogram = createHistogram({ highest: LONGEST_US, figures: 3 });
  /** Calls that ended in each tenth of a second. */
  readonly tenths: number[] = [];

  constructor(private seconds: number) {}

  /** @param ended ms since counting began */
  record(tookMs: number, ended: number): void {
    this.micros.record(Math.max(1, Math.round(tookMs * 1_000)));
    const tenth = Math.floor(ended / TENTH_MS);
    this.tenths[tenth] = (this.tenths[tenth] ?? 0) + 1;
  }

  get count(): number {
    return this.micros.count;
  }

  /** Calls per second. */
  get rate(): number {
    return this.count / this.seconds;
  }

  /** The time in ms that is not exceeded by so many percent of the calls. */
  percentile(percent: number): number {
    return this.count === 0 ? NaN : this.micros.percentile(percent) / 1_000;
  }

  /** The lowest rate of any step of this length, one step after the other. */
  lowestRate(stepSeconds: number): number {
    const width = Math.max(1, Math.round((stepSeconds * 1_000) / TENTH_MS));
    const rates: number[] = [];
    for (let from = 0; from + width <= Math.round((this.seconds * 1_000) / TENTH_MS); from += width) {
      let calls = 0;
      for (let tenth = from; tenth < from + width; tenth++) calls += this.tenths[tenth] ?? 0;
      rates.push(calls / ((width * TENTH_MS) / 1_000));
    }
    return Math.min(...rates);
  }

  /** Both runs taken as one. */
  add(other: Load): void {
    this.micros.add(other.micros);
    this.seconds += other.seconds;
  }

  /** `<name>.rate`, `<name>.p50` and `<name>.p99`. */
  figures(name: string, unit: Unit = 'events/s'): Figures {
    return {
      [`${name}.rate`]: { value: this.rate, unit },
      [`${name}.p50`]: { value: this.percentile(50), unit: 'ms' },
      [`${name}.p99`]: { value: this.percentile(99), unit: 'ms' },
    };
  }
}

export interface LoopOptions {
  /** Callers at once. Each waits for its answer before its next call. */
  readonly callers: number;
  readonly seconds: number;
}

/**
 * Runs callers as fast as they are answered, first uncounted for a while, then for the given time.
 *
 * @param call one call of the caller with this number
 * @throws any error of a call. Nothing is measured then
 */
export async function closedLoop(
  { callers, seconds }: LoopOptions,
  call: (caller: number) => Promise<unknown>,
): Promise<Load> {
  const load = new Load(seconds);
  const from = performance.now() + seconds * WARM_UP * 1_000;
  let until = from + seconds * 1_000;
  const caller = async (_: unknown, number: number) => {
    for (let began = performance.now(); began < until;) {
      await call(number);
      const ended = performance.now();
      if (ended >= from && ended < until) load.record(ended - began, ended - from);
      began = ended;
    }
  };
  try {
    await Promise.all(Array.from({ length: callers }, caller));
  } finally {
    until = 0;
  }
  return load;
}

/** How often the compared measurements alternate. */
export const ROUNDS = 4;

/**
 * Measures things that are compared with each other in turns, forth and back, so that a slow moment of the machine meets
 * them all, and what gets faster while it runs favours neither the first nor the last.
 *
 * @param seconds length of all runs of one of them together
 */
export async function inTurns<Name extends string>(
  seconds: number,
  runs: Readonly<Record<Name, (seconds: number) => Promise<Load>>>,
): Promise<Record<Name, Load>> {
  const loads: Partial<Record<Name, Load>> = {};
  for (let round = 0; round < ROUNDS; round++) {
    const names = Object.keys(runs) as Name[];
    for (const name of round % 2 === 0 ? names : names.reverse()) {
      const load = await runs[name](seconds / ROUNDS);
      const before = loads[name];
      if (before) before.add(load);
      else loads[name] = load;
    }
  }
  return loads as Record<Name, Load>;
}
