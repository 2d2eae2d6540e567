import type { Work } from '@annals/kernel';
import { Kernel, readSecret } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';

/** argon2id (2) with 19 MiB and two passes, the least that OWASP recommends. It runs in threads of its own. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Compared with if there is no hash, so that the answer takes the same time. */
export const NOBODYS_HASH =
  `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}` +
  `$${unpadded(Buffer.alloc(16))}$${unpadded(Buffer.alloc(32))}`;

/** A password's hash that will be stored with the secrets beside the log. */
export type PasswordSecret = Parameters<Work['secret']>[0];

/** Passwords are stored as argon2id hashes among the secrets, one per account. */
@Injectable()
export class Passwords {
  constructor(private readonly kernel: Kernel) {}

  /** The secret of a `users.PasswordSet`. */
  async secretOf(userId: UserId, password: string): Promise<PasswordSecret> {
    return { put: passwordSecret(userId), kind: 'password', value: Buffer.from(await this.hashed(password)) };
  }

  /** The stored form of a password. */
  hashed(password: string): Promise<string> {
    return hash(password, COST);
  }

  /** Whether the account has a password. */
  async isSet(realmId: RealmId, userId: UserId): Promise<boolean> {
    return (await readSecret(this.kernel.database.pool, realmId, passwordSecret(userId))) !== undefined;
  }

  /** Whether this is the account's password. Takes the same time for accounts without one and unknown ones. */
  async matches(realmId: RealmId, userId: UserId, password: string): Promise<boolean> {
    const stored = await readSecret(this.kernel.database.pool, realmId, passwordSecret(userId));
    const matches = await verify(stored ?? NOBODYS_HASH, password);
    return stored !== undefined && matches;
  }
}

/** Name of the secret that holds an account's password. */
export const passwordSecret = (userId: UserId) => `password-${userId}`;

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
