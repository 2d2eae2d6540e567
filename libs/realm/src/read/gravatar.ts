import { createHash } from 'node:crypto';

/** Edge of a medium avatar in pixels. */
const MEDIUM = 500;

/**
 * Address of a picture at the gravatar service, in the form that clients know (contract/users.md section 1).
 *
 * @param of whose picture: an email address, or any text for a pattern of its own
 */
export function gravatarUrl(of: string, version: number, size: 'small' | 'medium' = 'small'): string {
  const digest = createHash('md5').update(of.toLowerCase()).digest('hex');
  const medium = size === 'medium' ? `&s=${MEDIUM}` : '';
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon${medium}&version=${version}`;
}
