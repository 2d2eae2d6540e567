import { createHmac, timingSafeEqual } from 'node:crypto';
import { BASE32, Kernel, keyOfRealm, readSecret } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { SIGNATURE_LENGTH } from '@annals/mail';
import { Injectable } from '@nestjs/common';

/** The key of an organization in the table of secrets. */
const KEY = 'mail-links';
/** The bytes of the HMAC that a signature is made of, in earlier tokens all of them. */
const SIGNATURE_BYTES = 16;

/**
 * Makes the tokens in links and addresses of mails, and recognizes them. A token is a text with a signature, so no mail needs a row. The
 * key of the organization is beside the log. Without it, all earlier tokens are void.
 */
@Injectable()
export class MailTokens {
  constructor(private readonly kernel: Kernel) {}

  /** @param text what the token stands for: small letters, digits and dots */
  async sign(realmId: RealmId, text: string): Promise<string> {
    const signature = signatureOf(await keyOfRealm(this.kernel.database.pool, realmId, KEY), text);
    return `${text}.${signature.slice(0, SIGNATURE_LENGTH)}`;
  }

  /** What a token stands for, in any letter case. Null if the organization did not make it. Anybody may ask, so it writes nothing. */
  async textOf(realmId: RealmId, token: string): Promise<string | null> {
    const [, text, signature] = /^([a-z0-9.]{1,60})\.([a-z2-7]{16}|[a-z2-7]{26})$/.exec(token.toLowerCase()) ?? [];
    if (text === undefined || signature === undefined) return null;
    const key = await readSecret(this.kernel.database.pool, realmId, KEY);
    if (key === undefined) return null;
    const right = signatureOf(key, text).slice(0, signature.length);
    return timingSafeEqual(Buffer.from(signature), Buffer.from(right)) ? text : null;
  }
}

/** Base32 of an HMAC: 26 letters and digits. The letters are small, because addresses of mails have one letter case. */
function signatureOf(key: Buffer, text: string): string {
  const bytes = createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32.charAt(parseInt(five.padEnd(5, '0'), 2))).join('');
}
