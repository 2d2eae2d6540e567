import type { EventDescription, SentencePart } from '@annals/kernel';
import { describeEvent, thing } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { DIRECTORY_ENDING_COMMANDS } from '@annals/users';
import {
  DeviceAdded,
  DeviceRemoved,
  LegacyTokenAdded,
  LegacyTokenRemoved,
  PushKeyChanged,
  RegistrationAccepted,
  RegistrationAsked,
  RegistrationEnded,
  RegistrationFailed,
  TokenExpired,
} from '../domain/events';
import type { TokenKind } from '../domain/events';

const SERVICES: Readonly<Record<TokenKind, string>> = { fcm: 'Google (FCM)', apns: 'Apple (APNs)' };

type OfUser = Pick<Recorded, 'actorId'> & { readonly data: { readonly userId: number } };

/** " of Ada", or nothing if Ada acts. */
const ofOwner = ({ actorId, data: { userId } }: OfUser): SentencePart[] =>
  actorId === userId ? [] : [' of ', thing.user(userId)];

const deviceOf = (event: OfUser & { readonly data: { readonly deviceId: number } }): SentencePart[] => [
  `device ${event.data.deviceId}`,
  ...ofOwner(event),
];

const added = describeEvent(DeviceAdded, {
  meaning: 'A user logged in on a device that may receive notifications.',
  commands: ['AddDevice'],
  sentence: (event) => ['added ', ...deviceOf(event)],
});

const removed = describeEvent(DeviceRemoved, {
  meaning: 'A device of a user is known no longer.',
  commands: ['RemoveDevice'],
  sentence: (event) => ['removed ', ...deviceOf(event)],
});

const keyChanged = describeEvent(PushKeyChanged, {
  meaning: 'Notifications to a device are encrypted with another key. The key is stored beside the log.',
  commands: ['RegisterPush'],
  sentence: (event) => ['changed the key for notifications to ', ...deviceOf(event)],
  changes: ({ data }) => [{ property: 'push_key_id', of: data.deviceId, after: data.pushKeyId }],
});

const asked = describeEvent(RegistrationAsked, {
  meaning: 'The registration of a device with the push service was requested.',
  commands: ['RegisterPush'],
  sentence: (event) => [
    'requested notifications to ',
    ...deviceOf(event),
    ` through ${SERVICES[event.data.tokenKind]}`,
  ],
});

const accepted = describeEvent(RegistrationAccepted, {
  meaning: 'The push service accepted the registration of a device.',
  commands: ['Registrations'],
  sentence: (event) => [
    'registered ',
    ...deviceOf(event),
    ` for notifications through ${SERVICES[event.data.tokenKind]}`,
  ],
});

const failed = describeEvent(RegistrationFailed, {
  meaning: 'The push service refused the registration of a device, or was unavailable for too long.',
  commands: ['Registrations'],
  sentence: (event) => ['could not register ', ...deviceOf(event), ` for notifications: ${event.data.code}`],
});

const expired = describeEvent(TokenExpired, {
  meaning: 'The token of a device has expired, according to the push service.',
  commands: ['Registrations'],
  sentence: (event) => ['noted that the token of ', ...deviceOf(event), ' has expired'],
});

const ended = describeEvent(RegistrationEnded, {
  meaning: 'The registration of a device ended: it has no key and no token any more.',
  commands: ['RegenerateKey', 'ResetPassword', ...DIRECTORY_ENDING_COMMANDS],
  sentence: (event) => ['ended notifications to ', ...deviceOf(event)],
});

const legacyAdded = describeEvent(LegacyTokenAdded, {
  meaning: 'An older app of a user was registered for notifications. Its token is stored beside the log.',
  commands: ['AddLegacyToken'],
  sentence: (event) => [
    `added push token ${event.data.legacyTokenId}`,
    ...ofOwner(event),
    ` for an older app, through ${SERVICES[event.data.tokenKind]}`,
  ],
});

const legacyRemoved = describeEvent(LegacyTokenRemoved, {
  meaning: 'An older app of a user is not registered for notifications any more.',
  commands: ['RemoveLegacyToken', 'Registrations'],
  sentence: (event) => [`removed push token ${event.data.legacyTokenId}`, ...ofOwner(event), ' of an older app'],
});

export const deviceDescriptions: readonly EventDescription[] = [
  added,
  removed,
  keyChanged,
  asked,
  accepted,
  failed,
  expired,
  ended,
  legacyAdded,
  legacyRemoved,
];
