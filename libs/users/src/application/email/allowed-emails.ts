import type { Work } from '@annals/kernel';
import type { Verdict } from '@annals/kernel/domain';
import { allowedIf, refused } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress, allowedDomains, mailDomain, organization, withinDomains } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { isStandIn } from '../../domain/account/names';
import { reject } from '../../domain/rejections';
import { isDisposable } from './disposable-emails';

/** Says which addresses people may have, be it in a new account or in place of another one. */
@Injectable()
export class AllowedEmails {
  constructor(
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  /**
   * Whether somebody may have this address; the append rests on the organization's rules. Where only some domains are
   * allowed, their list says it all (contract/navigation-snippets-domains.md section 3).
   */
  async mayUse(work: Work, email: string): Promise<Verdict> {
    const { subdomain } = await this.realms.of(work.realmId);
    if (isStandIn(email, mailDomain(this.address.urlOf(subdomain)))) return refused(reject.standInEmail());
    const { settings } = await organization(work);
    if (settings.emails_restricted_to_domains) return withinDomains(await allowedDomains(work), email);
    return allowedIf(!settings.disallow_disposable_email_addresses || !isDisposable(email), reject.disposableEmail);
  }
}
