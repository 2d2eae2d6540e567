import { Kernel } from '@annals/kernel';
import { HealthChecks } from '@annals/web';
import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

/** What must be well before requests are sent to this process, and what an administrator has to be told of. */
@Injectable()
export class Readiness implements OnModuleInit {
  constructor(
    private readonly kernel: Kernel,
    private readonly health: HealthChecks,
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
      const ahead = (await kernel.lags()).find((lag) => lag.ahead > 0);
      if (ahead) return `${ahead.name} stands beyond the end of the log of realm ${ahead.realmId}: was it restored?`;
      const [first] = await kernel.store.parked();
      return first && `${first.projection} stopped at position ${first.position} of realm ${first.realmId}`;
    });
  }
}
