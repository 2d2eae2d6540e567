import type { HealthReport } from '@annals/kernel';
import { excludedBy, HealthChecks } from '@annals/kernel';
import { Controller, Get, HttpStatus, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

@Controller('health')
export class HealthController {
  constructor(private readonly checks: HealthChecks) {}

  /** Whether the process runs. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Whether requests may be sent here. `exclude` leaves a check out, and may be repeated. */
  @Get('ready')
  async ready(@Req() { url }: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<HealthReport> {
    const report = await this.checks.report(excludedBy(url));
    reply.code(report.status === 'ok' ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return report;
  }
}
