import { Kernel } from '@annals/kernel';
import { HealthChecks, Metrics } from '@annals/web';
import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';

/** What must be well before requests are sent to this process, and what an administrator watches. */
@Injectable()
export class Readiness implements OnModuleInit {
  constructor(
    private readonly kernel: Kernel,
    private readonly health: HealthChecks,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { kernel, health } = this;
    health.add('database', async () => {
      await kernel.database.pool.query('SELECT 1');
      return undefined;
    });
    health.add('read models', async () => {
      const [first] = await kernel.outdated();
      return first && `${first.name} is live in version ${first.live ?? 'none'}, this process needs ${first.declared}`;
    });
    health.notice('followers', async () => {
      const [first] = await kernel.store.parked();
      return first && `${first.projection} stopped at position ${first.position} of realm ${first.realmId}`;
    });
    this.measureLane();
    this.measureFollowers();
  }

  private measureLane(): void {
    const { lanes } = this.kernel;
    new Gauge({
      name: 'annals_lane_waiting',
      help: 'Appends that wait for their transaction',
      registers: [this.metrics.registry],
      collect() {
        this.set(lanes.waiting);
      },
    });
  }

  /** Read from the checkpoints when asked, so that any api process tells of all workers. */
  private measureFollowers(): void {
    const { kernel } = this;
    const registers = [this.metrics.registry];
    const labelNames = ['follower'] as const;
    const parked = new Gauge({
      name: 'annals_follower_parked_realms',
      help: 'Realms in which a follower of the log has stopped at an event it cannot take',
      labelNames,
      registers,
    });
    new Gauge({
      name: 'annals_follower_behind_events',
      help: 'Events that a background read model or reader still has to take',
      labelNames,
      registers,
      async collect() {
        this.reset();
        parked.reset();
        for (const { name, isBuild, behind, parked: isParked } of await kernel.lags()) {
          const follower = isBuild ? `${name} (building)` : name;
          this.inc({ follower }, behind);
          parked.inc({ follower }, isParked ? 1 : 0);
        }
      },
    });
  }
}
