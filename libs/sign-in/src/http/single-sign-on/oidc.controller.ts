import type { RealmId } from '@annals/kernel/domain';
import type { Bytes } from '@annals/web';
import { AtRealm, Page, PageVisit, Params, TextParam, Visit } from '@annals/web';
import { Controller } from '@nestjs/common';
import { OidcLogins } from '../../application/single-sign-on/oidc/oidc-logins';
import { FLOW_COOKIE, SignOnAnswers } from './sign-on-answers';

/** What a provider of OpenID Connect adds to the address when it sends somebody back. */
class CallbackParams {
  @TextParam({ optional: true }) code?: string;
  @TextParam({ optional: true }) state?: string;
  @TextParam({ optional: true }) iss?: string;
  @TextParam({ optional: true }) error?: string;
  @TextParam({ optional: true }) error_description?: string;
  @TextParam({ optional: true }) session_state?: string;
}

@Controller()
export class OidcController {
  constructor(
    private readonly logins: OidcLogins,
    private readonly answers: SignOnAnswers,
  ) {}

  @Page('GET', '/complete/oidc/', {
    audience: 'public',
    summary: 'Where providers of OpenID Connect send people back to',
    command: 'FinishSignOn',
    evenIfFull: true,
  })
  async complete(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(CallbackParams) params: CallbackParams,
  ): Promise<Bytes> {
    const query = new URLSearchParams(Object.entries(params) as [string, string][]).toString();
    const arrival = await this.logins.finish(realmId, query, visit.cookies.get(FLOW_COOKIE));
    visit.cookies.remove(FLOW_COOKIE);
    return this.answers.finish(realmId, visit, arrival);
  }
}
