import { Kernel } from '@annals/kernel';
import { HealthChecks, Metrics } from '@annals/web';
import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';

/** What must be well before requests are sent to this process, and how busy its write path is. */
@Injectable()
export class Readiness implements OnModuleInit {
  constructor(
    private readonly kernel: Kernel,
    private readonly health: HealthChecks,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { kernel } = this;
    this.health.add('database', async () => {
      await kernel.database.pool.query('SELECT 1');
      return undefined;
    });
    this.health.add('read models', async () => {
      const [first] = await kernel.outdated();
      return first && `${first.name} is live in version ${first.live ?? 'none'}, this process needs ${first.declared}`;
    });
    new Gauge({
      name: 'annals_lane_waiting',
      help: 'Appends that wait for their transaction',
      registers: [this.metrics.registry],
      collect() {
        this.set(kernel.lanes.waiting);
      },
    });
  }
}
