import type { Work } from '@annals/kernel';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { claimsName, userAggregate } from '../../domain/account/account';
import type { OwnAccountPatch } from '../../domain/account/own-account';
import { changeOwnAccount } from '../../domain/account/own-account';
import { mayMoveOneself, mayRenameOneself } from '../../domain/policies';
import { EmailChangeRules } from '../email/email-rules';
import { Uniqueness } from './uniqueness';

/** Changes the actor's own name and email, inside a unit of work. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly uniqueness: Uniqueness,
    private readonly addresses: EmailChangeRules,
  ) {}

  /** @throws Rejected when a part is refused (contract/users.md section 7) */
  async change(work: Work, input: OwnAccountPatch): Promise<void> {
    const { fullName, email } = input;
    if (fullName === undefined && email === undefined) return;
    const { actor } = work;
    const { settings } = await organization(work);
    const account = await work.read(userAggregate, actor.userId);
    const claims = account !== null && fullName !== undefined && claimsName(account, fullName);
    const rules = {
      nameTaken: claims && (await this.uniqueness.nameTaken(work, fullName)),
      address: await this.addresses.rulesFor(work, account, email),
      mayRename: mayRenameOneself(actor, settings),
      mayChangeEmail: mayMoveOneself(actor, settings),
    };
    await work.decide(userAggregate, actor.userId, (state) => changeOwnAccount(state, input, rules));
  }
}
