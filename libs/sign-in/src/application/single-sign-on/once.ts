import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';

/** What is stored: logins under way, requests to identity providers, their answers, and accounts that may be opened. */
export type OnceKind =
  'flow' | 'saml-request' | 'saml-result' | 'saml-assertion' | 'jwt' | 'jwt-confirmation' | 'joining';

const NONCE = 12;
const TAG = 16;

/** 256 bits that nobody can guess, for URLs and cookies. */
export const unguessableToken = (): string => randomBytes(32).toString('base64url');

/** What may be used once, in any process, until it expires. The database alone does not show what was stored. */
@Injectable()
export class Once {
  constructor(private readonly kernel: Kernel) {}

  /** Stores a value under a name that only its user has. @param ttl ms that it can be taken */
  async put(realmId: RealmId, kind: OnceKind, name: string, value: unknown, ttl: number): Promise<void> {
    const now = this.kernel.clock.now();
    await this.forgetExpired(realmId, now);
    await this.kernel.database.pool.query({
      name: 'sign-on-once-put',
      text: 'INSERT INTO sign_on_once VALUES ($1, $2, $3, $4, $5)',
      values: [realmId, kind, digestOf(name), sealed(JSON.stringify(value), name), now + ttl],
    });
  }

  /** The value of a name, for its only user: nobody can take it again. Undefined if there is none, or no more. */
  async take(realmId: RealmId, kind: OnceKind, name: string): Promise<unknown> {
    const { rows } = await this.kernel.database.pool.query<{ value: Buffer; expiresAt: number }>({
      name: 'sign-on-once-take',
      text: `DELETE FROM sign_on_once WHERE realm_id = $1 AND kind = $2 AND digest = $3
        RETURNING value, expires_at AS "expiresAt"`,
      values: [realmId, kind, digestOf(name)],
    });
    const [row] = rows;
    if (!row || row.expiresAt <= this.kernel.clock.now()) return undefined;
    return JSON.parse(opened(row.value, name));
  }

  /** The value of a name that can still be taken afterwards. */
  async look(realmId: RealmId, kind: OnceKind, name: string): Promise<unknown> {
    const { rows } = await this.kernel.database.pool.query<{ value: Buffer }>({
      name: 'sign-on-once-look',
      text: 'SELECT value FROM sign_on_once WHERE realm_id = $1 AND kind = $2 AND digest = $3 AND expires_at > $4',
      values: [realmId, kind, digestOf(name), this.kernel.clock.now()],
    });
    const [row] = rows;
    return row && JSON.parse(opened(row.value, name));
  }

  /**
   * Notes that something was used.
   *
   * @param until from when on it is not accepted for another reason
   * @returns false if it was used before, by any process
   */
  async isFirstUse(realmId: RealmId, kind: OnceKind, name: string, until: number): Promise<boolean> {
    await this.forgetExpired(realmId, this.kernel.clock.now());
    const { rowCount } = await this.kernel.database.pool.query({
      name: 'sign-on-once-use',
      text: 'INSERT INTO sign_on_once VALUES ($1, $2, $3, NULL, $4) ON CONFLICT DO NOTHING',
      values: [realmId, kind, digestOf(name), until],
    });
    return rowCount === 1;
  }

  private async forgetExpired(realmId: RealmId, now: number): Promise<void> {
    await this.kernel.database.pool.query({
      name: 'sign-on-once-forget',
      text: 'DELETE FROM sign_on_once WHERE realm_id = $1 AND expires_at <= $2',
      values: [realmId, now],
    });
  }
}

const digestOf = (name: string) => createHash('sha256').update(`name ${name}`).digest();
const keyOf = (name: string) => createHash('sha256').update(`key ${name}`).digest();

function sealed(text: string, name: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', keyOf(name), nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function opened(value: Buffer, name: string): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(name), value.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAuthTag(value.subarray(-TAG));
  return decipher.update(value.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8');
}
