import type { EventDescription, SentencePart } from '@annals/kernel';
import { describeEvent, possessive, quoted, thing, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { roleName } from '@annals/kernel/domain';
import type { LinkCreated as Created, PersonInvited as Invited } from '../domain/events';
import {
  InvitationAccepted,
  InvitationEnded,
  InvitationResent,
  InvitationRevoked,
  LinkCreated,
  LinkUsed,
  PersonInvited,
  RegistrationCompleted,
  RegistrationExpired,
  RegistrationRequested,
} from '../domain/events';

const emailOf = (event: { readonly sealed: { readonly email: string } | 'erased' }) =>
  quoted(
    wordsOf(event, ({ email }) => email),
    'an address',
  );

/** When it expires, in words. */
const until = (expiresAt: number | null): string =>
  expiresAt === null ? 'without an end' : `until ${new Date(expiresAt).toISOString()}`;

/** What the invitation gives, as values that it begins with. */
const offered = ({ data, sealed }: Recorded<Invited> | Recorded<Created>) => [
  { property: 'role', after: data.role },
  { property: 'stream_ids', after: data.channelIds },
  { property: 'group_ids', after: data.groupIds },
  { property: 'include_realm_default_subscriptions', after: data.withDefaultChannels },
  { property: 'expires_at', after: data.expiresAt },
  { property: 'welcome_message_custom_text', after: sealed === 'erased' ? null : sealed.welcomeText, isWords: true },
];

/** "their invitation 7" or "Ada’s invitation 7". */
const invitationOf = (
  event: Recorded<{ type: string; data: { invitationId: number; inviterId: number }; sealed: null }>,
) => [...possessive(event, event.data.inviterId), ` invitation ${event.data.invitationId}`] satisfies SentencePart[];

const invited = describeEvent(PersonInvited, {
  meaning: 'A user invited somebody by mail. The token of the link is not in the log.',
  commands: ['InvitePeople'],
  sentence: (event) => [
    'invited ',
    emailOf(event),
    ` as ${roleName(event.data.role)} ${until(event.data.expiresAt)} (invitation ${event.data.invitationId})`,
  ],
  begins: (event) => [
    ...offered(event),
    { property: 'email', after: wordsOf(event, ({ email }) => email), isWords: true },
  ],
});

const linkCreated = describeEvent(LinkCreated, {
  meaning: 'A user created a link with which any number of people may join. Its token is not in the log.',
  commands: ['CreateInvitationLink'],
  sentence: ({ data: { invitationId, role, expiresAt } }) => [
    `created an invitation link for the role ${roleName(role)} ${until(expiresAt)} (invitation ${invitationId})`,
  ],
  begins: offered,
});

const resent = describeEvent(InvitationResent, {
  meaning: 'The mail with an invitation was sent again.',
  commands: ['ResendInvitation'],
  sentence: (event) => ['sent ', ...invitationOf(event), ' again'],
});

const revoked = describeEvent(InvitationRevoked, {
  meaning: 'A user took an invitation or an invitation link back.',
  commands: ['RevokeInvitation'],
  sentence: (event) => ['revoked ', ...invitationOf(event)],
});

const REASONS = {
  expired: 'its time is over',
  inviter: 'its inviter was deactivated',
  joined: 'its address has an account',
} as const;

const ended = describeEvent(InvitationEnded, {
  meaning: 'Nobody can use an invitation any more.',
  commands: ['Endings', 'Join'],
  sentence: (event) => ['ended ', ...invitationOf(event), `, because ${REASONS[event.data.reason]}`],
});

const accepted = describeEvent(InvitationAccepted, {
  meaning: 'The person who was invited by mail has joined.',
  commands: ['Join'],
  sentence: (event) => ['let ', thing.user(event.data.userId), ' join by ', ...invitationOf(event)],
});

const linkUsed = describeEvent(LinkUsed, {
  meaning: 'Somebody has joined by an invitation link.',
  commands: ['Join'],
  sentence: (event) => ['let ', thing.user(event.data.userId), ' join by the link of ', ...invitationOf(event)],
});

const registrationRequested = describeEvent(RegistrationRequested, {
  meaning: 'Somebody without an account asked to join with an address. A mail goes to it.',
  commands: ['RequestRegistration'],
  sentence: (event) => [
    'asked ',
    emailOf(event),
    ` to confirm that it wants to join (registration ${event.data.registrationId})`,
  ],
  begins: (event) => [{ property: 'email', after: wordsOf(event, ({ email }) => email), isWords: true }],
});

const registrationCompleted = describeEvent(RegistrationCompleted, {
  meaning: 'Somebody who asked to join has joined.',
  commands: ['Join'],
  sentence: ({ data: { userId, registrationId } }) => [
    'let ',
    thing.user(userId),
    ` join by registration ${registrationId}`,
  ],
});

const registrationExpired = describeEvent(RegistrationExpired, {
  meaning: 'Somebody who asked to join has not joined in time.',
  commands: ['Endings'],
  sentence: ({ data }) => [`ended registration ${data.registrationId}, because its time is over`],
});

export const invitationDescriptions: readonly EventDescription[] = [
  invited,
  linkCreated,
  resent,
  revoked,
  ended,
  accepted,
  linkUsed,
  registrationRequested,
  registrationCompleted,
  registrationExpired,
];
