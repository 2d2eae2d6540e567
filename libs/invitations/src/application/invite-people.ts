import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { AllowedEmails, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { isEmail } from 'class-validator';
import type { Invitee } from '../domain/invitation';
import { invitationAggregate, invite } from '../domain/invitation';
import type { InvitationOffer } from '../domain/offer';
import type { SkippedAddress } from '../domain/rejections';
import { reject } from '../domain/rejections';
import { InvitationRules } from './invitation-rules';
import { JoinTokens } from './tokens';

/** Longest address, in characters. */
const MAX_EMAIL = 254;

/** Invites people by mail (contract/whole-interface.md section 1). */
export class InvitePeople extends Command<void> {
  constructor(
    readonly by: Actor,
    /** Each address once. */
    readonly invitees: readonly Invitee[],
    readonly offer: InvitationOffer & { readonly notifiesInviter: boolean },
  ) {
    super();
  }
}

/** Who of the addresses in a request cannot be invited. */
@Injectable()
export class InvitableAddresses {
  constructor(
    private readonly emails: AllowedEmails,
    private readonly users: UserFacts,
  ) {}

  /** Addresses that no account of this organization may have. */
  async invalid(work: Work, invitees: readonly Invitee[]): Promise<SkippedAddress[]> {
    const invalid: SkippedAddress[] = [];
    for (const { email } of invitees) {
      const verdict = isAddress(email) ? await this.emails.mayUse(work, email) : null;
      if (verdict === null) invalid.push([email, 'Invalid address.', false]);
      else if (!verdict.allowed) invalid.push([email, `${verdict.because.message}.`, false]);
    }
    return invalid;
  }

  /** Addresses that an account has already. */
  async used({ realmId }: Work, invitees: readonly Invitee[]): Promise<SkippedAddress[]> {
    const emails = invitees.map(({ email }) => email);
    const ids = await this.users.idsByEmail(realmId, emails);
    const accounts = await this.users.accounts(realmId, [...ids.values()]);
    return emails.flatMap((email): SkippedAddress[] => {
      const id = ids.get(email);
      const account = id === undefined ? undefined : accounts.get(id);
      if (!account) return [];
      if (account.isSystemBot) return [[email, 'Reserved for system bots.', false]];
      if (account.isActive) return [[email, 'Already has an account.', false]];
      return [[email, 'Account has been deactivated.', true]];
    });
  }
}

const isAddress = (email: string): boolean => email.length <= MAX_EMAIL && isEmail(email);

@CommandHandler(InvitePeople)
export class InvitePeopleHandler implements ICommandHandler<InvitePeople> {
  constructor(
    private readonly kernel: Kernel,
    private readonly rules: InvitationRules,
    private readonly addresses: InvitableAddresses,
    private readonly tokens: JoinTokens,
  ) {}

  /** @throws Rejected INVITATION_FAILED also when some were invited and others have accounts already */
  async execute(command: InvitePeople): Promise<void> {
    const skipped = await this.kernel.work.run(command.by, (work) => this.invite(work, command));
    if (skipped.length > 0) throw reject.someSkipped(skipped);
  }

  private async invite(work: Work, { invitees, offer }: InvitePeople): Promise<readonly SkippedAddress[]> {
    await this.rules.ensureMayInvite(work, 'can_invite_users_group', offer);
    if (invitees.length === 0) throw reject.noAddress();
    await this.rules.ensureSettled(work);
    const invalid = await this.addresses.invalid(work, invitees);
    const used = await this.addresses.used(work, invitees);
    if (invalid.length > 0) throw reject.someInvalid([...invalid, ...used]);
    const others = new Set(used.map(([email]) => email));
    const invited = invitees.filter(({ email }) => !others.has(email));
    if (invited.length === 0) throw reject.allSkipped(used);
    await this.rules.ensureRoom(work, invited.length);
    const ids = await this.kernel.ids.take(work.realmId, 'invitation', invited.length);
    for (const [n, id] of ids.entries()) {
      const invitee = invited[n];
      if (!invitee) continue;
      await work.decide(invitationAggregate, id, () => invite(id, invitee, offer, work.actor));
      work.secret(this.tokens.put('invitation', id, this.tokens.random()));
    }
    return used;
  }
}
