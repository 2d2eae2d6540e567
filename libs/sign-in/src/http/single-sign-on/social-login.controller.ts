import type { RealmId } from '@annals/kernel/domain';
import { AuthenticationMethods } from '@annals/realm';
import type { Bytes } from '@annals/web';
import { AtRealm, Page, PageVisit, Params, Visit } from '@annals/web';
import { Controller } from '@nestjs/common';
import { OidcLogins } from '../../application/single-sign-on/oidc/oidc-logins';
import { SamlLogins } from '../../application/single-sign-on/saml/saml-logins';
import { OfferedProviders } from '../../application/single-sign-on/sign-on-providers';
import { reject } from '../../domain/single-sign-on/sign-on-rejections';
import { OnlyProviderParams, ProviderParams, toDestination } from './destination.params';
import { MainAddress } from './main-address';
import { FLOW_COOKIE, FLOW_SECONDS } from './sign-on-answers';

interface Requested {
  readonly realmId: RealmId;
  readonly provider: string | undefined;
  readonly params: OnlyProviderParams;
}

/** The buttons of the login page that lead to other systems. Registering is the same: who has no account is asked. */
@Controller()
export class SocialLoginController {
  constructor(
    private readonly methods: AuthenticationMethods,
    private readonly providers: OfferedProviders,
    private readonly oidc: OidcLogins,
    private readonly saml: SamlLogins,
    private readonly address: MainAddress,
  ) {}

  @Page('GET', '/accounts/login/social/:kind/:provider', {
    audience: 'public',
    summary: 'Log in at another system',
    command: 'FinishSignOn',
    evenIfFull: true,
  })
  logIn(@AtRealm() realmId: RealmId, @Visit() visit: PageVisit, @Params(ProviderParams) params: ProviderParams) {
    return this.begin(visit, { realmId, provider: params.provider, params });
  }

  @Page('GET', '/accounts/login/social/:kind', {
    audience: 'public',
    summary: 'Log in at the only other system',
    command: 'FinishSignOn',
    evenIfFull: true,
  })
  logInAtOnly(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(OnlyProviderParams) params: OnlyProviderParams,
  ) {
    return this.begin(visit, { realmId, provider: undefined, params });
  }

  @Page('GET', '/accounts/register/social/:kind/:provider', {
    audience: 'public',
    summary: 'Join by another system',
    command: 'FinishSignOn',
    evenIfFull: true,
  })
  register(@AtRealm() realmId: RealmId, @Visit() visit: PageVisit, @Params(ProviderParams) params: ProviderParams) {
    return this.begin(visit, { realmId, provider: params.provider, params });
  }

  @Page('GET', '/accounts/register/social/:kind', {
    audience: 'public',
    summary: 'Join by the only other system',
    command: 'FinishSignOn',
    evenIfFull: true,
  })
  registerAtOnly(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(OnlyProviderParams) params: OnlyProviderParams,
  ) {
    return this.begin(visit, { realmId, provider: undefined, params });
  }

  private async begin(visit: PageVisit, requested: Requested): Promise<Bytes> {
    const address = await this.address.insteadOf(visit.hostName, requested.realmId);
    if (address !== null) return visit.moveTo(address);
    const { url, cookie } = await this.departure(requested);
    visit.cookies.set(FLOW_COOKIE, cookie, { maxAge: FLOW_SECONDS });
    return visit.leave(url);
  }

  private async departure({ realmId, provider: name, params }: Requested) {
    const to = toDestination(params);
    if (params.kind === 'oidc') {
      const provider = await this.usable(realmId, 'OpenID Connect', this.providers.find('oidc', realmId, name));
      return this.oidc.begin(realmId, provider, to);
    }
    if (params.kind !== 'saml') throw reject.noSuchProvider();
    const provider = await this.usable(realmId, 'SAML', this.providers.find('saml', realmId, name));
    return this.saml.begin(realmId, provider, to);
  }

  private async usable<Provider>(
    realmId: RealmId,
    method: 'OpenID Connect' | 'SAML',
    found: Promise<Provider | undefined>,
  ): Promise<Provider> {
    const provider = await found;
    if (provider === undefined) throw reject.noSuchProvider();
    if (!(await this.methods.isOn(realmId, method))) throw reject.methodOff();
    return provider;
  }
}
