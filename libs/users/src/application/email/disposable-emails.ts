import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

/** Domains of disposable emails, from a community list. */
const DOMAINS = disposableEmailBlocklistSet();

/** Whether an email is at such a domain, or at a subdomain of one. */
export function isDisposable(email: string): boolean {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
    .replace(/\.$/, '')
    .split('.');
  return labels.some((_, first) => DOMAINS.has(labels.slice(first).join('.')));
}
