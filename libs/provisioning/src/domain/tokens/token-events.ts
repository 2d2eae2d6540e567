import type { FactOf, Id } from '@annals/kernel/domain';
import { aboutRealm, count, defineEvent, nullable, t, words } from '@annals/kernel/domain';

/** Names a token. The token itself is stored nowhere: only the directory has it. */
export type TokenId = Id<'provisioning-token'>;

export const RIGHTS = ['read-only', 'read-write'] as const;
export type TokenRights = (typeof RIGHTS)[number];

export const tokenId = t.Unsafe<TokenId>(t.Integer({ minimum: 1 }));

/**
 * Stream `provisioning-tokens-realm`: a program may provision accounts and groups. The digest of its token is stored beside the
 * log under the token's id.
 */
export const TokenIssued = defineEvent('provisioning.TokenIssued', {
  data: t.Object({
    tokenId,
    rights: words(...RIGHTS),
    /** Milliseconds since the epoch. Null: it does not expire. */
    expiresAt: nullable(count),
  }),
  sealed: t.Object({ name: t.String() }),
  subjects: aboutRealm,
});
export type TokenIssued = FactOf<typeof TokenIssued>;

/** The token is not valid any more. */
export const TokenEnded = defineEvent('provisioning.TokenEnded', {
  data: t.Object({ tokenId }),
  subjects: aboutRealm,
});
export type TokenEnded = FactOf<typeof TokenEnded>;

export type TokenEvent = TokenIssued | TokenEnded;
