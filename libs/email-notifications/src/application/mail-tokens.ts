import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Kernel, readSecret } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';

/** The key of an organization in the table of secrets. */
const KEY = 'mail-links';
const KEY_BYTES = 32;
/** Bytes of a signature: nobody can guess 16. */
const SIGNATURE_BYTES = 16;
/** Addresses of mails have one letter case, so a token has small letters and digits only. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * Makes the tokens in links and addresses of mails, and recognizes them. A token is a text with a signature, so no mail needs a row. The
 * key of the organization is beside the log. Without it, all earlier tokens are void.
 */
@Injectable()
export class MailTokens {
  constructor(private readonly kernel: Kernel) {}

  /** @param text what the token stands for: small letters, digits and dots */
  async sign(realmId: RealmId, text: string): Promise<string> {
    return `${text}.${signatureOf(await this.key(realmId), text)}`;
  }

  /** What a token stands for, in any letter case. Null if the organization did not make it. */
  async textOf(realmId: RealmId, token: string): Promise<string | null> {
    const [, text, signature] = /^([a-z0-9.]{1,60})\.([a-z2-7]{26})$/.exec(token.toLowerCase()) ?? [];
    if (text === undefined || signature === undefined) return null;
    const right = signatureOf(await this.key(realmId), text);
    return timingSafeEqual(Buffer.from(signature), Buffer.from(right)) ? text : null;
  }

  /** Two processes that make it at the same time use the one that is stored first. */
  private async key(realmId: RealmId): Promise<Buffer> {
    const { pool } = this.kernel.database;
    const known = await readSecret(pool, realmId, KEY);
    if (known) return known;
    await pool.query('INSERT INTO secrets (realm_id, id, kind, value) VALUES ($1, $2, $2, $3) ON CONFLICT DO NOTHING', [
      realmId,
      KEY,
      randomBytes(KEY_BYTES),
    ]);
    const made = await readSecret(pool, realmId, KEY);
    if (!made) throw new Error('the key of links in mails was deleted while it was made');
    return made;
  }
}

/** Base32 of an HMAC: 26 letters and digits. */
function signatureOf(key: Buffer, text: string): string {
  const bytes = createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET.charAt(parseInt(five.padEnd(5, '0'), 2))).join('');
}
