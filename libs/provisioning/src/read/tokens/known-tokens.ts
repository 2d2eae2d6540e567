import { timingSafeEqual } from 'node:crypto';
import type { FactCache, PresentedKey, TokenBearer } from '@annals/kernel';
import { BearerTokens, Kernel, RealmByHost } from '@annals/kernel';
import type { Instant, RealmId, Recorded } from '@annals/kernel/domain';
import { rejection } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { TokenEvent, TokenId, TokenRights } from '../../domain/tokens/token-events';
import { idInToken, tokenDigest, tokenSecret } from './token-secret';

const invalidToken = rejection('INVALID_API_KEY', 'Invalid token');

/** How exactly the last use of a token is known, in ms. */
const USE_RESOLUTION_MS = 60 * 60 * 1000;

/** Compared with if there is no such token, so that the answer takes as long. */
const NOBODYS = tokenDigest('');

interface StoredToken {
  readonly tokenId: TokenId;
  readonly rights: TokenRights;
  readonly expiresAt: Instant | null;
  readonly digest: Buffer;
  /** Null if it was never used. */
  usedAt: number | null;
}

/** Tokens, cached in the process. Exact after the organization of the host was found, because that passes the fence. */
@Injectable()
export class KnownTokens extends BearerTokens {
  private readonly tokens: FactCache<StoredToken>;

  constructor(
    private readonly kernel: Kernel,
    private readonly hosts: RealmByHost,
  ) {
    super();
    this.tokens = kernel.facts<StoredToken>({ touched, load: (realmId, ids) => this.load(realmId, ids) });
  }

  override async accept({ host, key, origin }: PresentedKey): Promise<TokenBearer> {
    const realmId = await this.hosts.realmOf(host);
    const id = idInToken(key);
    const token = id === undefined ? undefined : await this.tokens.get(realmId, id);
    const matches = timingSafeEqual(tokenDigest(key), token?.digest ?? NOBODYS);
    const now = this.kernel.clock.now();
    if (!token || !matches || (token.expiresAt !== null && token.expiresAt <= now)) throw invalidToken();
    await this.noteUse(realmId, token, now);
    const { tokenId, rights } = token;
    return { realmId, tokenId, mayWrite: rights === 'read-write', origin: { ...origin, client: clientOf(tokenId) } };
  }

  private async noteUse(realmId: RealmId, token: StoredToken, now: Instant): Promise<void> {
    if (token.usedAt !== null && now - token.usedAt < USE_RESOLUTION_MS) return;
    token.usedAt = now; // This is before the query, so that one of many requests at once sends it.
    await this.kernel.database.pool.query(
      'UPDATE secrets SET used_at = $3 WHERE realm_id = $1 AND id = $2 AND (used_at IS NULL OR used_at < $3)',
      [realmId, tokenSecret(token.tokenId), now],
    );
  }

  private async load(realmId: RealmId, ids: readonly string[]): Promise<Map<string, StoredToken>> {
    const { rows } = await this.kernel.database.pool.query<StoredToken>({
      name: 'provisioning-tokens-by-id',
      text: `SELECT t.token_id AS "tokenId", t.rights, t.expires_at AS "expiresAt", s.value AS digest, s.used_at AS "usedAt"
        FROM view.provisioning_tokens AS t
        JOIN secrets AS s ON s.realm_id = t.realm_id AND s.id = 'provisioning-token-' || t.token_id
        WHERE t.realm_id = $1 AND t.token_id = ANY($2::int8[])`,
      values: [realmId, ids],
    });
    return new Map(rows.map((row) => [String(row.tokenId), row]));
  }
}

/** The client of the events of a token. */
const clientOf = (tokenId: TokenId): string => `SCIM token ${tokenId}`;

const touched = (event: Recorded): readonly TokenId[] =>
  event.type === 'provisioning.TokenIssued' || event.type === 'provisioning.TokenEnded'
    ? [(event as Recorded<TokenEvent>).data.tokenId]
    : [];
