import type { FactOf } from '@annals/kernel/domain';
import { aboutRealm, count, defineEvent, nullable, t } from '@annals/kernel/domain';
import type { Instant } from '@annals/kernel/domain';

/** Milliseconds since the UNIX epoch. Null: nothing is deleted. */
const deleteAt = t.Unsafe<Instant | null>(nullable(count));

/** Stream `organization`, like the next two: nobody can use the organization any more. */
export const OrganizationDeactivated = defineEvent('realm.Deactivated', {
  data: t.Object({ deleteAt }),
  subjects: aboutRealm,
});
export type OrganizationDeactivated = FactOf<typeof OrganizationDeactivated>;

/** The time at which a deactivated organization is deleted was set. */
export const DeletionScheduled = defineEvent('realm.DeletionScheduled', {
  data: t.Object({ deleteAt: t.Unsafe<Instant>(count), previous: deleteAt }),
  subjects: aboutRealm,
});
export type DeletionScheduled = FactOf<typeof DeletionScheduled>;

/** The organization can be used again, and is not deleted. */
export const OrganizationReactivated = defineEvent('realm.Reactivated', {
  data: t.Object({}),
  subjects: aboutRealm,
});
export type OrganizationReactivated = FactOf<typeof OrganizationReactivated>;

/** Stream `addresses`, like the next two: the organization is at another subdomain of the server. */
export const SubdomainChanged = defineEvent('realm.SubdomainChanged', {
  data: t.Object({ subdomain: t.String(), previous: t.String() }),
  subjects: aboutRealm,
});
export type SubdomainChanged = FactOf<typeof SubdomainChanged>;

/** The organization is also at a host name of its own. */
export const HostAdded = defineEvent('realm.HostAdded', {
  data: t.Object({ host: t.String() }),
  subjects: aboutRealm,
});
export type HostAdded = FactOf<typeof HostAdded>;

/** The organization is not at this host name any more. */
export const HostRemoved = defineEvent('realm.HostRemoved', {
  data: t.Object({ host: t.String() }),
  subjects: aboutRealm,
});
export type HostRemoved = FactOf<typeof HostRemoved>;

const limit = nullable(count);
const limits = t.Object({ people: limit, storageMib: limit, requests: limit, logMib: limit });

/** Stream `limits`: the operator limited what the organization may use. Null is no limit. */
export const LimitsChanged = defineEvent('realm.LimitsChanged', {
  data: t.Object({ limits, previous: limits }),
  subjects: aboutRealm,
});
export type LimitsChanged = FactOf<typeof LimitsChanged>;

export type StandingEvent = OrganizationDeactivated | DeletionScheduled | OrganizationReactivated;
export type AddressEvent = SubdomainChanged | HostAdded | HostRemoved;

export const ORGANIZATION_EVENTS = [
  OrganizationDeactivated,
  DeletionScheduled,
  OrganizationReactivated,
  SubdomainChanged,
  HostAdded,
  HostRemoved,
  LimitsChanged,
] as const;
