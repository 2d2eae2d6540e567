import type { FactOf, Id } from '@annals/kernel/domain';
import { defineEvent, nullable, t, userId, words } from '@annals/kernel/domain';

/** The id of a device: one logged-in client of a user. */
export type DeviceId = Id<'device'>;
export type LegacyTokenId = Id<'legacy-push-token'>;

/** Services that send notifications to phones. */
export const TOKEN_KINDS = ['fcm', 'apns'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

const deviceId = t.Unsafe<DeviceId>(t.Integer({ minimum: 1 }));
const legacyTokenId = t.Unsafe<LegacyTokenId>(t.Integer({ minimum: 1 }));
/** Identifies a token: Base64 of the first eight bytes of its SHA-256. The token itself is a secret. */
const tokenId = t.String({ pattern: '^[A-Za-z0-9+/]{11}=$' });
const tokenKind = words(...TOKEN_KINDS);
const ofDevice = { userId, deviceId };

const aboutDevice = ({ userId: user, deviceId: device }: { userId: number; deviceId: number }) =>
  [
    ['user', user],
    ['device', device],
  ] as const;

/** Stream `devices-{user}`, like all events here. */
export const DeviceAdded = defineEvent('push.DeviceAdded', { data: t.Object(ofDevice), subjects: aboutDevice });
export type DeviceAdded = FactOf<typeof DeviceAdded>;

export const DeviceRemoved = defineEvent('push.DeviceRemoved', { data: t.Object(ofDevice), subjects: aboutDevice });
export type DeviceRemoved = FactOf<typeof DeviceRemoved>;

/**
 * Notifications to the device are encrypted with another key from now on. The key is stored beside the log under the
 * device's id.
 */
export const PushKeyChanged = defineEvent('push.PushKeyChanged', {
  data: t.Object({ ...ofDevice, pushKeyId: t.Integer({ minimum: 0, maximum: 4_294_967_295 }) }),
  subjects: aboutDevice,
});
export type PushKeyChanged = FactOf<typeof PushKeyChanged>;

/**
 * The registration of a token was requested. The part that only the push service can read is stored beside the log
 * under the device's id.
 */
export const RegistrationAsked = defineEvent('push.RegistrationAsked', {
  data: t.Object({ ...ofDevice, tokenKind, tokenId }),
  subjects: aboutDevice,
});
export type RegistrationAsked = FactOf<typeof RegistrationAsked>;

/** The push service accepted the registration, with its id of the device. */
export const RegistrationAccepted = defineEvent('push.RegistrationAccepted', {
  data: t.Object({ ...ofDevice, tokenKind, tokenId, serviceDeviceId: t.Integer() }),
  subjects: aboutDevice,
});
export type RegistrationAccepted = FactOf<typeof RegistrationAccepted>;

/** The push service refused, or was unavailable for too long. */
export const RegistrationFailed = defineEvent('push.RegistrationFailed', {
  data: t.Object({ ...ofDevice, tokenId, code: t.String({ pattern: '^[A-Z][A-Z0-9_]{0,99}$' }) }),
  subjects: aboutDevice,
});
export type RegistrationFailed = FactOf<typeof RegistrationFailed>;

/** The device's token has expired, according to the push service. */
export const TokenExpired = defineEvent('push.TokenExpired', { data: t.Object(ofDevice), subjects: aboutDevice });
export type TokenExpired = FactOf<typeof TokenExpired>;

/** The registration of a device ended: it has no key and no token any more. The event has the former ones. */
export const RegistrationEnded = defineEvent('push.RegistrationEnded', {
  data: t.Object({ ...ofDevice, hadToken: t.Boolean(), wasPending: t.Boolean(), hadFailed: t.Boolean() }),
  subjects: aboutDevice,
});
export type RegistrationEnded = FactOf<typeof RegistrationEnded>;

/** A push token of an older app. It is stored outside the log under its id. */
export const LegacyTokenAdded = defineEvent('push.LegacyTokenAdded', {
  data: t.Object({
    userId,
    legacyTokenId,
    tokenKind,
    tokenId,
    /** Of iOS apps. */
    appId: nullable(t.String()),
  }),
  subjects: ({ userId: user }) => [['user', user]],
});
export type LegacyTokenAdded = FactOf<typeof LegacyTokenAdded>;

export const LegacyTokenRemoved = defineEvent('push.LegacyTokenRemoved', {
  data: t.Object({ userId, legacyTokenId }),
  subjects: ({ userId: user }) => [['user', user]],
});
export type LegacyTokenRemoved = FactOf<typeof LegacyTokenRemoved>;

/** Every event of the context. */
export const PUSH_EVENTS = [
  DeviceAdded,
  DeviceRemoved,
  PushKeyChanged,
  RegistrationAsked,
  RegistrationAccepted,
  RegistrationFailed,
  TokenExpired,
  RegistrationEnded,
  LegacyTokenAdded,
  LegacyTokenRemoved,
];

export type DevicesEvent =
  | DeviceAdded
  | DeviceRemoved
  | PushKeyChanged
  | RegistrationAsked
  | RegistrationAccepted
  | RegistrationFailed
  | TokenExpired
  | RegistrationEnded
  | LegacyTokenAdded
  | LegacyTokenRemoved;
