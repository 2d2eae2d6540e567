import { rowsOf } from './rows';
import type { Bench, Figures, Measurement } from './harness';
import { describeMachine, loadNow } from './machine';
import { Progress } from './progress';
import type { Report } from './report';
import { Services } from './services';

export interface RunOptions {
  readonly measurements: readonly Measurement[];
  /** How long each figure is measured. */
  readonly seconds: number;
  /** Events in the full log. */
  readonly stored: number;
  /** Folder of the databases during the run. */
  readonly dataFolder: string;
}

const INTERRUPTED = 130;

/**
 * Measures one thing after the other on a PostgreSQL (and Redis) of its own.
 *
 * @returns what was found out, and the measurements that could not be taken, with the reason
 * @throws CannotStart when this machine does not let them run
 */
export async function runBenchmark(options: RunOptions): Promise<{ report: Report; failures: Map<string, unknown> }> {
  const { measurements, seconds, stored, dataFolder } = options;
  const at = new Date().toISOString();
  const loadBefore = loadNow();
  const progress = new Progress();
  const services = await Services.start(dataFolder);
  const interrupt = () => void services.stop().finally(() => process.exit(INTERRUPTED));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  const failures = new Map<string, unknown>();
  let figures: Figures = {};
  try {
    progress.show('Describing the machine');
    const machine = await describeMachine(services, loadBefore);
    for (const [n, measurement] of measurements.entries()) {
      const say = (step: string, detail?: string) =>
        progress.show(`[${n + 1}/${measurements.length}] ${measurement.title}${step && `: ${step}`}`, detail);
      say('');
      try {
        figures = { ...figures, ...(await take(measurement, { seconds, stored, services, say })) };
      } catch (error) {
        failures.set(measurement.name, error);
      }
    }
    return { report: { at, seconds, stored, machine, rows: rowsOf(figures), figures }, failures };
  } finally {
    progress.end();
    await services.stop();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

async function take(
  measurement: Measurement,
  { services, ...rest }: Pick<Bench, 'seconds' | 'stored' | 'say'> & { services: Services },
): Promise<Figures> {
  const tasks: (() => Promise<unknown>)[] = [];
  try {
    return await measurement.run({
      ...rest,
      redisUrl: services.redisUrl,
      postgres: services.postgresPid,
      folder: services.folder,
      createDatabase: () => services.createDatabase(),
      after: (task) => tasks.push(task),
    });
  } finally {
    for (const task of tasks.reverse()) await task();
    await services.clear();
  }
}
