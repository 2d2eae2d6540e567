import type { RowChanges } from '@annals/kernel';
import { defineProjection, on } from '@annals/kernel';
import type { Position } from '@annals/kernel/domain';
import { RealmCreated } from '../../domain/events';
import { LIMIT_NAMES } from '../../domain/organization/limits';
import {
  DeletionScheduled,
  HostAdded,
  HostRemoved,
  LimitsChanged,
  OrganizationDeactivated,
  OrganizationReactivated,
  SubdomainChanged,
} from '../../domain/organization/organization-events';

/** What the operator decides about organizations: where they are, what they may use, and whether they can be used. */
export const organizationsView = defineProjection({
  name: 'organizations',
  version: 1,
  lifecycle: 'inline',
  tables: {
    /** The subdomain of the server, at the positions from `from_position` up to but without `to_position`. */
    organization_subdomains: {
      columns: { from_position: 'int8', to_position: 'int8', subdomain: 'text' },
      key: ['from_position'],
      past: 'spans',
    },
    /** Host names of its own. */
    organization_hosts: { columns: { host: 'text' }, key: ['host'] },
    organization_limits: { columns: { name: 'text', value: 'int8' }, key: ['name'] },
    /** Only organizations that are deactivated have a row. Its id is always 1. */
    closed_organizations: {
      columns: { id: 'int2', closed_at: 'int8', delete_at: 'int8' },
      key: ['id'],
    },
  },
  handlers: [
    on(RealmCreated, ({ position, data: { subdomain } }, rows) => openSubdomain(position, subdomain, rows)),
    on(SubdomainChanged, ({ position, data: { subdomain } }, rows) => {
      rows.update('organization_subdomains', { to_position: null }, { to_position: position });
      openSubdomain(position, subdomain, rows);
    }),
    on(HostAdded, ({ data: { host } }, rows) => rows.upsert('organization_hosts', { host })),
    on(HostRemoved, ({ data: { host } }, rows) => rows.delete('organization_hosts', { host })),
    on(LimitsChanged, ({ data: { limits } }, rows) => {
      for (const name of LIMIT_NAMES) {
        const value = limits[name];
        if (value === null) rows.delete('organization_limits', { name });
        else rows.upsert('organization_limits', { name, value });
      }
    }),
    on(OrganizationDeactivated, ({ at, data: { deleteAt } }, rows) =>
      rows.upsert('closed_organizations', { id: 1, closed_at: at, delete_at: deleteAt }),
    ),
    on(DeletionScheduled, ({ data: { deleteAt } }, rows) =>
      rows.update('closed_organizations', { id: 1 }, { delete_at: deleteAt }),
    ),
    on(OrganizationReactivated, (_, rows) => rows.delete('closed_organizations', { id: 1 })),
  ],
});

const openSubdomain = (from_position: Position, subdomain: string, rows: RowChanges) =>
  rows.insert('organization_subdomains', { from_position, to_position: null, subdomain });
