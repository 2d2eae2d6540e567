import type { Position, Recorded, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { DeviceId, DevicesEvent, LegacyTokenId, TokenKind } from './events';
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
} from './events';
import { reject } from './rejections';

/** A token by its digest. */
export interface PushToken {
  readonly kind: TokenKind;
  /** Base64 of eight bytes. */
  readonly id: string;
}

/** One device as the rules need it (contract/push.md section 1). */
export interface Device {
  readonly id: DeviceId;
  readonly keyId: number | null;
  /** Registered with the push service, which has this id for it. */
  readonly active: (PushToken & { readonly serviceDeviceId: number }) | null;
  /** A registration is requested, by the event at this position. */
  readonly pending: (PushToken & { readonly since: Position }) | null;
  /** Why the registration failed. */
  readonly error: string | null;
}

export interface LegacyToken extends PushToken {
  readonly tokenId: LegacyTokenId;
}

/** All devices and tokens of one account. */
export interface Devices {
  readonly devices: readonly Device[];
  readonly legacy: readonly LegacyToken[];
}

/** Most devices and tokens of one account: its clients load all devices at the start. */
export const MAX_DEVICES = 500;
export const MAX_LEGACY_TOKENS = 100;

const NEW = { keyId: null, active: null, pending: null, error: null };

export const devicesAggregate = defineAggregate<Devices, DevicesEvent, UserId>(
  'devices',
  { devices: [], legacy: [] },
  (state, event) => {
    switch (event.type) {
      case 'push.DeviceAdded':
        return { ...state, devices: [...state.devices, { id: event.data.deviceId, ...NEW }] };
      case 'push.DeviceRemoved':
        return { ...state, devices: state.devices.filter(({ id }) => id !== event.data.deviceId) };
      case 'push.LegacyTokenAdded': {
        const { legacyTokenId: tokenId, tokenKind: kind, tokenId: id } = event.data;
        return { ...state, legacy: [...state.legacy, { tokenId, kind, id }] };
      }
      case 'push.LegacyTokenRemoved':
        return { ...state, legacy: state.legacy.filter(({ tokenId }) => tokenId !== event.data.legacyTokenId) };
      default: {
        const { deviceId } = event.data;
        const changed = (device: Device) => (device.id === deviceId ? { ...device, ...changeOf(event) } : device);
        return { ...state, devices: state.devices.map(changed) };
      }
    }
  },
);

type Change = Extract<
  DevicesEvent,
  PushKeyChanged | RegistrationAsked | RegistrationAccepted | RegistrationFailed | TokenExpired | RegistrationEnded
>;

function changeOf(event: Recorded<Change>): Partial<Device> {
  switch (event.type) {
    case 'push.PushKeyChanged':
      return { keyId: event.data.pushKeyId };
    case 'push.RegistrationAsked': {
      const { tokenKind: kind, tokenId: id } = event.data;
      return { pending: { kind, id, since: event.position }, error: null };
    }
    case 'push.RegistrationAccepted': {
      const { tokenKind: kind, tokenId: id, serviceDeviceId } = event.data;
      return { active: { kind, id, serviceDeviceId }, pending: null, error: null };
    }
    case 'push.RegistrationFailed':
      return { error: event.data.code };
    case 'push.TokenExpired':
      return { active: null };
    case 'push.RegistrationEnded':
      return NEW;
  }
}

/** @throws Rejected when the account has as many as it may have */
export function addDevice({ devices }: Devices, userId: UserId, deviceId: DeviceId): DeviceAdded[] {
  if (devices.length >= MAX_DEVICES) throw reject.tooManyDevices({ limit: MAX_DEVICES });
  return [fact(DeviceAdded, { userId, deviceId })];
}

/** @throws Rejected BAD_REQUEST when the account has no such device */
export function removeDevice(state: Devices, userId: UserId, deviceId: DeviceId): DeviceRemoved[] {
  known(state, deviceId);
  return [fact(DeviceRemoved, { userId, deviceId })];
}

/** The parameters of a registration. An incomplete group of parameters is null. */
export interface RegistrationInput {
  /** `isSame`: the device has exactly this key already. */
  readonly key: { readonly id: number; readonly isSame: boolean } | null;
  readonly token: PushToken | null;
}

/**
 * Registers a device for notifications, or changes its key, its token, or both (contract/push.md section 2, the
 * decision table).
 *
 * @throws Rejected BAD_REQUEST for an unknown device, when nothing is complete, when the first registration lacks one
 *   of both, and during a registration
 */
export function registerPush(
  state: Devices,
  userId: UserId,
  deviceId: DeviceId,
  { key, token }: RegistrationInput,
): (PushKeyChanged | RegistrationAsked)[] {
  const device = known(state, deviceId);
  if (!key && !token) throw reject.incomplete();
  if (device.keyId === null && (!key || !token)) throw reject.keyNeeded();
  const facts: (PushKeyChanged | RegistrationAsked)[] = [];
  if (key && !(key.isSame && key.id === device.keyId)) {
    facts.push(fact(PushKeyChanged, { userId, deviceId, pushKeyId: key.id }));
  }
  if (token && !(isToken(device.active, token) && device.error === null)) {
    if (device.pending && device.error === null) throw reject.inProgress();
    facts.push(fact(RegistrationAsked, { userId, deviceId, tokenKind: token.kind, tokenId: token.id }));
  }
  return facts;
}

/** The request to the push service that an answer belongs to: by now there may be another one, or none. */
export interface PendingRegistration {
  readonly deviceId: DeviceId;
  readonly since: Position;
}

/** A registration that has expired, according to the push service. Its answer may be much older than the event. */
export interface Expired extends PushToken {
  readonly deviceId: DeviceId;
  readonly serviceDeviceId: number;
}

/** The push service accepted a registration: registrations of older apps with the same token end. */
export function acceptRegistration(
  state: Devices,
  userId: UserId,
  { deviceId, since }: PendingRegistration,
  serviceDeviceId: number,
): (RegistrationAccepted | LegacyTokenRemoved)[] {
  const pending = underWay(state, { deviceId, since });
  if (!pending) return [];
  const { kind: tokenKind, id: tokenId } = pending;
  const legacy = state.legacy.filter((one) => isToken(one, pending));
  return [
    fact(RegistrationAccepted, { userId, deviceId, tokenKind, tokenId, serviceDeviceId }),
    ...legacy.map((one) => fact(LegacyTokenRemoved, { userId, legacyTokenId: one.tokenId })),
  ];
}

export function failRegistration(
  state: Devices,
  userId: UserId,
  asked: PendingRegistration,
  code: string,
): RegistrationFailed[] {
  const pending = underWay(state, asked);
  return pending ? [fact(RegistrationFailed, { userId, deviceId: asked.deviceId, tokenId: pending.id, code })] : [];
}

/** @param expired the expired token. By now the device may have another token, or the same one registered again */
export function expireToken(state: Devices, userId: UserId, expired: Expired): TokenExpired[] {
  const { deviceId, serviceDeviceId, ...token } = expired;
  const device = state.devices.find(({ id }) => id === deviceId);
  const isStill = device?.active?.serviceDeviceId === serviceDeviceId && isToken(device.active, token);
  return isStill ? [fact(TokenExpired, { userId, deviceId })] : [];
}

/** Ends all registrations of an account. Its devices remain (contract/push.md section 2, end). */
export function endRegistrations({ devices }: Devices, userId: UserId): RegistrationEnded[] {
  const registered = devices.filter(({ keyId }) => keyId !== null);
  return registered.map(({ id: deviceId, active, pending, error }) =>
    fact(RegistrationEnded, {
      userId,
      deviceId,
      hadToken: active !== null,
      wasPending: pending !== null,
      hadFailed: error !== null,
    }),
  );
}

/** Adding one twice changes nothing (contract/push.md section 5). */
export function addLegacyToken(
  { legacy }: Devices,
  userId: UserId,
  token: PushToken & { readonly appId: string | null },
  legacyTokenId: LegacyTokenId,
): LegacyTokenAdded[] {
  if (legacy.some((one) => isToken(one, token))) return [];
  if (legacy.length >= MAX_LEGACY_TOKENS) throw reject.tooManyTokens({ limit: MAX_LEGACY_TOKENS });
  const { kind: tokenKind, id: tokenId, appId } = token;
  return [fact(LegacyTokenAdded, { userId, legacyTokenId, tokenKind, tokenId, appId })];
}

/** @throws Rejected BAD_REQUEST when the account has no such token */
export function removeLegacyToken({ legacy }: Devices, userId: UserId, token: PushToken): LegacyTokenRemoved[] {
  const found = legacy.find((one) => isToken(one, token));
  if (!found) throw reject.noSuchToken();
  return [fact(LegacyTokenRemoved, { userId, legacyTokenId: found.tokenId })];
}

const isToken = (one: PushToken | null, other: PushToken): boolean => one?.id === other.id && one.kind === other.kind;

/** @throws Rejected BAD_REQUEST when the account has no such device */
function known({ devices }: Devices, deviceId: DeviceId): Device {
  const device = devices.find(({ id }) => id === deviceId);
  if (!device) throw reject.noSuchDevice();
  return device;
}

function underWay({ devices }: Devices, { deviceId, since }: PendingRegistration): Device['pending'] {
  const device = devices.find(({ id }) => id === deviceId);
  return device?.error === null && device.pending?.since === since ? device.pending : null;
}
