import type { Work } from '@annals/kernel';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { claimsName, userAggregate } from '../../domain/account/account';
import type { OwnAccountPatch } from '../../domain/account/own-account';
import { renameOneself } from '../../domain/account/own-account';
import { askForEmail, emailChangeAggregate } from '../../domain/email/email-change';
import { mayMoveOneself, mayRenameOneself } from '../../domain/policies';
import { EmailChangeRules } from '../email/email-rules';
import { MailedTokens } from '../sign-in/mailed-tokens';
import { Uniqueness } from './uniqueness';

/** Changes the actor's own name, and asks for another email, inside a unit of work. The email changes when it is confirmed. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly uniqueness: Uniqueness,
    private readonly addresses: EmailChangeRules,
    private readonly tokens: MailedTokens,
  ) {}

  /** @throws Rejected when a part is refused (contract/users.md section 7) */
  async change(work: Work, { fullName, email }: OwnAccountPatch): Promise<void> {
    if (fullName !== undefined) await this.rename(work, fullName);
    if (email !== undefined) await this.askFor(work, email);
  }

  private async rename(work: Work, fullName: string): Promise<void> {
    const { actor } = work;
    const { settings } = await organization(work);
    const account = await work.read(userAggregate, actor.userId);
    const claims = account !== null && claimsName(account, fullName);
    const rules = {
      nameTaken: claims && (await this.uniqueness.nameTaken(work, fullName)),
      mayRename: mayRenameOneself(actor, settings),
    };
    await work.decide(userAggregate, actor.userId, (state) => renameOneself(state, fullName, rules));
  }

  private async askFor(work: Work, email: string): Promise<void> {
    const { actor } = work;
    const { settings } = await organization(work);
    const account = await work.read(userAggregate, actor.userId);
    const address = await this.addresses.rulesFor(work, account, email);
    const rules = { address, mayChangeEmail: mayMoveOneself(actor, settings) };
    const asked = askForEmail(account, email, rules);
    await work.decide(emailChangeAggregate, actor.userId, () => asked);
    if (asked.length > 0) work.secret(this.tokens.put('email-change', actor.userId));
  }
}
