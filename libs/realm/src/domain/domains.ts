import type { Actor, Aggregate, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, fact, isOwner, refused } from '@annals/kernel/domain';
import type { DomainEvent } from './domain-events';
import { DomainAdded, DomainRemoved, DomainSubdomainsChosen } from './domain-events';
import { reject } from './rejections';

/** A domain whose emails are allowed if the organization restricts them. */
export interface AllowedDomain {
  readonly id: number;
  /** In lower case. */
  readonly domain: string;
  readonly allowSubdomains: boolean;
}

/** Key and name of the one stream of an organization's domains. */
export const DOMAINS = 'domains';

/** All allowed domains, the oldest first. One whose name was erased is left out. */
export const domainsAggregate: Aggregate<readonly AllowedDomain[], DomainEvent, typeof DOMAINS> = {
  stream: (key) => key,
  initial: [],
  evolve(state, { type, data, sealed }) {
    switch (type) {
      case 'realm.DomainAdded': {
        const { domainId: id, allowSubdomains } = data;
        return sealed === 'erased' ? state : [...state, { id, domain: sealed.domain, allowSubdomains }];
      }
      case 'realm.DomainSubdomainsChosen': {
        const { domainId, allowSubdomains } = data;
        return state.map((one) => (one.id === domainId ? { ...one, allowSubdomains } : one));
      }
      case 'realm.DomainRemoved':
        return state.filter(({ id }) => id !== data.domainId);
    }
  },
};

/** Most domains of one organization. All of them are in the state that its clients load at the start. */
export const MAX_DOMAINS = 500;
/** Code points. */
const MAX_LENGTH = 255;

/** The normal form of a domain, for storing and comparing. */
const normal = (written: string): string => written.trim().toLowerCase();

/** @throws Rejected BAD_REQUEST for an invalid domain (contract/navigation-snippets-domains.md section 3) */
function checkedDomain(written: string): string {
  const domain = normal(written);
  const refuse = (why: string) => reject.badDomain({ why });
  if (domain === '') throw refuse('it is empty');
  if (domain.length > MAX_LENGTH) throw refuse('it is too long');
  if (!domain.includes('.')) throw refuse('it has no dot');
  for (const label of domain.split('.')) {
    if (label === '') throw refuse('a part of it is empty');
    if (label.startsWith('-') || label.endsWith('-')) throw refuse('a part of it begins or ends with a dash');
    if (!/^[a-z0-9-]+$/.test(label)) throw refuse('it may have letters, digits, dots and dashes only');
  }
  return domain;
}

/** Only owners decide which domains are allowed, not even administrators. */
function ensureOwner(by: Pick<Actor, 'role'>): void {
  if (!isOwner(by)) throw reject.ownersOnly();
}

/** @throws Rejected UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an invalid domain, a duplicate or one too many */
export function addDomain(
  state: readonly AllowedDomain[],
  { id, domain: written, allowSubdomains }: AllowedDomain,
  by: Pick<Actor, 'role'>,
): DomainAdded[] {
  ensureOwner(by);
  const domain = checkedDomain(written);
  if (state.some((one) => one.domain === domain)) throw reject.domainExists({ domain });
  if (state.length >= MAX_DOMAINS) throw reject.tooManyDomains({ limit: MAX_DOMAINS });
  return [fact(DomainAdded, { domainId: id, allowSubdomains }, { domain })];
}

/**
 * Sets whether subdomains are allowed. Clients receive an event even when nothing changes.
 *
 * @throws Rejected UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an unknown domain
 */
export function chooseSubdomains(
  state: readonly AllowedDomain[],
  written: string,
  allowSubdomains: boolean,
  by: Pick<Actor, 'role'>,
): DomainSubdomainsChosen[] {
  ensureOwner(by);
  const { id, domain } = found(state, written);
  return [fact(DomainSubdomainsChosen, { domainId: id, allowSubdomains }, { domain })];
}

/** @throws Rejected UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an unknown domain */
export function removeDomain(
  state: readonly AllowedDomain[],
  written: string,
  by: Pick<Actor, 'role'>,
): DomainRemoved[] {
  ensureOwner(by);
  const { id, domain } = found(state, written);
  return [fact(DomainRemoved, { domainId: id }, { domain })];
}

function found(state: readonly AllowedDomain[], written: string): AllowedDomain {
  const one = state.find(({ domain }) => domain === normal(written));
  if (!one) throw reject.noSuchDomain();
  return one;
}

/**
 * Whether an email is allowed if only these domains are. An email with `+` is refused, since it makes many emails of
 * one (contract/navigation-snippets-domains.md section 3).
 */
export function withinDomains(domains: readonly AllowedDomain[], email: string): Verdict {
  const at = email.lastIndexOf('@');
  if (email.slice(0, at).includes('+')) return refused(reject.plusInEmail());
  const host = normal(email.slice(at + 1));
  const admits = ({ domain, allowSubdomains }: AllowedDomain) =>
    host === domain || (allowSubdomains && host.endsWith(`.${domain}`));
  return domains.some(admits) ? allowed : allowedIf(false, reject.outsideDomains);
}
