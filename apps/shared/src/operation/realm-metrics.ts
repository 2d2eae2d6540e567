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
  registerUsage(kernel, registry);
  const appends = new Counter({
    name: 'annals_realm_appends_total',
    help: 'Appends of a realm that this process has committed',
    labelNames: ['realm'],
    registers,
  });
  kernel.onCommitted((realm: RealmId) => appends.inc({ realm }));
}

/** A figure of an organization: what it uses, or may use. */
interface UsageRow {
  readonly realm: RealmId;
  readonly what: string;
  readonly value: number;
}

const USED = `SELECT u.realm_id AS realm, 'people' AS what, count(*)::int8 AS value FROM view.users AS u
    WHERE u.is_active AND u.bot_type IS NULL GROUP BY u.realm_id
  UNION ALL SELECT f.realm_id, 'storage_bytes', f.used FROM view.upload_space AS f WHERE f.scope = 'files'
  UNION ALL SELECT l.realm_id, 'log_bytes', l.bytes FROM log_sizes AS l`;

const LIMITS = `SELECT l.realm_id AS realm, CASE l.name WHEN 'storageMib' THEN 'storage_bytes' WHEN 'logMib' THEN 'log_bytes'
    WHEN 'requests' THEN 'requests_per_minute' ELSE l.name END AS what,
    l.value * CASE WHEN l.name IN ('storageMib', 'logMib') THEN 1048576 ELSE 1 END AS value
  FROM view.organization_limits AS l`;

function registerUsage(kernel: Kernel, registry: Registry): void {
  const gauges = [
    { name: 'annals_realm_used', help: 'What a realm uses', sql: USED },
    { name: 'annals_realm_limit', help: 'What the operator lets a realm use', sql: LIMITS },
  ];
  for (const { name, help, sql } of gauges) {
    const rows = sharedReading(async () => (await kernel.database.pool.query<UsageRow>(sql)).rows);
    new Gauge({
      name,
      help,
      labelNames: ['realm', 'what'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const { realm, what, value } of (await rows()) ?? []) this.set({ realm, what }, Number(value));
      },
    });
  }
}
