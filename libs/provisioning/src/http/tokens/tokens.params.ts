import { IntegerParam, PathId, TextParam, WordParam } from '@annals/web';
import type { TokenId, TokenRights } from '../../domain/tokens/token-events';
import { RIGHTS } from '../../domain/tokens/token-events';
import { MAX_NAME } from '../../domain/tokens/tokens';

/** UNIX seconds. */
const LATEST = 2 ** 35;

export class NewTokenParams {
  @TextParam({ trim: true, min: 1, max: MAX_NAME, printable: true, about: 'What it is for, such as `Okta`.' })
  name: string;
  @WordParam(RIGHTS, { quoted: true, about: 'What it may do.' }) rights: TokenRights = 'read-write';
  @IntegerParam({ optional: true, nullable: true, max: LATEST, about: 'UNIX seconds. Null: it does not expire.' })
  expiry_date?: number | null;
}

export class TokenParams {
  @PathId({ name: 'token_id' }) tokenId: TokenId;
}
