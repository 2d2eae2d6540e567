import type { Actor, Instant, Recorded } from '@annals/kernel/domain';
import { allowedIf, defineAggregate, ensure, fact, isOwner, rejection } from '@annals/kernel/domain';
import type { TokenEvent, TokenId, TokenRights } from './token-events';
import { TokenEnded, TokenIssued } from './token-events';

/** Most tokens of an organization that have not ended. */
export const MAX_TOKENS = 50;

/** Longest name of a token. */
export const MAX_NAME = 60;

const reject = {
  noSuchToken: rejection('BAD_REQUEST', 'No such token', { notFound: true }),
  ownerNeeded: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
  badName: rejection('BAD_REQUEST', `The name of a token has 1 to ${MAX_NAME} characters, in one line.`),
  expired: rejection('BAD_REQUEST', 'The expiry date is in the past.'),
  tooMany: rejection('BAD_REQUEST', `An organization has at most ${MAX_TOKENS} tokens. End one that is not used.`),
};

/** The tokens of an organization that were not ended. */
export const tokensAggregate = defineAggregate<ReadonlySet<TokenId>, TokenEvent, 'realm'>(
  'provisioning-tokens',
  new Set(),
  (tokens, { type, data }: Recorded<TokenEvent>) => {
    if (type === 'provisioning.TokenIssued') return new Set([...tokens, data.tokenId]);
    return new Set([...tokens].filter((id) => id !== data.tokenId));
  },
);

/** What the caller chooses of a new token. */
export interface NewToken {
  readonly name: string;
  readonly rights: TokenRights;
  /** Null: it does not expire. */
  readonly expiresAt: Instant | null;
}

/** Who may issue and end tokens: owners, and the operator of the server, who is null. */
type Manager = Pick<Actor, 'role'> | null;

const ensureManager = (by: Manager): void => ensure(allowedIf(by === null || isOwner(by), reject.ownerNeeded));

/** Control characters and line breaks. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

const isName = (name: string): boolean => name.trim() !== '' && [...name].length <= MAX_NAME && !UNPRINTABLE.test(name);

/** @throws Rejected for all but owners, for a name that is none, for a date in the past, and for too many tokens */
export function issueToken(
  tokens: ReadonlySet<TokenId>,
  tokenId: TokenId,
  { name, rights, expiresAt }: NewToken,
  by: Manager,
  at: Instant,
): TokenIssued[] {
  ensureManager(by);
  if (!isName(name)) throw reject.badName();
  if (expiresAt !== null && expiresAt <= at) throw reject.expired();
  if (tokens.size >= MAX_TOKENS) throw reject.tooMany();
  return [fact(TokenIssued, { tokenId, rights, expiresAt }, { name })];
}

/** @throws Rejected for all but owners, and for a token that is none or has ended */
export function endToken(tokens: ReadonlySet<TokenId>, tokenId: TokenId, by: Manager): TokenEnded[] {
  ensureManager(by);
  if (!tokens.has(tokenId)) throw reject.noSuchToken();
  return [fact(TokenEnded, { tokenId })];
}
