import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import * as client from 'openid-client';
import { addressOf } from '../../../domain/single-sign-on/addresses';
import type { SignOnTarget, ProvenPerson } from '../../../domain/single-sign-on/flow';
import type { OidcProvider } from '../../../domain/single-sign-on/providers';
import { reject } from '../../../domain/single-sign-on/sign-on-rejections';
import type { Flow } from '../flows';
import { Flows } from '../flows';
import { OfferedProviders } from '../sign-on-providers';
import { OidcClients } from './oidc-clients';
import { isOpen, personOf, together } from './oidc-person';

/** A login that goes on at another system. */
export interface Departure {
  readonly url: string;
  /** The cookie with which this browser finishes it. */
  readonly cookie: string;
}

/** The path that providers send people back to. Operators enter it there. */
export const OIDC_CALLBACK = '/complete/oidc/';

/** Logins by OpenID Connect: the code flow with PKCE, `state` and `nonce`. */
@Injectable()
export class OidcLogins {
  constructor(
    private readonly kernel: Kernel,
    private readonly clients: OidcClients,
    private readonly flows: Flows,
    private readonly providers: OfferedProviders,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  /** @throws Rejected when the provider cannot be reached */
  async begin(realmId: RealmId, provider: OidcProvider, to: SignOnTarget): Promise<Departure> {
    const configuration = await this.asked(provider, () => this.clients.of(provider));
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: await this.callback(realmId),
      scope: provider.scopes.join(' '),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const flow: Flow = { kind: 'oidc', provider: provider.name, to, state, nonce, verifier };
    return { url: url.href, cookie: await this.flows.begin(realmId, flow) };
  }

  /**
   * The person whom the provider has proved.
   *
   * @param query of the request with which the browser came back
   * @throws Rejected when the login did not begin in this browser, or the provider's answer is not valid
   */
  async finish(
    realmId: RealmId,
    query: string,
    cookie: string | undefined,
  ): Promise<{ readonly person: ProvenPerson; readonly to: SignOnTarget }> {
    const flow = await this.flows.finish(realmId, 'oidc', cookie);
    const provider = await this.providers.find('oidc', realmId, flow.provider);
    if (!provider) throw reject.noSuchProvider();
    const here = new URL(`${await this.callback(realmId)}?${query}`);
    const person = await this.asked(provider, () => this.proven(provider, here, flow));
    return { person, to: flow.to };
  }

  private async proven(provider: OidcProvider, here: URL, { state, nonce, verifier }: Flow): Promise<ProvenPerson> {
    const configuration = await this.clients.of(provider);
    const tokens = await client.authorizationCodeGrant(configuration, here, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw reject.badAnswer();
    const asksMore = isOpen(provider, claims) && configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = asksMore ? await this.more(provider, configuration, { ...claims, token: tokens.access_token }) : {};
    return personOf(provider, together(provider, claims, more));
  }

  /** What userinfo says. A token with an address is enough for somebody who is linked already, so their login goes on without. */
  private async more(
    provider: OidcProvider,
    configuration: client.Configuration,
    { token, ...claims }: client.IDToken & { readonly token: string },
  ): Promise<Readonly<Record<string, unknown>>> {
    try {
      return await client.fetchUserInfo(configuration, token, claims.sub);
    } catch (error) {
      const isOfAnother = (error as { code?: string }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
      if (isOfAnother || addressOf(claims[provider.claims.email]) === null) throw error;
      this.note(provider, error, 'userinfo of OpenID Connect failed');
      return {};
    }
  }

  private async callback(realmId: RealmId): Promise<string> {
    const { subdomain } = await this.realms.of(realmId);
    return `${this.address.urlOf(subdomain)}${OIDC_CALLBACK}`;
  }

  /** Failures are refusals to the person, and a line of the log to the operator. */
  private async asked<T>(provider: OidcProvider, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Rejected) throw error;
      this.note(provider, error, 'OpenID Connect failed');
      throw refusalOf(error);
    }
  }

  private note({ name }: OidcProvider, error: unknown, what: string): void {
    const { code = '', error: told = '' } = error as { code?: string; error?: string };
    const reason = (error as Error).message;
    this.kernel.options.log.warn({ provider: name, code, told, reason, cause: connectionFailure(error) }, what);
  }
}

function refusalOf(error: unknown): Rejected {
  if (error instanceof client.AuthorizationResponseError) return reject.refusedThere();
  const { code = '' } = error as { code?: string };
  const isAway = error instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM';
  return isAway ? reject.unreachable() : reject.badAnswer();
}

/** Why there was no connection, which `fetch` says in the cause of its error. Causes of other errors may have secrets. */
function connectionFailure(error: unknown): string | undefined {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return undefined;
  const { code, message } = error.cause as NodeJS.ErrnoException;
  return [code, message].filter(Boolean).join(': ');
}
