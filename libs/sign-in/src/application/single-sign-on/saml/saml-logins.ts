import { randomBytes } from 'node:crypto';
import { SamlStatusError } from '@node-saml/node-saml';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { SignOnTarget, ProvenPerson } from '../../../domain/single-sign-on/flow';
import type { SamlProvider } from '../../../domain/single-sign-on/providers';
import type { CheckedAssertion } from '../../../domain/single-sign-on/saml-assertion';
import { reject } from '../../../domain/single-sign-on/sign-on-rejections';
import { FLOW_MS, Flows } from '../flows';
import type { Departure } from '../oidc/oidc-logins';
import { Once, unguessableToken } from '../once';
import { OfferedProviders } from '../sign-on-providers';
import { assertionIn, metadataOf, requestUrl, senderOf, siteAt } from './saml-messages';
import type { SamlSite } from './saml-messages';

/** An assertion that was accepted, until the browser says for which login. */
interface AcceptedAssertion {
  readonly person: ProvenPerson;
  /** Null for a login that began at the provider. */
  readonly request: string | null;
}

/** How long a browser may take for the last step, which is a redirect. */
const CONTINUE_MS = 60_000;

/** Logins by SAML 2.0: a request by redirect, and a response by POST. */
@Injectable()
export class SamlLogins {
  constructor(
    private readonly kernel: Kernel,
    private readonly once: Once,
    private readonly flows: Flows,
    private readonly providers: OfferedProviders,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  async begin(realmId: RealmId, provider: SamlProvider, to: SignOnTarget): Promise<Departure> {
    const id = `_${randomBytes(20).toString('hex')}`;
    const { samlService: service } = this.providers.all;
    const url = await requestUrl(provider, await this.site(realmId), { id, service });
    await this.once.put(realmId, 'saml-request', id, true, FLOW_MS);
    const flow = { kind: 'saml', provider: provider.name, to, state: id, nonce: '', verifier: '' } as const;
    return { url, cookie: await this.flows.begin(realmId, flow) };
  }

  /**
   * Takes a response of a provider. The browser sends it from there without the cookies of this server, so the login is finished in a
   * further step.
   *
   * @returns the token of that step
   * @throws Rejected when the response is not valid, was used before, or answers no request
   */
  async accept(realmId: RealmId, response: string): Promise<string> {
    const { provider, assertion } = await this.verified(realmId, response);
    await this.ensureAnswers(realmId, provider, assertion);
    const token = unguessableToken();
    const accepted: AcceptedAssertion = { person: assertion.person, request: assertion.inResponseTo };
    await this.once.put(realmId, 'saml-result', token, accepted, CONTINUE_MS);
    return token;
  }

  /** @throws Rejected unless the login began in this browser, or the provider may begin logins */
  async finish(
    realmId: RealmId,
    token: string,
    cookie: string | undefined,
  ): Promise<{ readonly person: ProvenPerson; readonly to: SignOnTarget }> {
    const accepted = (await this.once.take(realmId, 'saml-result', token)) as AcceptedAssertion | undefined;
    if (!accepted) throw reject.flowEnded();
    const { person, request } = accepted;
    if (request === null) return { person, to: { next: null, mobileOtp: null, desktopOtp: null, invitation: null } };
    const flow = await this.flows.finish(realmId, 'saml', cookie);
    if (flow.state !== request || flow.provider !== person.provider) throw reject.flowEnded();
    return { person, to: flow.to };
  }

  /** What a provider must know about the organization. */
  async metadata(realmId: RealmId): Promise<string> {
    if ((await this.providers.of('saml', realmId)).length === 0) throw reject.noSuchProvider();
    return metadataOf(await this.site(realmId), this.providers.all.samlService);
  }

  private async verified(
    realmId: RealmId,
    response: string,
  ): Promise<{ readonly provider: SamlProvider; readonly assertion: CheckedAssertion }> {
    try {
      const provider = senderOf(response, await this.providers.of('saml', realmId));
      const of = { site: await this.site(realmId), now: this.kernel.clock.now() };
      return { provider, assertion: await assertionIn(response, provider, of) };
    } catch (error) {
      if (error instanceof Rejected) throw error;
      const refusal = this.refused((error as Error).message);
      throw error instanceof SamlStatusError ? reject.refusedThere() : refusal;
    }
  }

  private async ensureAnswers(
    realmId: RealmId,
    { entityId, isIdpInitiated }: SamlProvider,
    { id, inResponseTo, until }: CheckedAssertion,
  ): Promise<void> {
    if (!(await this.once.isFirstUse(realmId, 'saml-assertion', `${entityId} ${id}`, until))) {
      throw this.refused('the assertion was used before');
    }
    if (inResponseTo === null) {
      if (!isIdpInitiated) throw this.refused('the login began at the provider, which idp_initiated does not allow');
      return;
    }
    if ((await this.once.take(realmId, 'saml-request', inResponseTo)) === undefined) {
      throw this.refused('it answers no request, or one that was answered before');
    }
  }

  private async site(realmId: RealmId): Promise<SamlSite> {
    const { subdomain } = await this.realms.of(realmId);
    return siteAt(this.address.urlOf(subdomain));
  }

  private refused(reason: string): Rejected {
    this.kernel.options.log.warn({ reason }, 'A response of SAML was refused');
    return reject.badAnswer();
  }
}
