import type { Work } from '@annals/kernel';
import type { Verdict } from '@annals/kernel/domain';
import { allowedIf } from '@annals/kernel/domain';
import { allowedDomains, organization, withinDomains } from '@annals/realm';
import { reject } from '../domain/rejections';
import { isDisposable } from './disposable-addresses';

/**
 * Whether the organization lets somebody have this address, be it of a new account or in place of another one; the append
 * rests on its rules. Where only some domains are allowed, their list says it all
 * (contract/navigation-snippets-domains.md section 3).
 */
export async function mayUseAddress(work: Work, email: string): Promise<Verdict> {
  const { settings } = await organization(work);
  if (settings.emails_restricted_to_domains) return withinDomains(await allowedDomains(work), email);
  return allowedIf(!settings.disallow_disposable_email_addresses || !isDisposable(email), reject.disposableEmail);
}
