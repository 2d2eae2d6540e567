import type { Work } from '@annals/kernel';
import { allowed } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Account } from '../../domain/account/account';
import type { EmailRules } from '../../domain/email/email';
import { claimsEmail } from '../../domain/email/email';
import { AllowedEmails } from './allowed-emails';
import { Uniqueness } from '../account/uniqueness';

/** Reads the rules for a new email of an account; the append depends on them. */
@Injectable()
export class EmailChangeRules {
  constructor(
    private readonly uniqueness: Uniqueness,
    private readonly allowed: AllowedEmails,
  ) {}

  /** @param requested undefined when the email does not change */
  async rulesFor(work: Work, account: Account | null, requested: string | undefined): Promise<EmailRules> {
    if (!account || requested === undefined || requested === account.email) return { address: allowed, taken: false };
    return {
      address: await this.allowed.mayUse(work, requested),
      taken: claimsEmail(account, requested) && (await this.uniqueness.emailTaken(work, requested)),
    };
  }
}
