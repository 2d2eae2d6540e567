import { createHash } from 'node:crypto';

/** The kind of a token's secret, and the beginning of its name. */
export const TOKEN_SECRET = 'provisioning-token';

/** Name of the secret with the digest of a token. */
export const tokenSecret = (tokenId: number): string => `${TOKEN_SECRET}-${tokenId}`;

/** The stored form of a token. Tokens are random, so a fast digest is enough. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

const TOKEN = /^annals-(\d{1,15})-[A-Za-z0-9]{32}$/;

/** A token, with the id by which it is found. @param random 32 letters and digits that nobody can guess */
export const tokenText = (tokenId: number, random: string): string => `annals-${tokenId}-${random}`;

/** The id in a token. Undefined for what cannot be one. */
export function idInToken(token: string): number | undefined {
  const id = TOKEN.exec(token)?.[1];
  return id === undefined ? undefined : Number(id);
}
