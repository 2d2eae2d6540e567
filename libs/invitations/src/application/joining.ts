import type { Work } from '@annals/kernel';
import { Kernel, RealmQuotas } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { Rejected, Role, ensure, isGuest } from '@annals/kernel/domain';
import { Notices, notice, person } from '@annals/messages';
import { NewPeople } from '@annals/onboarding';
import { organization } from '@annals/realm';
import type { PasswordSecret } from '@annals/users';
import { AllowedEmails, isSameEmail } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { InvitationId } from '../domain/events';
import type { Invitation } from '../domain/invitation';
import { accept, end, invitationAggregate, isOpen } from '../domain/invitation';
import { reject } from '../domain/rejections';
import { isUsable, readUsableFor } from '../read/invitation-rows';
import { chosenChannels } from './chosen-channels';
import { Inviters } from './inviters';
import { JoinTokens } from './tokens';

/** Somebody who joins, and has proved that the address is theirs. */
export interface Newcomer {
  readonly userId: UserId;
  readonly email: string;
  readonly fullName: string;
  /** Null without a password. */
  readonly password: PasswordSecret | null;
  /** Whether they are logged in at once. */
  readonly isPresent: boolean;
  /** What a directory says. Null or left out: the role of the invitation, and without one that of a member. */
  readonly role?: Role | null;
  /** Groups of default channels that they chose. */
  readonly channelGroups?: readonly number[];
}

/** Who may join an organization, and what they get. Everything is decided by what holds when they join. */
@Injectable()
export class Joining {
  constructor(
    private readonly kernel: Kernel,
    private readonly emails: AllowedEmails,
    private readonly people: NewPeople,
    private readonly inviters: Inviters,
    private readonly notices: Notices,
    private readonly tokens: JoinTokens,
    private readonly quotas: RealmQuotas,
  ) {}

  /**
   * @param invitationId the invitation that they have. Null for none
   * @throws Rejected when the organization requires an invitation, this one cannot be used, or it does not allow the address
   */
  async ensureAllowed(work: Work, email: string, invitationId: InvitationId | null): Promise<void> {
    const { settings } = await organization(work);
    if (invitationId !== null) await this.ensureUsable(work, invitationId, email);
    else if (settings.invite_required) throw reject.invitationNeeded();
    ensure(await this.emails.mayUse(work, email));
  }

  /** Whether `ensureAllowed` refuses nothing. */
  isAllowed(work: Work, email: string, invitationId: InvitationId | null): Promise<boolean> {
    return refusesNothing(this.ensureAllowed(work, email, invitationId));
  }

  /**
   * The append depends on the invitation and on its inviter, who must have the rights for it now: both are read before the
   * read model.
   *
   * @throws Rejected 404 when somebody with this address cannot use it
   */
  async ensureUsable(work: Work, id: InvitationId, email: string): Promise<void> {
    const invitation = await work.read(invitationAggregate, id);
    if (!invitation || !isOpen(invitation, work.at)) throw reject.deadLink();
    if (!invitation.isLink && !isSameEmail(invitation.email ?? '', email)) throw reject.deadLink();
    if (!(await this.inviters.mayStillOffer(work, invitation))) throw reject.deadLink();
    if (!(await isUsable(this.kernel.database.pool, work.realmId, id, work.at))) throw reject.deadLink();
  }

  /** The newest usable invitation for an address that was proved otherwise, for example by single sign-on. Null for none. */
  async invitationFor(work: Work, email: string): Promise<InvitationId | null> {
    const invited = await readUsableFor(this.kernel.database.pool, work.realmId, keyOf(email), work.at);
    for (const id of invited) if (await refusesNothing(this.ensureUsable(work, id, email))) return id;
    return null;
  }

  /**
   * Opens the account with everything that the invitation gives, and ends all invitations for the address.
   *
   * @throws Rejected as `ensureAllowed` and `chosenChannels`, REALM_LOG_QUOTA, and for a name or address that is in use, or one
   *   person too many
   */
  async join(work: Work, newcomer: Newcomer, invitationId: InvitationId | null): Promise<void> {
    await this.ensureAllowed(work, newcomer.email, invitationId);
    // Some open their account by logging in, which is admitted when the log is full.
    await this.quotas.ensureRoomInLog(work.realmId);
    const invitation = invitationId === null ? null : await work.read(invitationAggregate, invitationId);
    const offer = invitation ?? NO_OFFER;
    const role = newcomer.role ?? offer.role;
    const { channels, groups } = invitation ? await this.inviters.mayStillGive(work, invitation) : NOTHING;
    const chosen = await chosenChannels(work, newcomer.channelGroups ?? [], { role });
    await this.people.add(work, {
      ...newcomer,
      channels: [...channels, ...chosen],
      groups,
      role,
      // Nobody offered the default channels to a guest who was not invited as one.
      withDefaultChannels: offer.withDefaultChannels && (isGuest(offer) || !isGuest({ role })),
    });
    if (invitation) await this.accepted(work, invitation, newcomer);
    await this.endOthers(work, newcomer.email, invitationId);
  }

  private async accepted(work: Work, invitation: Invitation, { userId, fullName }: Newcomer): Promise<void> {
    const { id, isLink, inviterId, notifiesInviter } = invitation;
    await work.decide(invitationAggregate, id, (state) => accept(state, userId, work.at));
    if (!isLink) work.secret(this.tokens.drop('invitation', id));
    if (!notifiesInviter) return;
    const name = person({ userId, fullName: fullName.trim() });
    await this.notices.notify(
      work,
      [inviterId],
      () => notice`${name} has accepted your invitation to this organization.`,
    );
  }

  private async endOthers(work: Work, email: string, used: InvitationId | null): Promise<void> {
    const ids = await readUsableFor(this.kernel.database.pool, work.realmId, keyOf(email), work.at);
    for (const id of ids.filter((one) => one !== used)) {
      await work.decide(invitationAggregate, id, (state) => end(state, 'joined'));
      work.secret(this.tokens.drop('invitation', id));
    }
  }
}

/** What somebody gets beside the default channels who has no invitation. */
const NOTHING = { channels: [], groups: [] } as const;

/** What somebody is offered who has no invitation. */
const NO_OFFER = { role: Role.member, withDefaultChannels: true } as const;

async function refusesNothing(check: Promise<void>): Promise<boolean> {
  try {
    await check;
    return true;
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
}

/** Addresses that differ only in letter case are the same address. */
const keyOf = (email: string): string => email.trim().toLowerCase();
