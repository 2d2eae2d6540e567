import type { RealmId } from '@annals/kernel/domain';
import type { Bytes } from '@annals/web';
import {
  AtRealm,
  LoginAttempts,
  Page,
  PageVisit,
  Params,
  TextParam,
  Visit,
  button,
  hiddenField,
  html,
} from '@annals/web';
import { Controller } from '@nestjs/common';
import { JwtLogins } from '../../application/single-sign-on/jwt/jwt-logins';
import { SignOnAnswers } from './sign-on-answers';
import { signedPartOf } from '../../application/single-sign-on/jwt/jwt-tokens';

class TokenParams {
  @TextParam() token = '';
}

const CONFIRM = '/accounts/login/jwt/confirm';

/** Logins by JSON Web Tokens of another system. */
@Controller()
export class JwtController {
  constructor(
    private readonly logins: JwtLogins,
    private readonly answers: SignOnAnswers,
    private readonly attempts: LoginAttempts,
  ) {}

  /** The form may be of another site that logs its visitor in as somebody else, so the visitor is asked. */
  @Page('POST', '/accounts/login/jwt/', {
    audience: 'public',
    summary: 'Log in with a JSON Web Token of another site',
    command: 'FinishSignOn',
    evenIfFull: true,
    fromElsewhere: true,
  })
  async ask(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(TokenParams) { token }: TokenParams,
  ): Promise<Bytes> {
    await this.attempts.countLogin(realmId, signedPartOf(token), visit.info);
    const { email, confirmation } = await this.logins.begin(realmId, token);
    return visit.page({
      title: visit.t('signOn.confirm'),
      body: html`<p>${visit.t('signOn.confirmHint', { email })}</p>
        ${visit.form(CONFIRM, html`${hiddenField('token', confirmation)} ${button(visit.t('signOn.continue'))}`)}`,
    });
  }

  @Page('POST', CONFIRM, {
    audience: 'public',
    summary: 'Confirm a login with a JSON Web Token',
    command: 'FinishSignOn',
    evenIfFull: true,
  })
  async confirm(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(TokenParams) { token }: TokenParams,
  ): Promise<Bytes> {
    const person = await this.logins.finish(realmId, token);
    const to = { next: null, mobileOtp: null, desktopOtp: null, invitation: null };
    return this.answers.finish(realmId, visit, { person, to });
  }
}
