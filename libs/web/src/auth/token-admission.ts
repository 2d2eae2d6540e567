import type { TokenBearer } from '@annals/kernel';
import { BearerTokens } from '@annals/kernel';
import { Rejected, rejection } from '@annals/kernel/domain';
import { Injectable, Optional } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RateLimits } from '../limits/rate-limits';
import { RealmAllowance } from '../limits/realm-allowance';
import { isUnstorable } from '../params/text';
import type { EndpointDeclaration } from '../reference/endpoint-declaration';
import type { WebRequest } from '../request';
import { hostOf, originOf } from '../request';
import { Writes } from './writes';

const reject = {
  noToken: rejection('UNAUTHORIZED', 'A bearer token is needed.'),
  mayNotWrite: rejection('READ_ONLY_TOKEN', 'This token may only read.', { forbidden: true }),
};

const BEARER = /^bearer +(\S+) *$/i;

/** The checks of every request of a program with a token instead of an account. */
@Injectable()
export class TokenAdmission {
  constructor(
    private readonly limits: RateLimits,
    private readonly writes: Writes,
    private readonly allowance: RealmAllowance,
    @Optional() private readonly tokens?: BearerTokens,
  ) {}

  /** @throws Rejected for a token that is not valid here, a quota that is used up, or a token that may not write */
  async admit(request: WebRequest, reply: FastifyReply, endpoint: EndpointDeclaration): Promise<void> {
    const bearer = await this.bearerOf(request).catch(async (error: unknown) => {
      // Only who failed is charged by address, as for keys of accounts.
      if (error instanceof Rejected) await this.limits.chargeAddress(request.ip, reply);
      throw error;
    });
    await this.limits.chargeToken(bearer, reply);
    await this.allowance.charge(bearer.realmId, reply);
    if (endpoint.command !== undefined && !bearer.mayWrite) throw reject.mayNotWrite();
    this.writes.ensureAllowed(endpoint);
    await this.allowance.ensureRoom(bearer.realmId, endpoint);
    request.bearer = bearer;
  }

  private async bearerOf(request: WebRequest): Promise<TokenBearer> {
    const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined || isUnstorable(token) || !this.tokens) throw reject.noToken();
    return this.tokens.accept({ host: hostOf(request), key: token, origin: originOf(request) });
  }
}
