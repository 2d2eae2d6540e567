import type { OnModuleDestroy } from '@nestjs/common';
import { Controller, Get, HttpStatus, Logger, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Answers nothing when all is well, else in a few words what is not; a throw counts as failed. */
export type HealthCheck = () => Promise<string | undefined>;

/** Milliseconds after which a check without an answer counts as failed. */
const PATIENCE = 2_000;

/** What must be well before requests are sent here. Filled by whoever composes the application. */
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

  /** The state of everything by name, `ok` or what is wrong. */
  async run(): Promise<{ checks: Record<string, string>; notices: Record<string, string> }> {
    const [checks, notices] = await Promise.all([this.askAll(this.checks), this.askAll(this.notices)]);
    return { checks, notices };
  }

  onModuleDestroy(): void {
    this.add('process', async () => 'shutting down');
  }

  private async askAll(checks: ReadonlyMap<string, HealthCheck>): Promise<Record<string, string>> {
    const answers = [...checks].map(async ([name, check]) => [name, await this.ask(name, check)] as const);
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

@Controller('health')
export class HealthController {
  constructor(private readonly checks: HealthChecks) {}

  /** Whether the process runs. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Whether requests may be sent here. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const { checks, notices } = await this.checks.run();
    const isReady = Object.values(checks).every((state) => state === 'ok');
    reply.code(isReady ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return { status: isReady ? 'ok' : 'unavailable', checks, notices };
  }
}
