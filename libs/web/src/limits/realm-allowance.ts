import { RealmQuotas } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { EndpointDeclaration } from '../reference/endpoint-declaration';
import { RateLimits } from './rate-limits';

/** What the operator lets an organization use, for every request that is admitted to one: with a key, a session, a token or nothing. */
@Injectable()
export class RealmAllowance {
  constructor(
    private readonly quotas: RealmQuotas,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Counts a request of an account or of a program with a token. Those of strangers count for their address only, or they could
   * use up what an organization has.
   *
   * @throws Rejected RATE_LIMIT_HIT
   */
  async charge(realmId: RealmId, reply: FastifyReply): Promise<void> {
    const limit = await this.quotas.requestsPerMinute(realmId);
    if (limit !== null) await this.limits.chargeRealm(realmId, limit, reply);
  }

  /** @throws Rejected REALM_LOG_QUOTA for a command that needs room in the log */
  async ensureRoom(realmId: RealmId, { command, evenIfFull }: EndpointDeclaration): Promise<void> {
    if (command !== undefined && !evenIfFull) await this.quotas.ensureRoomInLog(realmId);
  }
}
