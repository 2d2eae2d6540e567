import { createHash } from 'node:crypto';
import type { UserId } from '@annals/kernel/domain';

const NAME = /^0{16}([0-9a-f]{8})[0-9a-f]{8}$/;

/**
 * The name of the picture that the server generates for an account. It has the id, so that the picture can be drawn from
 * the name alone, and a digest, so that others cannot make up names that have to be drawn.
 *
 * @param uuid of the organization
 */
export function generatedAvatar(uuid: string, userId: UserId): string {
  const id = userId.toString(16).padStart(8, '0');
  return `${'0'.repeat(16)}${id}${digestOf(seedOf(uuid, userId))}`;
}

/** What a generated picture is drawn from. Null for a name that no account of the organization gets. */
export function seedIn(file: string, uuid: string): string | null {
  const [, id = ''] = NAME.exec(file) ?? [];
  const userId = Number.parseInt(id, 16) as UserId;
  return userId > 0 && file === generatedAvatar(uuid, userId) ? seedOf(uuid, userId) : null;
}

/** Clients that draw such pictures themselves use the same one. */
const seedOf = (uuid: string, userId: UserId): string => `${uuid}:${userId}`;

const digestOf = (seed: string): string => createHash('sha256').update(seed).digest('hex').slice(0, 8);
