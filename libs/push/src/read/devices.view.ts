import { defineProjection, on } from '@annals/kernel';
import { ProfileDeleted } from '@annals/users';
import type { DeviceId } from '../domain/events';
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

const EMPTY = {
  push_key_id: null,
  token_kind: null,
  token_id: null,
  service_device_id: null,
  pending_token_kind: null,
  pending_token_id: null,
  token_updated_at: null,
  error_code: null,
};

const keyOf = (data: { readonly userId: number; readonly deviceId: DeviceId }) => ({
  user_id: data.userId,
  device_id: data.deviceId,
});

/** The devices of all accounts, and the tokens of older apps. */
export const devicesView = defineProjection({
  name: 'push_devices',
  version: 2,
  lifecycle: 'inline',
  tables: {
    push_devices: {
      columns: {
        user_id: 'int4',
        device_id: 'int8',
        push_key_id: 'int8',
        /** The registered token, and the device's id at the push service. Null before the registration. */
        token_kind: 'text',
        token_id: 'text',
        service_device_id: 'int8',
        pending_token_kind: 'text',
        pending_token_id: 'text',
        /** Milliseconds. */
        token_updated_at: 'int8',
        error_code: 'text',
      },
      key: ['user_id', 'device_id'],
      indexes: [{ on: ['user_id'], where: 'service_device_id IS NOT NULL' }],
      changesOften: true,
    },
    legacy_push_tokens: {
      columns: { user_id: 'int4', legacy_token_id: 'int8', token_kind: 'text', token_id: 'text', app_id: 'text' },
      key: ['user_id', 'legacy_token_id'],
    },
  },
  handlers: [
    on(DeviceAdded, ({ data }, rows) => rows.insert('push_devices', { ...keyOf(data), ...EMPTY })),
    on(DeviceRemoved, ({ data }, rows) => rows.delete('push_devices', keyOf(data))),
    on(PushKeyChanged, ({ data }, rows) => rows.update('push_devices', keyOf(data), { push_key_id: data.pushKeyId })),
    on(RegistrationAsked, ({ data, at }, rows) => {
      const pending = { pending_token_kind: data.tokenKind, pending_token_id: data.tokenId };
      rows.update('push_devices', keyOf(data), { ...pending, token_updated_at: at, error_code: null });
    }),
    on(RegistrationAccepted, ({ data }, rows) => {
      const { tokenKind: token_kind, tokenId: token_id, serviceDeviceId: service_device_id } = data;
      const settled = { pending_token_kind: null, pending_token_id: null, error_code: null };
      rows.update('push_devices', keyOf(data), { token_kind, token_id, service_device_id, ...settled });
    }),
    on(RegistrationFailed, ({ data }, rows) => rows.update('push_devices', keyOf(data), { error_code: data.code })),
    on(TokenExpired, ({ data }, rows) =>
      rows.update('push_devices', keyOf(data), { token_kind: null, token_id: null, service_device_id: null }),
    ),
    on(RegistrationEnded, ({ data }, rows) => rows.update('push_devices', keyOf(data), EMPTY)),
    on(LegacyTokenAdded, ({ data: { userId, legacyTokenId, tokenKind, tokenId, appId } }, rows) => {
      const token = { token_kind: tokenKind, token_id: tokenId, app_id: appId };
      rows.insert('legacy_push_tokens', { user_id: userId, legacy_token_id: legacyTokenId, ...token });
    }),
    on(LegacyTokenRemoved, ({ data: { userId, legacyTokenId } }, rows) =>
      rows.delete('legacy_push_tokens', { user_id: userId, legacy_token_id: legacyTokenId }),
    ),
    on(ProfileDeleted, ({ data: { userId } }, rows) => {
      rows.delete('push_devices', { user_id: userId });
      rows.delete('legacy_push_tokens', { user_id: userId });
    }),
  ],
});
