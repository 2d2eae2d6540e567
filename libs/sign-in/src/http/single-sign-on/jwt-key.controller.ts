import type { RealmId } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { UserFacts, presentUser, viewerOf } from '@annals/users';
import { userShape } from '@annals/users/http';
import { AtRealm, BooleanParam, Endpoint, Info, LoginAttempts, Params, RequestInfo, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { LogInByToken } from '../../application/single-sign-on/log-in-by-token';
import { signedPartOf } from '../../application/single-sign-on/jwt/jwt-tokens';

class FetchByTokenParams {
  @TextParam({ about: 'Signed, with the claim `email`.' }) token = '';
  @BooleanParam({ about: 'Adds `user` to the answer.' }) include_profile = false;
}

/** Keys for JSON Web Tokens of another system. */
@Controller()
export class JwtKeyController {
  constructor(
    private readonly commands: CommandBus,
    private readonly attempts: LoginAttempts,
    private readonly facts: UserFacts,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  /** contract/boot.md section 2.2 */
  @Endpoint('POST', 'jwt/fetch_api_key', {
    audience: 'public',
    section: 'boot 2.2',
    summary: 'Exchange a JSON Web Token for a key',
    addressQuota: 'visits',
    command: 'LogInByToken',
    evenIfFull: true,
    returns: t.Object({ api_key: t.String(), email: t.String(), user: t.Optional(userShape) }),
  })
  async fetchKey(
    @AtRealm() realmId: RealmId,
    @Info() info: RequestInfo,
    @Params(FetchByTokenParams) { token, include_profile }: FetchByTokenParams,
  ) {
    await this.attempts.countLogin(realmId, signedPartOf(token), info);
    const { apiKey, email, userId } = await this.commands.execute(new LogInByToken(realmId, token, info.origin));
    const user = include_profile ? { user: await this.profile(realmId, userId) } : {};
    return { api_key: apiKey, email, ...user };
  }

  private async profile(realmId: RealmId, userId: number) {
    const user = await this.facts.account(realmId, userId);
    if (!user) throw new Error(`account ${userId} is not in the read model`);
    const { subdomain } = await this.realms.of(realmId);
    const viewer = viewerOf(user, { url: this.address.urlOf(subdomain) });
    return presentUser(user, viewer, { clientGravatar: false, profileData: null });
  }
}
