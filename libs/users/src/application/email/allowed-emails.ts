import type { Work } from '@annals/kernel';
import type { Verdict } from '@annals/kernel/domain';
import { allowedIf, refused } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress, allowedDomains, mailDomain, organization, withinDomains } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { isPlaceholderOfAccount } from '../../domain/account/names';
import { hasPlainLocalPart } from '../../domain/email/email';
import { reject } from '../../domain/rejections';
import { isDisposable } from './disposable-emails';

/** Which emails are allowed, for new accounts and for changes. */
@Injectable()
export class AllowedEmails {
  constructor(
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  /**
   * Whether this email is allowed; the append depends on the organization's rules. If only some domains are allowed,
   * only their list counts (contract/navigation-snippets-domains.md section 3).
   */
  async mayUse(work: Work, email: string): Promise<Verdict> {
    if (!hasPlainLocalPart(email.trim())) return refused(reject.unusualEmail());
    const { subdomain } = await this.realms.of(work.realmId);
    if (isPlaceholderOfAccount(email, mailDomain(this.address.urlOf(subdomain))))
      return refused(reject.placeholderEmail());
    const { settings } = await organization(work);
    if (settings.emails_restricted_to_domains) return withinDomains(await allowedDomains(work), email);
    return allowedIf(!settings.disallow_disposable_email_addresses || !isDisposable(email), reject.disposableEmail);
  }
}
