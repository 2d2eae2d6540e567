import type { Aggregate } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { reject } from '../rejections';
import type { AddressEvent } from './organization-events';
import { HostAdded, HostRemoved, SubdomainChanged } from './organization-events';

/** The host names that mean an organization. */
export interface Addresses {
  /** Null while it is the one that the organization was created with. */
  readonly subdomain: string | null;
  /** Host names of its own, in lower case, in the order in which they were added. */
  readonly hosts: readonly string[];
}

/** Key and name of the one stream of an organization's addresses. */
export const ADDRESSES = 'addresses';

export const addressesAggregate: Aggregate<Addresses, AddressEvent, typeof ADDRESSES> = {
  stream: (key) => key,
  initial: { subdomain: null, hosts: [] },
  evolve(state, { type, data }) {
    switch (type) {
      case 'realm.SubdomainChanged':
        return { ...state, subdomain: data.subdomain };
      case 'realm.HostAdded':
        return { ...state, hosts: [...state.hosts, data.host] };
      case 'realm.HostRemoved':
        return { ...state, hosts: state.hosts.filter((host) => host !== data.host) };
    }
  },
};

/** Most host names of one organization. */
export const MAX_HOSTS = 20;
/** Characters of a label of a host name, and of a whole one. */
const MAX_LABEL = 63;
const MAX_HOST = 253;
const MIN_SUBDOMAIN = 3;
/** Names that mean something else at most servers. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['api', 'admin', 'auth', 'files', 'ftp', 'imap', 'lmtp', 'login', 'mail', 'metrics', 'operations', 'pop', 'root'],
  ...['sink', 'smtp', 'static', 'status', 'system', 'uploads', 'webmaster', 'www'],
]);

/** Why a text cannot be the subdomain of an organization. Null if it can, unless another one has it. */
export function subdomainProblem(subdomain: string): string | null {
  if (!/^[a-z0-9-]*$/.test(subdomain)) return "Subdomain can only have lowercase letters, numbers, and '-'s.";
  if (subdomain.length < MIN_SUBDOMAIN) return `Subdomain needs to have length ${MIN_SUBDOMAIN} or greater.`;
  if (subdomain.length > MAX_LABEL) return `Subdomain can have ${MAX_LABEL} characters at most.`;
  if (subdomain.startsWith('-') || subdomain.endsWith('-')) return "Subdomain cannot start or end with a '-'.";
  if (RESERVED.has(subdomain)) return 'Subdomain reserved. Please choose a different one.';
  return null;
}

/** @throws Rejected BAD_REQUEST for a text that cannot be a subdomain */
export function ensureSubdomain(subdomain: string): void {
  const problem = subdomainProblem(subdomain);
  if (problem !== null) throw reject.badSubdomain({ problem });
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/;

/** A host name as requests have it: in lower case, in ASCII, without a dot at the end. Empty for what cannot be one. */
export function normalHost(written: string): string {
  const host = written.trim().replace(/\.$/, '');
  const url = `http://${host}`;
  return /[\s/?#@:\\%]/.test(host) || !URL.canParse(url) ? '' : new URL(url).hostname;
}

/**
 * The normal form of a host name, which may be written in any letters.
 *
 * @throws Rejected BAD_REQUEST for anything else than a host name with a dot
 */
export function checkedHost(written: string): string {
  const host = normalHost(written);
  const fits = host.length <= MAX_HOST && host.split('.').every((label) => label.length <= MAX_LABEL);
  if (!HOST.test(host) || !fits) throw reject.badHost({ host: written });
  return host;
}

/**
 * Moves an organization to another subdomain.
 *
 * @param present its subdomain now
 * @throws Rejected BAD_REQUEST for a text that cannot be a subdomain, and for the organization at the server's own host
 */
export function changeSubdomain(present: string, subdomain: string): SubdomainChanged[] {
  if (present === subdomain) return [];
  if (present === '') throw reject.ownHost();
  ensureSubdomain(subdomain);
  return [fact(SubdomainChanged, { subdomain, previous: present })];
}

/** @throws Rejected BAD_REQUEST when the organization has too many host names */
export function addHost({ hosts }: Addresses, host: string): HostAdded[] {
  if (hosts.includes(host)) return [];
  if (hosts.length >= MAX_HOSTS) throw reject.tooManyHosts({ limit: MAX_HOSTS });
  return [fact(HostAdded, { host })];
}

/** @throws Rejected BAD_REQUEST when the organization does not have it */
export function removeHost({ hosts }: Addresses, host: string): HostRemoved[] {
  if (!hosts.includes(host)) throw reject.noSuchHost({ host });
  return [fact(HostRemoved, { host })];
}
