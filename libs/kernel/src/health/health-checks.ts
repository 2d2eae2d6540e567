import type { OnModuleDestroy } from '@nestjs/common';
import { Logger } from '@nestjs/common';

/** Returns nothing if all is well, else a short description of the problem. An error counts as a failure. */
export type HealthCheck = () => Promise<string | undefined>;

/** The answer of `/health/ready`: the state of every check by name, `ok` or the problem. */
export interface HealthReport {
  readonly status: 'ok' | 'unavailable';
  readonly checks: Readonly<Record<string, string>>;
  readonly notices: Readonly<Record<string, string>>;
}

/** Milliseconds after which a check without an answer counts as failed. */
const PATIENCE = 2_000;

/** Name of the check that fails when the process is about to end. */
const PROCESS = 'process';

/** The conditions for sending work to this process. Composition roots add checks. */
export class HealthChecks implements OnModuleDestroy {
  private readonly log = new Logger('health');
  private readonly checks = new Map<string, HealthCheck>();
  private readonly notices = new Map<string, HealthCheck>();

  add(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** Something that an operator must see and that is no reason to send requests elsewhere. */
  notice(name: string, check: HealthCheck): void {
    this.notices.set(name, check);
  }

  /** Runs all checks. @param excluded names of checks that are left out */
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
