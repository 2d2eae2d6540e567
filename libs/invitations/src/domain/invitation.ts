import type { Actor, Instant, Recorded, UserId } from '@annals/kernel/domain';
import { ascending, defineAggregate, ensure, fact } from '@annals/kernel/domain';
import type {
  InvitationEvent,
  InvitationId,
  InvitationAccepted as Accepted,
  InvitationEnded as Ended,
  InvitationResent as Resent,
  InvitationRevoked as Revoked,
  LinkCreated as Created,
  LinkUsed as Used,
  PersonInvited as Invited,
} from './events';
import {
  InvitationAccepted,
  InvitationEnded,
  InvitationResent,
  InvitationRevoked,
  LinkCreated,
  LinkUsed,
  PersonInvited,
} from './events';
import type { InvitationOffer } from './offer';
import { mayManage } from './policies';
import { reject } from './rejections';

/** An invitation as the rules need it. */
export interface Invitation extends InvitationOffer {
  readonly id: InvitationId;
  readonly inviterId: UserId;
  /** Whether it is a link for any number of people, and not for one address. */
  readonly isLink: boolean;
  /** Null for a link, and after it was erased. */
  readonly email: string | null;
  /** As the inviter wrote it. Null if they did not. */
  readonly fullName: string | null;
  readonly notifiesInviter: boolean;
  /** Null while it can be used, apart from its time. */
  readonly end: 'revoked' | 'accepted' | Ended['data']['reason'] | null;
}

/** The streams `invitation-{id}`. Null before the invitation. */
export const invitationAggregate = defineAggregate<Invitation | null, InvitationEvent, InvitationId>(
  'invitation',
  null,
  (state, event) => {
    switch (event.type) {
      case 'invitations.PersonInvited':
      case 'invitations.LinkCreated':
        return begun(event);
      case 'invitations.InvitationRevoked':
        return state && { ...state, end: 'revoked' };
      case 'invitations.InvitationEnded':
        return state && { ...state, end: event.data.reason };
      case 'invitations.InvitationAccepted':
        return state && { ...state, end: 'accepted' };
      case 'invitations.InvitationResent':
      case 'invitations.LinkUsed':
        return state;
    }
  },
);

function begun(event: Recorded<Invited> | Recorded<Created>): Invitation {
  const { invitationId: id, inviterId, role, channelIds, groupIds, withDefaultChannels } = event.data;
  const expiresAt = event.data.expiresAt as Instant | null;
  const isLink = event.type === 'invitations.LinkCreated';
  const common = { id, inviterId, role, channelIds, groupIds, withDefaultChannels, expiresAt, isLink, end: null };
  const notifiesInviter = event.type === 'invitations.PersonInvited' && event.data.notifiesInviter;
  const nothing = { welcomeText: null, email: null, fullName: null };
  return { ...nothing, ...(event.sealed === 'erased' ? nothing : event.sealed), ...common, notifiesInviter };
}

/** Somebody who is invited by mail. */
export interface Invitee {
  readonly email: string;
  readonly fullName: string | null;
}

type Inviter = Pick<Actor, 'userId'>;

const dataOf = (id: InvitationId, offer: InvitationOffer, { userId: inviterId }: Inviter) => ({
  invitationId: id,
  inviterId,
  role: offer.role,
  channelIds: ascending(new Set(offer.channelIds)),
  withDefaultChannels: offer.withDefaultChannels,
  groupIds: ascending(new Set(offer.groupIds)),
  expiresAt: offer.expiresAt,
});

/** Invites somebody by mail. The permissions of the inviter were checked. */
export const invite = (
  id: InvitationId,
  { email, fullName }: Invitee,
  offer: InvitationOffer & { readonly notifiesInviter: boolean },
  inviter: Inviter,
): Invited[] => [
  fact(
    PersonInvited,
    { ...dataOf(id, offer, inviter), notifiesInviter: offer.notifiesInviter },
    { email, fullName, welcomeText: offer.welcomeText },
  ),
];

/** Creates a link for any number of people. The permissions of the inviter were checked. */
export const createLink = (id: InvitationId, offer: InvitationOffer, inviter: Inviter): Created[] => [
  fact(LinkCreated, dataOf(id, offer, inviter), { welcomeText: offer.welcomeText }),
];

/** Whether it was not ended, and its time is not over. Whether its inviter is active is another matter. */
export const isOpen = ({ end, expiresAt }: Pick<Invitation, 'end' | 'expiresAt'>, at: Instant): boolean =>
  end === null && (expiresAt === null || at < expiresAt);

type Manager = Pick<Actor, 'userId' | 'role'>;

/**
 * Sends the mail again.
 *
 * @throws Rejected BAD_REQUEST for a link or one that cannot be used any more, and when the actor may not
 */
export function resend(state: Invitation | null, actor: Manager, at: Instant): Resent[] {
  const invitation = managed(state, actor, false);
  if (!isOpen(invitation, at)) throw reject.noSuchInvitation();
  return [fact(InvitationResent, { invitationId: invitation.id, inviterId: invitation.inviterId })];
}

/**
 * Takes an invitation back.
 *
 * @param isLink which kind the actor means
 * @throws Rejected BAD_REQUEST for an unknown one or one that has ended, and when the actor may not
 */
export function revoke(state: Invitation | null, actor: Manager, isLink: boolean): Revoked[] {
  const { id: invitationId, inviterId, end } = managed(state, actor, isLink);
  if (end !== null) throw isLink ? reject.alreadyRevoked() : reject.noSuchInvitation();
  return [fact(InvitationRevoked, { invitationId, inviterId })];
}

function managed(invitation: Invitation | null, actor: Manager, isLink: boolean): Invitation {
  if (invitation?.isLink !== isLink) throw reject.noSuchInvitation();
  ensure(mayManage(invitation, actor));
  return invitation;
}

/** Ends an invitation that nobody can use any more. One that has ended does not change. */
export const end = (state: Invitation | null, reason: Ended['data']['reason']): Ended[] =>
  state?.end === null ? [fact(InvitationEnded, { invitationId: state.id, inviterId: state.inviterId, reason })] : [];

/**
 * Somebody joins by the invitation. One for an address ends with that.
 *
 * @throws Rejected BAD_REQUEST when it cannot be used any more
 */
export function accept(state: Invitation | null, userId: UserId, at: Instant): (Accepted | Used)[] {
  if (!state || !isOpen(state, at)) throw reject.deadLink();
  const data = { invitationId: state.id, inviterId: state.inviterId, userId };
  return [state.isLink ? fact(LinkUsed, data) : fact(InvitationAccepted, data)];
}
