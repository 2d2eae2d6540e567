import type { RealmId } from '@annals/kernel/domain';
import { allowsPasswords, AuthenticationMethods, RealmFacts, ServerFeatures } from '@annals/realm';
import { EndSession, LogInBrowser, PasswordChecks, Sessions, isGuess } from '@annals/users';
import { rateLimitKey } from '@annals/users/http';
import type { Bytes, Html, Problem } from '@annals/web';
import {
  AtRealm,
  button,
  field,
  hiddenField,
  html,
  linkButton,
  localPath,
  LoginAttempts,
  notice,
  Page,
  PageVisit,
  Params,
  problemNotice,
  SESSION_COOKIE,
  TextParam,
  Visit,
  WordParam,
} from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AFTER_LOGIN, begun, needsCode } from './login-answers';

/** The password alone logs nobody in who needs a code too. */
const RULES = { isFailure: isGuess, isComplete: ({ isPending }: { readonly isPending: boolean }) => !isPending };
const NEWS = ['logged-out', 'new-password'] as const;

class LoginParams {
  @TextParam({ optional: true, about: 'Path to go on to.' }) next?: string;
  @WordParam(NEWS, { optional: true }) news?: (typeof NEWS)[number];
  @TextParam({ optional: true, max: 100, about: 'The token of a link that invites.' }) invitation?: string;
}

class PasswordParams {
  @TextParam({ max: 320 }) username: string;
  @TextParam({ max: 1_000 }) password: string;
  @TextParam({ optional: true }) next?: string;
  @TextParam({ optional: true, max: 100 }) invitation?: string;
}

/** What the login page shows beside what the organization offers. */
interface LoginForm {
  readonly next: string | undefined;
  readonly username?: string;
  readonly problem?: Problem;
  readonly news?: LoginParams['news'];
  readonly invitation?: string | undefined;
}

/** Logging in and out with a browser. */
@Controller()
export class LoginPages {
  constructor(
    private readonly commands: CommandBus,
    private readonly sessions: Sessions,
    private readonly attempts: LoginAttempts,
    private readonly checks: PasswordChecks,
    private readonly methods: AuthenticationMethods,
    private readonly realms: RealmFacts,
    private readonly features: ServerFeatures,
  ) {}

  @Page('GET', '/login', { audience: 'public', summary: 'Log in' })
  async show(
    @Visit() visit: PageVisit,
    @AtRealm() realm: RealmId,
    @Params(LoginParams) params: LoginParams,
  ): Promise<Bytes> {
    const next = localPath(params.next);
    const cookie = visit.cookies.get(SESSION_COOKIE);
    if (cookie !== undefined && (await this.sessions.accountOf(realm, cookie)))
      return visit.redirect(next ?? AFTER_LOGIN);
    return this.page(visit, realm, { next, news: params.news, invitation: params.invitation });
  }

  @Page('POST', '/login', {
    audience: 'public',
    summary: 'Log in with a password',
    command: 'LogInBrowser',
    evenIfFull: true,
  })
  async logIn(
    @Visit() visit: PageVisit,
    @AtRealm() realm: RealmId,
    @Params(PasswordParams) params: PasswordParams,
  ): Promise<Bytes> {
    const { username, password, invitation } = params;
    const next = localPath(params.next);
    const entered = { realmId: realm, username, password, origin: visit.origin, invitation };
    const login = new LogInBrowser(entered, visit.cookies.get(SESSION_COOKIE));
    const counted = rateLimitKey(await this.checks.meant(realm, username));
    const run = () => this.commands.execute(login);
    try {
      const { cookie, isPending } = await this.attempts.attempt(realm, counted, visit.info, run, RULES);
      return isPending ? needsCode(visit, cookie, next) : begun(visit, cookie, next);
    } catch (error) {
      return this.page(visit, realm, { next, username, invitation, problem: visit.problem(error) });
    }
  }

  @Page('POST', '/logout', { audience: 'session', summary: 'Log out', command: 'EndSession', evenIfFull: true })
  async logOut(@Visit() visit: PageVisit): Promise<Bytes> {
    const { account } = visit;
    if (account?.sessionId !== undefined) await this.commands.execute(new EndSession(account, account.sessionId));
    visit.cookies.remove(SESSION_COOKIE);
    visit.renewForms();
    return visit.redirect('/login?news=logged-out');
  }

  private async page(visit: PageVisit, realm: RealmId, form: LoginForm): Promise<Bytes> {
    const { t } = visit;
    const methods = await this.methods.of(realm);
    const { subdomain } = await this.realms.of(realm);
    const others = this.features.signIn.buttonsOf(subdomain).filter(({ method }) => methods[method]);
    const isByPassword = allowsPasswords(methods);
    const onward = form.next === undefined ? '' : `?next=${encodeURIComponent(form.next)}`;
    const body = html`${problemNotice(form.problem)} ${notice('good', newsOf(visit, form.news))}
    ${isByPassword ? passwordForm(visit, form, methods.LDAP ?? false) : null}
    ${methods.Email ? html`<p><a href="/accounts/password/reset">${t('signIn.forgotten')}</a></p>` : null}
    ${isByPassword && others.length > 0 ? html`<p class="or">${t('signIn.or')}</p>` : null}
    ${others.map(({ displayName, loginPath }) =>
      linkButton(t('signIn.logInWith', { name: displayName }), `${loginPath}${onward}`),
    )}
    ${!isByPassword && others.length === 0 ? html`<p>${t('signIn.noWay')}</p>` : null}`;
    const status = form.problem === undefined ? 200 : 400;
    return visit.page({ title: t('signIn.logInTo', { name: visit.organization.name }), body, status });
  }
}

function passwordForm(visit: PageVisit, { username, next, invitation }: LoginForm, isLdap: boolean): Html {
  const { t } = visit;
  const name = isLdap
    ? field({ name: 'username', label: t('signIn.userName'), autocomplete: 'username', value: username, isFirst: true })
    : field({
        name: 'username',
        label: t('signIn.email'),
        type: 'email',
        autocomplete: 'username',
        value: username,
        isFirst: true,
      });
  return visit.form(
    '/login',
    html`${name}
    ${field({ name: 'password', label: t('signIn.password'), type: 'password', autocomplete: 'current-password' })}
    ${next === undefined ? null : hiddenField('next', next)}
    ${invitation === undefined ? null : hiddenField('invitation', invitation)} ${button(t('signIn.logIn'))}`,
  );
}

function newsOf({ t }: PageVisit, news: LoginForm['news']): string | undefined {
  if (news === 'logged-out') return t('signIn.loggedOut');
  return news === 'new-password' ? t('signIn.passwordChanged') : undefined;
}
