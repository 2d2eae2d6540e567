import type { OnModuleDestroy } from '@nestjs/common';
import { Logger } from '@nestjs/common';

/** Answers nothing when all is well, else in a few words what is not; a throw counts as failed. */
export type HealthCheck = () => Promise<string | undefined>;

/** What `/health/ready` answers: the state of everything by name, `ok` or what is wrong. */
export interface HealthReport {
  readonly status: 'ok' | 'unavailable';
  readonly checks: Readonly<Record<string, string>>;
  readonly notices: Readonly<Record<string, string>>;
}

/** Milliseconds after which a check without an answer counts as failed. */
const PATIENCE = 2_000;

/** Name of the check that fails once the process is about to end. */
const PROCESS = 'process';

/** What must be well before work is sent to this process. Filled by whoever composes the application. */
export class HealthChecks implements OnModuleDestroy {
  private readonly log = new Logger('health');
  private readonly checks = new Map<string, HealthCheck>();
  private readonly notices = new Map<string, HealthCheck>();

  add(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** Something an administrator must see, which is no reason to send requests elsewhere. */
  notice(name: string, check: HealthCheck): void {
    this.notices.set(name, check);
  }

  /**
   * Asks everybody.
   *
   * @param excluded names of checks that are neither asked nor told
   */
  async report(excluded: readonly string[] = []): Promise<HealthReport> {
    const [checks, notices] = await Promise.all([this.askAll(this.checks, excluded), this.askAll(this.notices, [])]);
    const isReady = Object.values(checks).every((state) => state === 'ok');
    return { status: isReady ? 'ok' : 'unavailable', checks, notices };
  }

  /** The process is not ready any more, whatever else is well. */
  endsSoon(): void {
    this.add(PROCESS, async () => 'shutting down');
  }

  onModuleDestroy(): void {
    this.endsSoon();
  }

  private async askAll(all: ReadonlyMap<string, HealthCheck>, excluded: readonly string[]) {
    const asked = [...all].filter(([name]) => !excluded.includes(name));
    const answers = asked.map(async ([name, check]) => [name, await this.ask(name, check)] as const);
    return Object.fromEntries(await Promise.all(answers));
  }

  private async ask(name: string, check: HealthCheck): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('no answer'), PATIENCE);
    });
    try {
      return (await Promise.race([check(), tooLate])) ?? 'ok';
    } catch (error) {
      this.log.warn({ msg: 'health check failed', check: name, err: error });
      return 'failed';
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The checks that a request for `/health/ready?exclude=followers` leaves out, from its path and query. */
export const excludedBy = (url: string): readonly string[] =>
  new URLSearchParams(url.split('?', 2)[1] ?? '').getAll('exclude');
