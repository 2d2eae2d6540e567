import type { FactOf, Subject } from '@annals/kernel/domain';
import { aboutRealm, defineEvent, t } from '@annals/kernel/domain';

const domainId = t.Integer({ minimum: 1 });
const ofDomain = ({ domainId: domain }: { readonly domainId: number }): readonly Subject[] => [
  ['domain', domain],
  ...aboutRealm(),
];

/**
 * Stream `domains`, like all of these, because which of them is the last concerns all. Emails of the domain are
 * allowed.
 */
export const DomainAdded = defineEvent('realm.DomainAdded', {
  data: t.Object({ domainId, allowSubdomains: t.Boolean() }),
  sealed: t.Object({ domain: t.String() }),
  subjects: ofDomain,
});
export type DomainAdded = FactOf<typeof DomainAdded>;

/** Whether subdomains are allowed was set, perhaps to the same value. */
export const DomainSubdomainsChosen = defineEvent('realm.DomainSubdomainsChosen', {
  data: t.Object({ domainId, allowSubdomains: t.Boolean() }),
  sealed: t.Object({ domain: t.String() }),
  subjects: ofDomain,
});
export type DomainSubdomainsChosen = FactOf<typeof DomainSubdomainsChosen>;

/** The domain was removed from the list; accounts with such an email keep it. */
export const DomainRemoved = defineEvent('realm.DomainRemoved', {
  data: t.Object({ domainId }),
  sealed: t.Object({ domain: t.String() }),
  subjects: ofDomain,
});
export type DomainRemoved = FactOf<typeof DomainRemoved>;

export type DomainEvent = DomainAdded | DomainSubdomainsChosen | DomainRemoved;

/** Definitions of `DomainEvent`. */
export const DOMAIN_EVENTS = [DomainAdded, DomainSubdomainsChosen, DomainRemoved] as const;
