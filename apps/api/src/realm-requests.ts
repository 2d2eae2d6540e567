import type { OrganizationSlots } from '@annals/web';
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';

/** How many requests of each realm have a slot or wait for one: only where `ANNALS_REALM_METRICS` is on. */
export function registerRealmRequests(figures: OrganizationSlots['figures'], registry: Registry): void {
  const gauges = [
    { name: 'annals_realm_requests_in_progress', help: 'Requests of a realm that have a slot', what: 'inProgress' },
    { name: 'annals_realm_requests_waiting', help: 'Requests of a realm that wait for a slot', what: 'waiting' },
  ] as const;
  for (const { name, help, what } of gauges)
    new Gauge({
      name,
      help: `${help} in this process. A realm without any is left out`,
      labelNames: ['realm'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { key: realm, [what]: count } of figures.ofOwners()) this.set({ realm }, count);
      },
    });
}
