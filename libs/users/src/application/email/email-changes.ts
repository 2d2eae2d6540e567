import { Kernel, UnitOfWork, systemActor } from '@annals/kernel';
import type { Origin, RealmId, UserId } from '@annals/kernel/domain';
import { ensureUsable, organization, runAsVisitor } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { userAggregate } from '../../domain/account/account';
import { confirmEmail, emailChangeAggregate, wantedNow } from '../../domain/email/email-change';
import { mayMoveOneself } from '../../domain/policies';
import { reject } from '../../domain/rejections';
import { MailedTokens } from '../sign-in/mailed-tokens';
import { endUnfinished } from '../sign-in/unfinished';
import { EmailChangeRules } from './email-rules';

/** Confirms a new email with the link of a mail to it. The rules of the organization count as they are now. */
export class ConfirmEmail extends Command<void> {
  constructor(
    readonly realmId: RealmId,
    readonly token: string,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(ConfirmEmail)
export class ConfirmEmailHandler implements ICommandHandler<ConfirmEmail> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly tokens: MailedTokens,
    private readonly rules: EmailChangeRules,
  ) {}

  async execute({ realmId, token, origin }: ConfirmEmail): Promise<void> {
    const userId = await this.tokens.owner(realmId, 'email-change', token);
    if (userId === undefined) throw reject.linkNotValid();
    await runAsVisitor(this.work, { realmId, origin }, async (work) => {
      const account = await work.read(userAggregate, userId);
      const use = { now: work.at, reactivation: await ensureUsable(work) };
      const wanted = wantedNow(await work.read(emailChangeAggregate, userId), account, use);
      // Read after the email that it confirms: otherwise the link to one email could confirm a later one.
      await this.tokens.ensureValid(work, 'email-change', token, userId);
      if (!account) throw reject.linkNotValid();
      const { settings } = await organization(work);
      const address = await this.rules.rulesFor(work, account, wanted.email);
      const facts = confirmEmail(account, wanted, { address, mayChangeEmail: mayMoveOneself(account, settings) });
      await work.decide(userAggregate, userId, () => facts.changed);
      await work.decide(emailChangeAggregate, userId, () => facts.confirmed);
      endUnfinished(work, userId);
    });
  }
}

/** A new email that waits for its confirmation. */
@Injectable()
export class WantedEmails {
  constructor(
    private readonly kernel: Kernel,
    private readonly tokens: MailedTokens,
  ) {}

  /** Null when the account wants none any more. */
  async of(realmId: RealmId, userId: UserId): Promise<{ readonly email: string; readonly token: string } | null> {
    // Read before the email: the token of an earlier email is of no use, but that of a later one would be mailed to the wrong reader.
    const token = await this.tokens.of(realmId, 'email-change', userId);
    const wanted = await this.kernel.work.run(systemActor(realmId), (work) => work.peek(emailChangeAggregate, userId));
    return wanted && token !== undefined ? { email: wanted.email, token } : null;
  }
}
