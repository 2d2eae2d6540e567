import { Kernel } from '@annals/kernel';
import type { Actor, Instant, RealmId, UserId } from '@annals/kernel/domain';
import { readOwners } from '@annals/users';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { TokenId, TokenRights } from '../../domain/tokens/token-events';

/** A token that was not ended, without its secret. */
export interface ListedToken {
  readonly tokenId: TokenId;
  readonly name: string;
  readonly rights: TokenRights;
  readonly expiresAt: Instant | null;
  /** Null for the operator of the server. */
  readonly issuedBy: UserId | null;
  /** Whether that person is an active owner now. Null for the operator. */
  readonly issuerIsOwner: boolean | null;
  readonly issuedAt: Instant;
  /** To the hour. Null if it was never used. */
  readonly usedAt: Instant | null;
}

/** The tokens of the organization that were not ended, in the order of their ids. */
export class ListTokens extends Query<ListedToken[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListTokens)
export class ListTokensHandler implements IQueryHandler<ListTokens> {
  constructor(private readonly kernel: Kernel) {}

  execute({ by }: ListTokens): Promise<ListedToken[]> {
    return readTokens(this.kernel, by.realmId);
  }
}

/** The tokens of an organization that were not ended, in the order of their ids. */
export async function readTokens({ database }: Kernel, realmId: RealmId): Promise<ListedToken[]> {
  const { rows } = await database.pool.query<Omit<ListedToken, 'issuerIsOwner'>>({
    name: 'provisioning-tokens',
    text: `SELECT t.token_id AS "tokenId", t.name, t.rights, t.expires_at AS "expiresAt", t.issued_by AS "issuedBy",
        t.issued_at AS "issuedAt", s.used_at AS "usedAt"
      FROM view.provisioning_tokens AS t
      LEFT JOIN secrets AS s ON s.realm_id = t.realm_id AND s.id = 'provisioning-token-' || t.token_id
      WHERE t.realm_id = $1 ORDER BY t.token_id`,
    values: [realmId],
  });
  const owners = new Set(rows.length > 0 ? await readOwners(database.pool, realmId) : []);
  return rows.map((row) => ({ ...row, issuerIsOwner: row.issuedBy === null ? null : owners.has(row.issuedBy) }));
}
