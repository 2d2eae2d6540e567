import type { RealmId } from '@annals/kernel/domain';
import type { Bytes } from '@annals/web';
import { AtRealm, Page, PageVisit, Params, Visit, html, linkButton } from '@annals/web';
import { Controller } from '@nestjs/common';
import { Flows } from '../../application/single-sign-on/flows';
import { TrustedHeaders } from '../../application/single-sign-on/trusted-headers';
import { DestinationParams, toDestination } from './destination.params';
import { FLOW_SECONDS, SignOnAnswers } from './sign-on-answers';

const START = '/accounts/login/start/sso/';
const LOGIN = '/accounts/login/sso/';
/** The cookie of a login that began here, and goes on when the proxy knows the person. */
const PROXY_COOKIE = 'annals_proxy_login';

/** Logins that a proxy in front of the server has made. */
@Controller()
export class TrustedHeaderController {
  constructor(
    private readonly headers: TrustedHeaders,
    private readonly flows: Flows,
    private readonly answers: SignOnAnswers,
  ) {}

  /** The proxy may ask for a login at the next path only, so the button leads here. */
  @Page('GET', START, { audience: 'public', summary: 'Log in through the proxy' })
  async start(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(DestinationParams) params: DestinationParams,
  ): Promise<Bytes> {
    const to = toDestination(params);
    if (!visit.isFromElsewhere) {
      const flow = { kind: 'header', provider: '', to, state: '', nonce: '', verifier: '' } as const;
      visit.cookies.set(PROXY_COOKIE, await this.flows.begin(realmId, flow), { maxAge: FLOW_SECONDS });
    }
    return visit.redirect(pathWith(LOGIN, params));
  }

  /**
   * A link of another site would log its reader in, and send a key to an app that the link names. So the reader is asked, unless the
   * login began here: a proxy may itself send the browser here from another site.
   */
  @Page('GET', LOGIN, {
    audience: 'public',
    summary: 'Log in as the proxy says',
    command: 'FinishSignOn',
    evenIfFull: true,
  })
  async logIn(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(DestinationParams) params: DestinationParams,
  ): Promise<Bytes> {
    const asked = toDestination(params);
    const person = await this.headers.personOf(realmId, visit.info);
    const flow = await this.flows.begun(realmId, 'header', visit.cookies.get(PROXY_COOKIE));
    if (!flow && visit.isFromElsewhere) return confirmPage(visit, person.verifiedEmail ?? '', pathWith(START, params));
    visit.cookies.remove(PROXY_COOKIE);
    return this.answers.finish(realmId, visit, { person, to: flow?.to ?? asked });
  }
}

function confirmPage(visit: PageVisit, email: string, start: string): Bytes {
  const { t } = visit;
  return visit.page({
    title: t('signOn.confirm'),
    body: html`<p>${t('signOn.confirmHint', { email })}</p>
      ${linkButton(t('signOn.continue'), start)}`,
  });
}

function pathWith(path: string, params: DestinationParams): string {
  const query = new URLSearchParams(Object.entries(params) as [string, string][]).toString();
  return query === '' ? path : `${path}?${query}`;
}
