import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

/** Domains whose addresses are thrown away after use, as their community list knows them. */
const DOMAINS = disposableEmailBlocklistSet();

/** Whether an address is at such a domain, or at one below it. */
export function isDisposable(email: string): boolean {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
    .replace(/\.$/, '')
    .split('.');
  return labels.some((_, first) => DOMAINS.has(labels.slice(first).join('.')));
}
