import { RealmByHost } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable, NotFoundException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { AccountAudience } from './audience';
import { admit } from './audience';
import { BasicLogin } from './basic-login';
import type { EndpointDeclaration } from '../reference/endpoint-declaration';
import { KeyAttempts } from './key-attempts';
import { OrganizationSlots } from '../limits/organization-slots';
import { PageAdmission } from '../pages/page-admission';
import { readFields } from '../body/multipart';
import { missingParameter } from '../params/decode';
import { RateLimited, RateLimits, sendQuota } from '../limits/rate-limits';
import { RealmAllowance } from '../limits/realm-allowance';
import type { WebRequest } from '../request';
import { endpointOf, hostOf, originOf } from '../request';
import { fileBesideFields } from '../body/sent-file';
import { TokenAdmission } from './token-admission';
import { Writes } from './writes';

const DECIMAL = /^\d+$/;
/** The key of an incoming webhook bot in the query string. */
const KEY_PARAMETER = 'api_key';

/**
 * The checks of every request to the API before its parameters are read: the route's ids, login, quota, audience
 * (contract/conventions.md section 4, order of checks).
 */
@Injectable()
export class ApiAuthGuard implements CanActivate {
  constructor(
    private readonly authenticator: KeyAttempts,
    private readonly login: BasicLogin,
    private readonly realms: RealmByHost,
    private readonly limits: RateLimits,
    private readonly writes: Writes,
    private readonly pages: PageAdmission,
    private readonly tokens: TokenAdmission,
    private readonly allowance: RealmAllowance,
    private readonly slots: OrganizationSlots,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<WebRequest>();
    const endpoint = endpointOf(request);
    if (!endpoint) return true;
    refuseOtherThanIds(endpoint, request.params as Record<string, string>);
    if (request.isMultipart() && !endpoint.files) request.body = await readFields(request);
    await this.slots.take(request);
    const reply = http.getResponse<FastifyReply>();
    if (await this.admittedWithoutKey(request, reply, endpoint)) return true;
    request.authenticator = this.authenticator;
    try {
      request.user =
        endpoint.audience === 'webhooks' ? await this.webhookBot(request, endpoint) : await this.login.of(request);
    } catch (error) {
      if (error instanceof RateLimited) sendQuota(reply, error.state);
      // Only who failed is charged by address, so that many people behind one address do not share a quota.
      else if (error instanceof Rejected) await this.limits.chargeAddress(request.ip, reply);
      throw error;
    }
    if (!endpoint.unlimited) await this.charge(request.user, reply);
    admit(request.user, endpoint.audience as AccountAudience, endpoint.webhookBots ?? false);
    await this.ensureMayWrite(endpoint, request.user);
    if (waitsForItsClient(request, endpoint)) request.slot?.free();
    // Not earlier, because the file is held in memory as a whole.
    if (typeof endpoint.files === 'object' && request.isMultipart()) {
      request.attached = await fileBesideFields(request, endpoint.files);
    }
    return true;
  }

  /** Whether the endpoint is for callers without a key of an account, who are then admitted. */
  private async admittedWithoutKey(request: WebRequest, reply: FastifyReply, endpoint: EndpointDeclaration) {
    if (endpoint.page !== undefined) await this.pages.admit(request, reply, endpoint);
    else if (endpoint.audience === 'provisioning') await this.tokens.admit(request, reply, endpoint);
    else if (endpoint.audience === 'public') {
      await this.limits.chargeAddress(request.ip, reply, endpoint.addressQuota);
      request.realmId = await this.realms.realmOf(hostOf(request), { isDeactivatedToo: endpoint.ofDeactivated });
      this.writes.ensureAllowed(endpoint);
      await this.allowance.ensureRoom(request.realmId, endpoint);
    } else return false;
    return true;
  }

  /** @throws Rejected READ_ONLY_PAST, and REALM_LOG_QUOTA for a command that needs room */
  private async ensureMayWrite(endpoint: EndpointDeclaration, { realmId }: Actor): Promise<void> {
    this.writes.ensureAllowed(endpoint);
    await this.allowance.ensureRoom(realmId, endpoint);
  }

  /** @throws Rejected RATE_LIMIT_HIT */
  private async charge(user: Actor, reply: FastifyReply): Promise<void> {
    await this.limits.chargeUser(user, reply);
    await this.allowance.charge(user.realmId, reply);
  }

  /** @throws Rejected REQUEST_VARIABLE_MISSING without a key, READ_ONLY_PAST, and the refusals of the authenticator */
  private webhookBot(request: WebRequest, endpoint: EndpointDeclaration): Promise<Actor> {
    // A past would not know the key.
    this.writes.ensureAllowed(endpoint);
    const key = request.query[KEY_PARAMETER];
    if (key === undefined) throw missingParameter(KEY_PARAMETER);
    return this.authenticator.authenticateKey({ host: hostOf(request), key, origin: originOf(request) });
  }
}

/** Polls and streams wait for events, and the bytes of a file arrive as fast as the client sends them. */
const waitsForItsClient = (request: WebRequest, { streams }: EndpointDeclaration): boolean =>
  streams === true || request.isMultipart();

/** @throws NotFoundException like the router for an unknown path. Another method may match the path */
function refuseOtherThanIds({ ids }: EndpointDeclaration, path: Record<string, string>): void {
  for (const name of ids) if (!DECIMAL.test(path[name] ?? '')) throw new NotFoundException();
}
