import type { FactOf, Id, Role } from '@annals/kernel/domain';
import { ROLES, channelId, defineEvent, groupId, nullable, t, userId, words } from '@annals/kernel/domain';

export type InvitationId = Id<'invitation'>;
export type RegistrationId = Id<'registration'>;

const role = t.Unsafe<Role>(t.Union(ROLES.map((one) => t.Literal(one))));
const invitationId = t.Unsafe<InvitationId>(t.Integer({ minimum: 1 }));
const registrationId = t.Unsafe<RegistrationId>(t.Integer({ minimum: 1 }));

/** What people get who join by the invitation, and until when. */
const offer = {
  invitationId,
  inviterId: userId,
  role,
  /** Channels to subscribe to, beside the default ones if `withDefaultChannels` says so. */
  channelIds: t.Array(channelId),
  withDefaultChannels: t.Boolean(),
  groupIds: t.Array(groupId),
  /** Milliseconds. Null for an invitation that does not expire. */
  expiresAt: nullable(t.Integer()),
};

/** What the welcome bot writes beside its greeting. Null for the text of the organization, empty for nothing. */
const welcomeText = nullable(t.String());

interface InvitationOffer {
  readonly invitationId: InvitationId;
  readonly inviterId: number;
  readonly channelIds: readonly number[];
  readonly groupIds: readonly number[];
}

const aboutOffer = ({ invitationId: id, inviterId, channelIds, groupIds }: InvitationOffer) => [
  ['invitation', id] as const,
  ['user', inviterId] as const,
  ...channelIds.map((channel) => ['channel', channel] as const),
  ...groupIds.map((group) => ['group', group] as const),
];

const ofInvitation = { invitationId, inviterId: userId };
const aboutInvitation = ({ invitationId: id, inviterId }: Pick<InvitationOffer, 'invitationId' | 'inviterId'>) =>
  [
    ['invitation', id],
    ['user', inviterId],
  ] as const;
/** The address and the texts of an invitation are erased when it ends. */
const erasesInvitation = ({ invitationId: id }: Pick<InvitationOffer, 'invitationId'>) => [['invitation', id] as const];

/**
 * Stream `invitation-{id}`, like all of an invitation: somebody is invited by mail. The token of the link is a secret beside
 * the log, under the id of the invitation.
 */
export const PersonInvited = defineEvent('invitations.PersonInvited', {
  data: t.Object({
    ...offer,
    /** Whether the inviter gets a direct message when the person joins. */
    notifiesInviter: t.Boolean(),
  }),
  sealed: t.Object({
    email: t.String(),
    /** As the inviter wrote it. Null if they did not. */
    fullName: nullable(t.String()),
    welcomeText,
  }),
  subjects: aboutOffer,
});
export type PersonInvited = FactOf<typeof PersonInvited>;

/** A link with which any number of people may join. */
export const LinkCreated = defineEvent('invitations.LinkCreated', {
  data: t.Object(offer),
  sealed: t.Object({ welcomeText }),
  subjects: aboutOffer,
});
export type LinkCreated = FactOf<typeof LinkCreated>;

/** The mail with the invitation is sent again. */
export const InvitationResent = defineEvent('invitations.InvitationResent', {
  data: t.Object(ofInvitation),
  subjects: aboutInvitation,
});
export type InvitationResent = FactOf<typeof InvitationResent>;

/** A user took the invitation back. */
export const InvitationRevoked = defineEvent('invitations.InvitationRevoked', {
  data: t.Object(ofInvitation),
  subjects: aboutInvitation,
  erases: erasesInvitation,
});
export type InvitationRevoked = FactOf<typeof InvitationRevoked>;

/**
 * The invitation cannot be used any more. `expired`: its time is over. `inviter`: its inviter was deactivated. `joined`: the
 * address has an account.
 */
export const InvitationEnded = defineEvent('invitations.InvitationEnded', {
  data: t.Object({ ...ofInvitation, reason: words('expired', 'inviter', 'joined') }),
  subjects: aboutInvitation,
  erases: erasesInvitation,
});
export type InvitationEnded = FactOf<typeof InvitationEnded>;

/** The invited person has joined with this account. The invitation ends. */
export const InvitationAccepted = defineEvent('invitations.InvitationAccepted', {
  data: t.Object({ ...ofInvitation, userId }),
  subjects: (data) => [...aboutInvitation(data), ['user', data.userId]],
  erases: erasesInvitation,
});
export type InvitationAccepted = FactOf<typeof InvitationAccepted>;

/** Somebody has joined through a link, which remains. */
export const LinkUsed = defineEvent('invitations.LinkUsed', {
  data: t.Object({ ...ofInvitation, userId }),
  subjects: (data) => [...aboutInvitation(data), ['user', data.userId]],
});
export type LinkUsed = FactOf<typeof LinkUsed>;

export type InvitationEvent =
  PersonInvited | LinkCreated | InvitationResent | InvitationRevoked | InvitationEnded | InvitationAccepted | LinkUsed;

const aboutRegistration = ({ registrationId: id }: { readonly registrationId: RegistrationId }) =>
  [['registration', id]] as const;

/**
 * Stream `registration-{id}`, like the next two: somebody without an account wants to join with this address, and gets a
 * mail to prove that it is theirs. The token of its link is a secret beside the log.
 */
export const RegistrationRequested = defineEvent('invitations.RegistrationRequested', {
  data: t.Object({
    registrationId,
    /** The invitation link that they used. Null where the organization lets everybody join. */
    invitationId: nullable(invitationId),
    expiresAt: t.Integer(),
  }),
  sealed: t.Object({ email: t.String() }),
  subjects: aboutRegistration,
});
export type RegistrationRequested = FactOf<typeof RegistrationRequested>;

/** They have joined with this account. */
export const RegistrationCompleted = defineEvent('invitations.RegistrationCompleted', {
  data: t.Object({ registrationId, userId }),
  subjects: (data) => [...aboutRegistration(data), ['user', data.userId]],
  erases: aboutRegistration,
});
export type RegistrationCompleted = FactOf<typeof RegistrationCompleted>;

/** They have not joined in time. */
export const RegistrationExpired = defineEvent('invitations.RegistrationExpired', {
  data: t.Object({ registrationId }),
  subjects: aboutRegistration,
  erases: aboutRegistration,
});
export type RegistrationExpired = FactOf<typeof RegistrationExpired>;

export type RegistrationEvent = RegistrationRequested | RegistrationCompleted | RegistrationExpired;
