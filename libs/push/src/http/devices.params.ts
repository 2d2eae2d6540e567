import { t } from '@annals/kernel/domain';
import { CustomParam, IntegerParam, TextParam, WordParam } from '@annals/web';
import { reject as refuse } from './rejections';
import type { PushKey, TokenRegistration } from '../application/register-push';
import type { TokenKind } from '../domain/events';
import { TOKEN_KINDS } from '../domain/events';

/** XSalsa20-Poly1305, the only supported encryption. */
const SECRETBOX = 0x31;
const KEY_BYTES = 33;
const TOKEN_ID_BYTES = 8;
/** Longer ones cannot be a public key or a registration. */
const MAX_PUBLIC_KEY = 1_000;
const MAX_REGISTRATION = 20_000;

/** Base64 of the standard alphabet, padded, without unused bits. A form may turn `+` into a space, which is refused. */
function base64(text: string, name: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== text) throw refuse.badBase64({ name });
  return bytes;
}

function pushKey(text: string, name: string): string {
  const bytes = base64(text, name);
  if (bytes.length !== KEY_BYTES || bytes[0] !== SECRETBOX) throw refuse.badKey();
  return text;
}

function tokenId(text: string, name: string): string {
  if (base64(text, name).length !== TOKEN_ID_BYTES) throw refuse.badBase64({ name });
  return text;
}

const upTo = (limit: number) => (text: string, name: string) => {
  if (text.length > limit) throw refuse.badBase64({ name });
  base64(text, name);
  return text;
};

const optional = { optional: true } as const;

export class DeviceParams {
  @IntegerParam({ min: 1 }) device_id: number;
}

/** INTERFACE.md 4.11 */
export class RegisterPushParams extends DeviceParams {
  @IntegerParam({ optional: true, min: 0, max: 4_294_967_295 }) push_key_id?: number;
  @CustomParam(t.String(), 'raw', pushKey, {
    ...optional,
    about: 'Standard Base64 of the byte 0x31 and 32 bytes of the key.',
  })
  push_key?: string;
  @WordParam(TOKEN_KINDS, optional) token_kind?: TokenKind;
  @CustomParam(t.String(), 'raw', tokenId, {
    ...optional,
    about: 'Standard Base64 of the first 8 bytes of the SHA-256 of the token.',
  })
  token_id?: string;
  @CustomParam(t.String(), 'raw', upTo(MAX_PUBLIC_KEY), optional) bouncer_public_key?: string;
  @CustomParam(t.String(), 'raw', upTo(MAX_REGISTRATION), optional) encrypted_push_registration?: string;
}

/** An incomplete group counts as absent (contract/push.md section 2). */
export const keyOf = ({ push_key_id: id, push_key: key }: RegisterPushParams): PushKey | null =>
  id === undefined || key === undefined ? null : { id, key: Buffer.from(key, 'base64') };

export function tokenRegistrationOf(params: RegisterPushParams): TokenRegistration | null {
  const { token_kind: kind, token_id: id, bouncer_public_key, encrypted_push_registration } = params;
  if (kind === undefined || id === undefined) return null;
  if (bouncer_public_key === undefined || encrypted_push_registration === undefined) return null;
  return { kind, id, bouncerPublicKey: bouncer_public_key, encryptedRegistration: encrypted_push_registration };
}

export class TestParams {
  @IntegerParam(optional) device_id?: number;
}

const TOKEN = { min: 1, max: 4_096 } as const;

/** contract/push.md section 5 */
export class FcmTokenParams {
  @TextParam(TOKEN) token: string;
}

/** Apple's token is bytes, which apps write in hexadecimal digits or Base64. */
const isAppleToken = (text: string): boolean =>
  /^(?:[0-9a-f]{2})+$/i.test(text) || Buffer.from(text, 'base64').toString('base64') === text;

export class KnownApnsTokenParams {
  @TextParam({ ...TOKEN, is: isAppleToken }) token: string;
}

export class ApnsTokenParams extends KnownApnsTokenParams {
  @TextParam({ min: 1, max: 255, is: (text) => /^[.a-zA-Z0-9-]+$/.test(text) }) appid: string;
}

export class LegacyTestParams {
  @TextParam({ optional: true, max: 4_096 }) token?: string;
}
