import { createHash } from 'node:crypto';

/** Edge of a medium avatar in pixels. */
const MEDIUM = 500;

/**
 * URL of a Gravatar image, in the form that clients expect (contract/users.md section 1).
 *
 * @param of an email, or any text for a generated pattern
 */
export function gravatarUrl(of: string, version: number, size: 'small' | 'medium' = 'small'): string {
  const digest = createHash('md5').update(of.toLowerCase()).digest('hex');
  const medium = size === 'medium' ? `&s=${MEDIUM}` : '';
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon${medium}&version=${version}`;
}
