import type { EventDescription, PropertyChange } from '@annals/kernel';
import { describeEvent } from '@annals/kernel';
import type { Instant, Recorded } from '@annals/kernel/domain';
import { LIMIT_NAMES } from '../domain/organization/limits';
import type { LimitsChanged as LimitsFact } from '../domain/organization/organization-events';
import {
  DeletionScheduled,
  HostAdded,
  HostRemoved,
  LimitsChanged,
  OrganizationDeactivated,
  OrganizationReactivated,
  SubdomainChanged,
} from '../domain/organization/organization-events';

const dayOf = (at: Instant): string => new Date(at).toISOString().slice(0, 10);

const deactivated = describeEvent(OrganizationDeactivated, {
  meaning: 'Nobody can use the organization any more. Perhaps it is deleted later.',
  commands: ['DeactivateOrganization', 'deactivateOrganization', 'deleteOrganization'],
  sentence: ({ data: { deleteAt } }) => [
    `deactivated the organization${deleteAt === null ? '' : `, to be deleted on ${dayOf(deleteAt)}`}`,
  ],
  changes: ({ data: { deleteAt } }) => [
    { property: 'is_deactivated', before: false, after: true },
    ...(deleteAt === null ? [] : [{ property: 'delete_at', before: null, after: dayOf(deleteAt) }]),
  ],
});

const deletionScheduled = describeEvent(DeletionScheduled, {
  meaning: 'The time at which the deactivated organization is deleted was set.',
  commands: ['deleteOrganization'],
  sentence: ({ data: { deleteAt } }) => [`decided that the organization is deleted on ${dayOf(deleteAt)}`],
  changes: ({ data: { deleteAt, previous } }) => [
    { property: 'delete_at', before: previous === null ? null : dayOf(previous), after: dayOf(deleteAt) },
  ],
});

const reactivated = describeEvent(OrganizationReactivated, {
  meaning: 'The organization can be used again, and is not deleted.',
  commands: ['reactivateOrganization'],
  sentence: () => ['reactivated the organization'],
  changes: () => [{ property: 'is_deactivated', before: true, after: false }],
});

const subdomainChanged = describeEvent(SubdomainChanged, {
  meaning: 'The organization is at another subdomain of the server.',
  commands: ['renameOrganization'],
  sentence: ({ data: { subdomain } }) => [`moved the organization to the subdomain ${subdomain}`],
  changes: ({ data: { subdomain, previous } }) => [{ property: 'subdomain', before: previous, after: subdomain }],
});

const hostAdded = describeEvent(HostAdded, {
  meaning: 'The organization is also at a host name of its own.',
  commands: ['addHost', 'createOrganization'],
  sentence: ({ data: { host } }) => [`added the host name ${host}`],
});

const hostRemoved = describeEvent(HostRemoved, {
  meaning: 'The organization is not at a host name any more.',
  commands: ['removeHost'],
  sentence: ({ data: { host } }) => [`removed the host name ${host}`],
});

const limitsChanged = describeEvent(LimitsChanged, {
  meaning: 'The operator limited what the organization may use.',
  commands: ['limitOrganization'],
  sentence: (event) => [
    `changed the limits of the organization: ${limitChanges(event)
      .map(({ property }) => property)
      .join(', ')}`,
  ],
  changes: (event) => limitChanges(event),
});

const PROPERTIES = { people: 'people', storageMib: 'storage_mib', requests: 'requests', logMib: 'log_mib' } as const;

const limitChanges = ({ data: { limits, previous } }: Recorded<LimitsFact>): PropertyChange[] =>
  LIMIT_NAMES.filter((name) => limits[name] !== previous[name]).map((name) => ({
    property: PROPERTIES[name],
    before: previous[name],
    after: limits[name],
  }));

export const organizationDescriptions: readonly EventDescription[] = [
  deactivated,
  deletionScheduled,
  reactivated,
  subdomainChanged,
  hostAdded,
  hostRemoved,
  limitsChanged,
];
