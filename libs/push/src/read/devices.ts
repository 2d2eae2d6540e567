import type { RegisterBlock } from '@annals/kernel';
import type { Instant, RealmId, UserId } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { DeviceId, LegacyTokenId, TokenKind } from '../domain/events';

/** A device as its owner sees it. */
interface DeviceRow {
  readonly id: DeviceId;
  readonly keyId: number | null;
  readonly tokenId: string | null;
  readonly pendingTokenId: string | null;
  readonly updatedAt: Instant | null;
  readonly errorCode: string | null;
}

async function readDevices(client: ClientBase, realmId: RealmId, userId: UserId): Promise<DeviceRow[]> {
  const { rows } = await client.query<DeviceRow>({
    name: 'push-devices',
    text: `SELECT device_id AS id, push_key_id AS "keyId", token_id AS "tokenId", pending_token_id AS "pendingTokenId",
        token_updated_at AS "updatedAt", error_code AS "errorCode" FROM view.push_devices
      WHERE realm_id = $1 AND user_id = $2 ORDER BY device_id`,
    values: [realmId, userId],
  });
  return rows;
}

/** contract/push.md section 1 */
const presentDevice = ({ keyId, tokenId, pendingTokenId, updatedAt, errorCode }: DeviceRow) => ({
  push_key_id: keyId,
  push_token_id: tokenId,
  pending_push_token_id: pendingTokenId,
  push_token_last_updated_timestamp: updatedAt === null ? null : unixSeconds(updatedAt),
  push_registration_error_code: errorCode,
});

/** contract/boot.md section 4.1 */
export const devicesRegisterBlock: RegisterBlock = {
  keys: ['device'],
  read: async ({ client, realmId }, { userId }) => ({
    devices: Object.fromEntries(
      (await readDevices(client, realmId, userId)).map((device) => [device.id, presentDevice(device)]),
    ),
  }),
};

/** A device that can receive notifications. */
export interface ActiveDevice {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly kind: TokenKind;
  readonly tokenId: string;
  /** The id of the device at the push service. */
  readonly serviceDeviceId: number;
  readonly keyId: number;
  /** One byte for the kind of encryption, and 32 of the key. Never logged. */
  readonly key: Buffer;
}

/** The id of a device's key among the secrets. */
export const pushKeySecret = (device: DeviceId): string => `push-key-${device}`;
/** The id, among the secrets, of the part of a requested registration that only the push service can read. */
export const registrationSecret = (device: DeviceId): string => `push-registration-${device}`;
export const legacySecret = (token: LegacyTokenId): string => `legacy-push-token-${token}`;

/** The registered devices of these users. @param only this one, if it is among them */
export async function readActiveDevices(
  client: Pool | ClientBase,
  realmId: RealmId,
  users: readonly UserId[],
  only: number | null = null,
): Promise<ActiveDevice[]> {
  if (users.length === 0) return [];
  const { rows } = await client.query<ActiveDevice>({
    name: 'push-active-devices',
    text: `SELECT d.user_id AS "userId", d.device_id AS "deviceId", d.token_kind AS kind, d.token_id AS "tokenId",
        d.service_device_id AS "serviceDeviceId", d.push_key_id AS "keyId", s.value AS key
      FROM view.push_devices AS d JOIN secrets AS s ON s.realm_id = d.realm_id AND s.id = 'push-key-' || d.device_id
      WHERE d.realm_id = $1 AND d.user_id = ANY($2::int8[]) AND d.service_device_id IS NOT NULL
        AND ($3::int8 IS NULL OR d.device_id = $3) ORDER BY d.user_id, d.device_id`,
    values: [realmId, users, only],
  });
  return rows;
}

/** Tokens that older apps of an account registered, each with the token itself. Never logged. */
export async function readLegacyTokens(client: Pool | ClientBase, realmId: RealmId, userId: UserId) {
  const { rows } = await client.query<{ kind: TokenKind; appId: string | null; token: Buffer }>({
    name: 'push-legacy-tokens',
    text: `SELECT t.token_kind AS kind, t.app_id AS "appId", s.value AS token FROM view.legacy_push_tokens AS t
      JOIN secrets AS s ON s.realm_id = t.realm_id AND s.id = 'legacy-push-token-' || t.legacy_token_id
      WHERE t.realm_id = $1 AND t.user_id = $2 ORDER BY t.legacy_token_id`,
    values: [realmId, userId],
  });
  return rows.map(({ kind, appId, token }) => ({ kind, appId, token: token.toString() }));
}
