import type { RefusalName } from '@annals/kernel/domain';
import { Rejected, rejection } from '@annals/kernel/domain';

const bad = (text: string, onPages?: RefusalName) => rejection('BAD_REQUEST', text, { onPages });

/** An address that was not invited, why, and whether it has a deactivated account. In the form of the API. */
export type SkippedAddress = readonly [email: string, why: string, isDeactivated: boolean];

interface FailedInvitation {
  readonly errors: readonly SkippedAddress[];
  /** Whether the other addresses were invited. */
  readonly sent: boolean;
  readonly isLimitReached?: boolean;
}

/** Some addresses were not invited (contract/whole-interface.md section 1). */
function failed(text: string, { errors, sent, isLimitReached = false }: FailedInvitation): Rejected {
  return new Rejected('INVITATION_FAILED', text, {
    errors,
    sent_invitations: sent,
    license_limit_reached: false,
    daily_limit_reached: isLimitReached,
  });
}

const NOBODY = { errors: [], sent: false } as const;

/** Every refusal of this context. */
export const reject = {
  mayNotInvite: bad('Insufficient permission'),
  ownerNeeded: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
  administratorNeeded: bad('Must be an organization administrator'),
  noAddress: bad('You must specify at least one email address.'),
  unknownChannel: rejection<{ channel: number }>(
    'BAD_REQUEST',
    ({ channel }) => `Invalid channel ID ${channel}. No invites were sent.`,
  ),
  mayNotSubscribeOthers: bad('You do not have permission to subscribe other users to channels.'),
  noSuchInvitation: bad('No such invitation'),
  inviterMayNot: bad('The user who sent this invitation may no longer give what it offers.'),
  alreadyRevoked: bad('Invitation has already been revoked'),

  limitReached: () =>
    failed('This organization cannot send more invitations today. No invitations were sent.', {
      ...NOBODY,
      isLimitReached: true,
    }),
  accountTooNew: () =>
    failed(
      'Your account is too new to send invitations in this organization. Ask an administrator, or another member.',
      NOBODY,
    ),
  someInvalid: (errors: readonly SkippedAddress[]) =>
    failed('Some of the addresses are not valid. No invitations were sent.', { errors, sent: false }),
  allSkipped: (errors: readonly SkippedAddress[]) =>
    failed('None of these addresses can be invited.', { errors, sent: false }),
  someSkipped: (errors: readonly SkippedAddress[]) =>
    failed('Some of these addresses have an account already. The others were invited.', { errors, sent: true }),

  /** Also of links that never existed, so that nobody learns anything by guessing. */
  deadLink: rejection('BAD_REQUEST', 'This link is not valid any more.', { notFound: true, onPages: 'endedLink' }),
  ofOtherAddress: bad(
    'This link was sent to another email address than the one that you logged in with.',
    'otherAddress',
  ),
  passwordsOff: rejection('PASSWORD_AUTH_DISABLED', 'Passwords are not in use in this organization.', {
    onPages: 'passwordsOff',
  }),
  unknownChannelGroup: bad(
    'One of the groups of channels that you chose is not offered to you any more.',
    'goneChannelGroup',
  ),
  invitationNeeded: bad('Joining this organization requires an invitation.', 'invitationNeeded'),
  badEmail: bad('Invalid email address', 'badEmail'),
};
