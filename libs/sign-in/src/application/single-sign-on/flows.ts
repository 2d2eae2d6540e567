import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { SignOnTarget } from '../../domain/single-sign-on/flow';
import { reject } from '../../domain/single-sign-on/sign-on-rejections';
import { Once, unguessableToken } from './once';

/** A login under way at another system, which began in one browser. */
export interface Flow {
  readonly kind: 'oidc' | 'saml' | 'header';
  readonly provider: string;
  readonly to: SignOnTarget;
  /** What the answer must belong to: `state` of OpenID Connect, the id of a request of SAML. */
  readonly state: string;
  /** What only this server knows of the request. */
  readonly nonce: string;
  readonly verifier: string;
}

/** How long somebody may take at the other system. */
export const FLOW_MS = 30 * 60_000;

/** Logins under way. Any process can finish them, once, in the browser where they began. */
@Injectable()
export class Flows {
  constructor(private readonly once: Once) {}

  /** @returns the value of the cookie with which the browser finishes it */
  async begin(realmId: RealmId, flow: Flow): Promise<string> {
    const cookie = unguessableToken();
    await this.once.put(realmId, 'flow', cookie, flow, FLOW_MS);
    return cookie;
  }

  /** @throws Rejected unless the browser began such a login, and has not finished it */
  async finish(realmId: RealmId, kind: Flow['kind'], cookie: string | undefined): Promise<Flow> {
    const flow = await this.begun(realmId, kind, cookie);
    if (!flow) throw reject.flowEnded();
    return flow;
  }

  /** As `finish`. Undefined unless the browser began such a login, and has not finished it. */
  async begun(realmId: RealmId, kind: Flow['kind'], cookie: string | undefined): Promise<Flow | undefined> {
    if (cookie === undefined) return undefined;
    const flow = (await this.once.take(realmId, 'flow', cookie)) as Flow | undefined;
    return flow?.kind === kind ? flow : undefined;
  }
}
