import { createHmac, timingSafeEqual } from 'node:crypto';
import { Kernel, keyOfRealm } from '@annals/kernel';
import type { FileId, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';

/** How long a link is valid, in ms. Clients open it at once. */
export const LINK_LIFE_MS = 60_000;
const SECRET = 'file-links';
const TOKEN = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-([\w-]{43})$/;

/**
 * Links to files that need no login and are valid for a minute. They are signed with a secret of the organization, so
 * every process can verify them, and none is stored.
 */
@Injectable()
export class TemporaryLinks {
  private readonly keys = new Map<RealmId, Promise<Buffer>>();

  constructor(private readonly kernel: Kernel) {}

  /** The part of a link with the file and the end of its validity. */
  async tokenOf(realmId: RealmId, file: FileId): Promise<string> {
    const until = this.kernel.clock.now() + LINK_LIFE_MS;
    const signature = signed(await this.key(realmId), realmId, file, until);
    return `${file.toString(36)}-${until.toString(36)}-${signature.toString('base64url')}`;
  }

  /** @returns null for a token that this server did not make, or that has expired */
  async fileOf(realmId: RealmId, token: string): Promise<FileId | null> {
    const [, file = '', until = '', signature = ''] = TOKEN.exec(token) ?? [];
    if (file === '') return null;
    const [id, end] = [parseInt(file, 36) as FileId, parseInt(until, 36)];
    const right = signed(await this.key(realmId), realmId, id, end);
    if (!timingSafeEqual(right, Buffer.from(signature, 'base64url'))) return null;
    return this.kernel.clock.now() < end ? id : null;
  }

  private key(realmId: RealmId): Promise<Buffer> {
    const known = this.keys.get(realmId);
    if (known) return known;
    const loading = keyOfRealm(this.kernel.database.pool, realmId, SECRET);
    this.keys.set(realmId, loading);
    loading.catch(() => this.keys.delete(realmId));
    return loading;
  }
}

const signed = (key: Buffer, realmId: RealmId, file: FileId, until: number): Buffer =>
  createHmac('sha256', key).update(`${realmId} ${file} ${until}`).digest();
