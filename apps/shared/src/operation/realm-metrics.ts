import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';
import { sharedReading } from './shared-reading';

/** Figures of each realm, as many series as there are realms: only where `ANNALS_REALM_METRICS` is on. */
export function registerRealmMetrics(kernel: Kernel, registry: Registry): void {
  const registers = [registry];
  const heads = sharedReading(() => kernel.events.heads());
  new Gauge({
    name: 'annals_realm_head_position',
    help: 'Events in the log of a realm',
    labelNames: ['realm'],
    registers,
    async collect() {
      this.reset();
      for (const [realm, position] of (await heads()) ?? []) this.set({ realm }, position);
    },
  });
  const lags = sharedReading(() => kernel.lags());
  new Gauge({
    name: 'annals_realm_follower_behind_events',
    help: 'Events of a realm that a background read model or reader still has to take',
    labelNames: ['realm', 'follower'],
    registers,
    async collect() {
      this.reset();
      for (const { realmId: realm, name: follower, isBuild, behind } of (await lags()) ?? [])
        if (!isBuild) this.set({ realm, follower }, behind);
    },
  });
  const appends = new Counter({
    name: 'annals_realm_appends_total',
    help: 'Appends of a realm that this process has committed',
    labelNames: ['realm'],
    registers,
  });
  kernel.onCommitted((realm: RealmId) => appends.inc({ realm }));
}
