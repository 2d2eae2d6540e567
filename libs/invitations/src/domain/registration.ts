import type { Instant, UserId } from '@annals/kernel/domain';
import { DAY_MS, defineAggregate, fact } from '@annals/kernel/domain';
import type {
  InvitationId,
  RegistrationCompleted as Completed,
  RegistrationEvent,
  RegistrationExpired as Expired,
  RegistrationId,
  RegistrationRequested as Requested,
} from './events';
import { RegistrationCompleted, RegistrationExpired, RegistrationRequested } from './events';
import { reject } from './rejections';

/** An address whose owner wants to join, and has not proved yet that it is theirs. */
export interface JoinRequest {
  readonly id: RegistrationId;
  /** Null after it was erased. */
  readonly email: string | null;
  /** The invitation link that they used. */
  readonly invitationId: InvitationId | null;
  readonly expiresAt: Instant;
  readonly isOver: boolean;
}

/** How long the link in the mail can be used. */
export const REGISTRATION_MS = DAY_MS;

/** The streams `registration-{id}`. Null before the request. */
export const registrationAggregate = defineAggregate<JoinRequest | null, RegistrationEvent, RegistrationId>(
  'registration',
  null,
  (state, event) => {
    if (event.type !== 'invitations.RegistrationRequested') return state && { ...state, isOver: true };
    const { registrationId: id, invitationId, expiresAt } = event.data;
    const email = event.sealed === 'erased' ? null : event.sealed.email;
    return { id, email, invitationId, expiresAt: expiresAt as Instant, isOver: false };
  },
);

/** Somebody wants to join. @param invitationId the link that they used. Null where everybody may join */
export const requestRegistration = (
  registrationId: RegistrationId,
  email: string,
  invitationId: InvitationId | null,
  at: Instant,
): Requested[] => [
  fact(RegistrationRequested, { registrationId, invitationId, expiresAt: at + REGISTRATION_MS }, { email }),
];

/** A request that can still be completed. @throws Rejected for any other */
export function pending(state: JoinRequest | null, at: Instant): JoinRequest & { readonly email: string } {
  if (!state || state.isOver || at >= state.expiresAt || state.email === null) throw reject.deadLink();
  return { ...state, email: state.email };
}

/** They have joined. @throws Rejected when it was completed before, or too late */
export const complete = (state: JoinRequest | null, userId: UserId, at: Instant): Completed[] => [
  fact(RegistrationCompleted, { registrationId: pending(state, at).id, userId }),
];

/** Ends a request whose time is over. Nothing changes before that, and for one that is over. */
export const expire = (state: JoinRequest | null, at: Instant): Expired[] =>
  state && !state.isOver && at >= state.expiresAt ? [fact(RegistrationExpired, { registrationId: state.id })] : [];
