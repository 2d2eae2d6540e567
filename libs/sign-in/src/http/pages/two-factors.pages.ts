import type { Actor, RealmId, Rejected } from '@annals/kernel/domain';
import { isOwner } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import {
  AccountPasswords,
  BeginTwoFactors,
  EndTwoFactors,
  EnterLoginCode,
  PendingLogins,
  SecondFactors,
  UserFacts,
  appSecretOf,
  appUri,
  isGuess,
  isWrongPassword,
  newAppSecret,
} from '@annals/users';
import { rateLimitKey } from '@annals/users/http';
import type { Bytes, Html, Problem } from '@annals/web';
import {
  AtRealm,
  By,
  LoginAttempts,
  Page,
  PageVisit,
  Params,
  SESSION_COOKIE,
  TextParam,
  Visit,
  button,
  field,
  hiddenField,
  html,
  linkButton,
  localPath,
  markup,
  problemNotice,
} from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { renderSVG } from 'uqr';
import { PENDING_COOKIE, begun } from './login-answers';
import { OTHERS_PATH } from './two-factors-of-others.pages';

const PATH = '/account/two-factors';
const RULES = { isFailure: isGuess };

class CodeParams {
  @TextParam({ max: 40, trim: true }) code: string;
  @TextParam({ optional: true }) next?: string;
}

class NextParams {
  @TextParam({ optional: true }) next?: string;
}

class BeginParams {
  @TextParam({ max: 1_000 }) password: string;
  @TextParam({ max: 40, trim: true }) code: string;
  @TextParam({ max: 40 }) secret: string;
}

/** The field of a wrong code. Other refusals are not about what somebody entered there. */
const codeField = ({ code }: Rejected): string | undefined => (code === 'AUTHENTICATION_FAILED' ? 'code' : undefined);
/** The same where the password is asked for too. */
const wrongField = (refusal: Rejected): string | undefined =>
  isWrongPassword(refusal) ? 'password' : codeField(refusal);

/** Codes of an app for logins with a password. */
@Controller()
export class TwoFactorPages {
  constructor(
    private readonly commands: CommandBus,
    private readonly factors: SecondFactors,
    private readonly pending: PendingLogins,
    private readonly facts: UserFacts,
    private readonly realms: RealmFacts,
    private readonly attempts: LoginAttempts,
    private readonly passwords: AccountPasswords,
  ) {}

  @Page('GET', '/login/code', { audience: 'public', summary: 'Log in: the code after the password' })
  ask(@Visit() visit: PageVisit, @Params(NextParams) { next }: NextParams): Bytes {
    if (visit.cookies.get(PENDING_COOKIE) === undefined) return visit.redirect('/login');
    return codePage(visit, localPath(next));
  }

  @Page('POST', '/login/code', {
    audience: 'public',
    summary: 'Log in with a code',
    command: 'EnterLoginCode',
    evenIfFull: true,
  })
  async enter(
    @Visit() visit: PageVisit,
    @AtRealm() realm: RealmId,
    @Params(CodeParams) params: CodeParams,
  ): Promise<Bytes> {
    const next = localPath(params.next);
    const cookie = visit.cookies.get(PENDING_COOKIE) ?? '';
    const login = await this.pending.find(realm, 'pending-login', cookie);
    if (!login) return visit.redirect('/login');
    const former = visit.cookies.get(SESSION_COOKIE);
    const command = new EnterLoginCode(realm, cookie, params.code, visit.origin, former);
    const enter = () => this.commands.execute(command);
    try {
      const session = await this.attempts.attempt(realm, rateLimitKey(login.userId), visit.info, enter, RULES);
      visit.cookies.remove(PENDING_COOKIE);
      return begun(visit, session, next);
    } catch (error) {
      return codePage(visit, next, visit.problem(error, codeField));
    }
  }

  @Page('GET', PATH, { audience: 'session', summary: 'Codes of an app for your logins' })
  show(@Visit() visit: PageVisit, @By() by: Actor): Promise<Bytes> {
    return this.page(visit, by, newAppSecret());
  }

  @Page('POST', PATH, { audience: 'session', summary: 'Need codes for logins', command: 'BeginTwoFactors' })
  async begin(@Visit() visit: PageVisit, @By() by: Actor, @Params(BeginParams) params: BeginParams): Promise<Bytes> {
    const { t } = visit;
    const begin = () => this.commands.execute(new BeginTwoFactors(by, params.password, params.secret, params.code));
    try {
      const codes = await this.attempts.attempt(by.realmId, rateLimitKey(by.userId), visit.info, begin, RULES);
      const body = html`<p>${t('signIn.recoveryHint')}</p>
        <ul class="codes" dir="ltr">
          ${codes.map((code) => html`<li><code>${code}</code></li>`)}
        </ul>
        ${linkButton(t('signIn.account'), '/account')}`;
      return visit.page({ title: t('signIn.recoveryCodes'), body });
    } catch (error) {
      return this.page(visit, by, params.secret, visit.problem(error, wrongField));
    }
  }

  @Page('POST', `${PATH}/end`, {
    audience: 'session',
    summary: 'Need no codes for logins',
    command: 'EndTwoFactors',
    evenIfFull: true,
  })
  async end(@Visit() visit: PageVisit, @By() by: Actor, @Params(CodeParams) { code }: CodeParams): Promise<Bytes> {
    const end = () => this.commands.execute(new EndTwoFactors(by, code));
    try {
      await this.attempts.attempt(by.realmId, rateLimitKey(by.userId), visit.info, end, RULES);
      return visit.redirect('/account');
    } catch (error) {
      return this.page(visit, by, newAppSecret(), visit.problem(error, codeField));
    }
  }

  private async page(visit: PageVisit, by: Actor, secret: string, problem?: Problem): Promise<Bytes> {
    const { t } = visit;
    const isOn = (await this.factors.recoveryCodesOf(by.realmId, by.userId)) !== null;
    const form = isOn ? endForm(visit, problem) : await this.beginning(visit, by, secret, problem);
    const others = isOwner(by) ? html`<p><a href="${OTHERS_PATH}">${t('signIn.others')}</a></p>` : null;
    const status = problem === undefined ? 200 : 400;
    const body = html`${problemNotice(problem)} ${form} ${others}`;
    return visit.page({ title: t('signIn.twoFactors'), body, status });
  }

  /** Codes are for logins with a password, so nobody without one can need them. */
  private async beginning(visit: PageVisit, by: Actor, secret: string, problem?: Problem): Promise<Html> {
    const place = await this.passwords.placeOf(by.realmId, by.userId);
    if (place === 'nowhere') return html`<p>${visit.t('refusals.noPassword')}</p>`;
    return beginForm(visit, secret, await this.uriOf(by, secret), problem);
  }

  /** Nothing for a text that is no secret of an app: a form may send any. */
  private async uriOf({ realmId, userId }: Actor, secret: string): Promise<string> {
    const value = appSecretOf(secret);
    if (!value) return '';
    const account = await this.facts.account(realmId, userId);
    const { texts } = await this.realms.of(realmId);
    return appUri(value, account?.deliveryEmail ?? '', texts.name);
  }
}

function codePage(visit: PageVisit, next: string | undefined, problem?: Problem): Bytes {
  const { t } = visit;
  const parts = html`${field({ name: 'code', label: t('signIn.code'), autocomplete: 'one-time-code', isFirst: true, hint: t('signIn.codeHint'), problem })}
  ${next === undefined ? null : hiddenField('next', next)} ${button(t('signIn.logIn'))}`;
  const body = html`${problemNotice(problem)} ${visit.form('/login/code', parts)}`;
  return visit.page({ title: t('signIn.codeTitle'), body, status: problem === undefined ? 200 : 400 });
}

function beginForm(visit: PageVisit, secret: string, uri: string, problem?: Problem) {
  const { t } = visit;
  const parts = html`${hiddenField('secret', secret)}
  ${field({ name: 'code', label: t('signIn.appCode'), autocomplete: 'one-time-code', isNumeric: true, problem })}
  ${field({ name: 'password', label: t('signIn.oldPassword'), type: 'password', autocomplete: 'current-password', problem })}
  ${button(t('signIn.twoFactorsBegin'))}`;
  return html`<p>${t('signIn.appHint')}</p>
    ${uri === '' ? null : html`<div class="qr" aria-hidden="true">${markup(renderSVG(uri, { border: 2 }))}</div>`}
    <p><code class="copy" dir="ltr">${secret.match(/.{1,4}/gu)?.join(' ') ?? ''}</code></p>
    ${uri === '' ? null : linkButton(t('signIn.openApp'), uri)} ${visit.form(PATH, parts)}`;
}

function endForm(visit: PageVisit, problem?: Problem) {
  const { t } = visit;
  const parts = html`${field({ name: 'code', label: t('signIn.code'), autocomplete: 'one-time-code', hint: t('signIn.codeHint'), problem })}
  ${button(t('signIn.twoFactorsEnd'))}`;
  return visit.form(`${PATH}/end`, parts);
}
