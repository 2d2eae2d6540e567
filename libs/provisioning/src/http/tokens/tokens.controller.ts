import type { Actor, Instant } from '@annals/kernel/domain';
import { nullable, t, unixSeconds, words } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { EndToken } from '../../application/tokens/end-token';
import { IssueToken } from '../../application/tokens/issue-token';
import { RIGHTS } from '../../domain/tokens/token-events';
import type { ListedToken } from '../../read/tokens/list-tokens';
import { ListTokens } from '../../read/tokens/list-tokens';
import { NewTokenParams, TokenParams } from './tokens.params';

const seconds = nullable(t.Integer({ description: 'UNIX seconds.' }));

const tokenShape = t.Object(
  {
    id: t.Integer(),
    name: t.String(),
    rights: words(...RIGHTS),
    creator_id: nullable(t.Integer({ description: 'Null for the operator of the server.' })),
    creator_is_owner: nullable(
      t.Boolean({
        description:
          'Whether the creator is an active owner now. If not, look at who has the token. Null for the operator.',
      }),
    ),
    date_created: t.Integer(),
    expiry_date: seconds,
    last_used: seconds,
  },
  { $id: 'ProvisioningToken' },
);

/** Tokens with which directories provision accounts and groups. */
@Controller()
export class TokensController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint('GET', 'provisioning/tokens', {
    audience: 'owners',
    section: 'provisioning',
    summary: 'Tokens of directories',
    returns: t.Object({ tokens: t.Array(tokenShape) }),
  })
  async list(@By() by: Actor) {
    const tokens = await this.queries.execute(new ListTokens(by));
    return { tokens: tokens.map(presentToken) };
  }

  @Endpoint('POST', 'provisioning/tokens', {
    audience: 'owners',
    section: 'provisioning',
    summary: 'Issue a token for a directory',
    command: 'IssueToken',
    returns: t.Object({ id: t.Integer(), token: t.String({ description: 'It is shown only now.' }) }),
  })
  async issue(@By() by: Actor, @Params(NewTokenParams) { name, rights, expiry_date }: NewTokenParams) {
    const expiresAt = expiry_date === null || expiry_date === undefined ? null : ((expiry_date * 1_000) as Instant);
    const { tokenId: id, token } = await this.commands.execute(new IssueToken(by, { name, rights, expiresAt }));
    return { id, token };
  }

  @Endpoint('DELETE', 'provisioning/tokens/:token_id', {
    audience: 'owners',
    section: 'provisioning',
    summary: 'End a token',
    command: 'EndToken',
    evenIfFull: true,
    returns: null,
  })
  async end(@By() by: Actor, @Params(TokenParams) { tokenId }: TokenParams): Promise<void> {
    await this.commands.execute(new EndToken(by, tokenId));
  }
}

const presentToken = ({
  tokenId,
  name,
  rights,
  issuedBy,
  issuerIsOwner,
  issuedAt,
  expiresAt,
  usedAt,
}: ListedToken) => ({
  id: tokenId,
  name,
  rights,
  creator_id: issuedBy,
  creator_is_owner: issuerIsOwner,
  date_created: unixSeconds(issuedAt),
  expiry_date: expiresAt === null ? null : unixSeconds(expiresAt),
  last_used: usedAt === null ? null : unixSeconds(usedAt),
});
