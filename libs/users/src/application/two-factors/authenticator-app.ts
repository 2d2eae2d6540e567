import { Secret, TOTP } from 'otpauth';

/** Milliseconds in which an app shows one code (RFC 6238). */
const STEP_MS = 30_000;
/** Steps by which the clock of a phone may differ. */
const SKEW = 1;

export const APP_CODE = /^\d{6}$/;

const totp = (secret: Buffer, label = '', issuer = '') =>
  new TOTP({
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_MS / 1000,
    label,
    issuer,
  });

/** A new secret of an app, in the form that people can type: 160 bits in base32. */
export const newAppSecret = (): string => new Secret({ size: 20 }).base32;

const BASE32 = /^[A-Z2-7]{32}$/;

/** The bytes of a secret in base32. Undefined for what is none of `newAppSecret`. */
export const appSecretOf = (text: string): Buffer | undefined =>
  BASE32.test(text) ? Buffer.from(Secret.fromBase32(text).bytes) : undefined;

/** The address that an app reads from a picture. @param account shown in the app beside the organization */
export const appUri = (secret: Buffer, account: string, organization: string): string =>
  totp(secret, account, organization).toString();

/** When the step began whose code this is, in milliseconds since the epoch. Undefined if it is the code of no step that counts now. */
export function stepOf(secret: Buffer, code: string, now: number): number | undefined {
  const delta = totp(secret).validate({ token: code, timestamp: now, window: SKEW });
  return delta === null ? undefined : (Math.floor(now / STEP_MS) + delta) * STEP_MS;
}
