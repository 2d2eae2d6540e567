import type { RealmId } from '@annals/kernel/domain';
import type { Bytes } from '@annals/web';
import { AtRealm, Page, PageVisit, Params, Visit } from '@annals/web';
import { Controller } from '@nestjs/common';
import { TrustedHeaders } from '../../application/single-sign-on/trusted-headers';
import { DestinationParams, toDestination } from './destination.params';
import { SignOnAnswers } from './sign-on-answers';

/** Logins that a proxy in front of the server has made. */
@Controller()
export class TrustedHeaderController {
  constructor(
    private readonly headers: TrustedHeaders,
    private readonly answers: SignOnAnswers,
  ) {}

  /** The proxy may ask for a login at the next path only, so the button leads here. */
  @Page('GET', '/accounts/login/start/sso/', { audience: 'public', summary: 'Log in through the proxy' })
  start(@Visit() visit: PageVisit, @Params(DestinationParams) params: DestinationParams): Bytes {
    toDestination(params);
    const query = new URLSearchParams(Object.entries(params) as [string, string][]).toString();
    return visit.redirect(`/accounts/login/sso/${query === '' ? '' : `?${query}`}`);
  }

  @Page('GET', '/accounts/login/sso/', {
    audience: 'public',
    summary: 'Log in as the proxy says',
    command: 'FinishSignOn',
  })
  async logIn(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(DestinationParams) params: DestinationParams,
  ): Promise<Bytes> {
    const to = toDestination(params);
    const person = await this.headers.personOf(realmId, visit.info);
    return this.answers.finish(realmId, visit, { person, to });
  }
}
