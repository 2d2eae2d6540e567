import { Readable } from 'node:stream';
import type { RealmId } from '@annals/kernel/domain';
import { AtRealm, Bytes, Info, Page, PageVisit, Params, RequestInfo, TextParam, Visit } from '@annals/web';
import { Controller } from '@nestjs/common';
import { SamlLogins } from '../../application/single-sign-on/saml/saml-logins';
import { FLOW_COOKIE, SignOnAnswers } from './sign-on-answers';

class SamlResponseParams {
  @TextParam() SAMLResponse: string;
  @TextParam({ optional: true, about: 'Not used.' }) RelayState?: string;
}

class ContinueParams {
  @TextParam() token: string;
}

/** The part of an organization that providers of SAML talk to. */
@Controller()
export class SamlController {
  constructor(
    private readonly logins: SamlLogins,
    private readonly answers: SignOnAnswers,
  ) {}

  /** The browser comes from another site, so it has no cookies of this one. The redirect brings them. */
  @Page('POST', '/complete/saml/', {
    audience: 'public',
    summary: 'Where providers of SAML send responses to',
    command: 'FinishSignOn',
    evenIfFull: true,
    fromElsewhere: true,
  })
  async accept(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(SamlResponseParams) { SAMLResponse: response }: SamlResponseParams,
  ): Promise<Bytes> {
    const token = await this.logins.accept(realmId, response);
    return visit.redirect(`/complete/saml/continue?token=${token}`);
  }

  @Page('GET', '/complete/saml/continue', {
    audience: 'public',
    summary: 'The end of a login by SAML',
    command: 'FinishSignOn',
    evenIfFull: true,
  })
  async complete(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(ContinueParams) { token }: ContinueParams,
  ): Promise<Bytes> {
    const arrival = await this.logins.finish(realmId, token, visit.cookies.get(FLOW_COOKIE));
    visit.cookies.remove(FLOW_COOKIE);
    return this.answers.finish(realmId, visit, arrival);
  }

  @Page('GET', '/saml/metadata.xml', { audience: 'public', summary: 'The organization as a service of SAML' })
  async metadata(@AtRealm() realmId: RealmId, @Info() info: RequestInfo): Promise<Bytes> {
    const xml = Buffer.from(await this.logins.metadata(realmId));
    const headers = { 'Content-Type': 'application/samlmetadata+xml', 'Content-Length': String(xml.length) };
    return new Bytes(200, headers, Readable.from(info.wantsHeadersOnly ? [] : [xml]));
  }
}
