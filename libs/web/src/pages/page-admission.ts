import { RealmByHost, RealmFronts } from '@annals/kernel';
import { rejection } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { admit } from '../auth/audience';
import { KeyAttempts } from '../auth/key-attempts';
import { Writes } from '../auth/writes';
import { RateLimits } from '../limits/rate-limits';
import { RealmAllowance } from '../limits/realm-allowance';
import type { EndpointDeclaration } from '../reference/endpoint-declaration';
import type { WebRequest } from '../request';
import { hostOf, originOf } from '../request';
import { ensureOwnForm } from './form-origin';
import { PageCookies, SESSION_COOKIE } from './page-cookies';
import { PageVisit } from './page-visit';

/** Nobody has logged in with this browser, or not for long enough. Browsers are sent to the login page. */
const loginNeeded = rejection('UNAUTHENTICATED_USER', 'Not logged in: API authentication or user session required');

/** The checks of every request for a page: quota, organization, session, and where its form was. */
@Injectable()
export class PageAdmission {
  constructor(
    private readonly authenticator: KeyAttempts,
    private readonly realms: RealmByHost,
    private readonly fronts: RealmFronts,
    private readonly limits: RateLimits,
    private readonly writes: Writes,
    private readonly allowance: RealmAllowance,
  ) {}

  /** @throws Rejected for the first check that fails. UNAUTHENTICATED_USER where the page is for people with a session */
  async admit(request: WebRequest, reply: FastifyReply, endpoint: EndpointDeclaration): Promise<void> {
    const cookies = new PageCookies(request, reply);
    await this.limits.chargeAddress(request.ip, reply, 'visits');
    request.realmId = await this.realms.realmOf(hostOf(request));
    new PageVisit(request, reply, cookies, await this.fronts.of(request.realmId)).begin();
    this.writes.ensureAllowed(endpoint);
    if (endpoint.method === 'POST' && endpoint.page?.fromElsewhere !== true) ensureOwnForm(request, cookies);
    if (endpoint.audience === 'session') await this.logIn(request, reply, cookies);
    await this.allowance.ensureRoom(request.realmId, endpoint);
  }

  private async logIn(request: WebRequest, reply: FastifyReply, cookies: PageCookies): Promise<void> {
    const cookie = cookies.get(SESSION_COOKIE);
    if (cookie === undefined) throw loginNeeded();
    const presented = { host: hostOf(request), cookie, origin: originOf(request) };
    const account = await this.authenticator.authenticateSession(presented);
    if (account === null) throw loginNeeded();
    await this.limits.chargeUser(account, reply);
    await this.allowance.charge(account.realmId, reply);
    admit(account, 'session', false);
    request.user = account;
  }
}
