import type { RealmId } from '@annals/kernel/domain';
import { AuthenticationMethods, PASSWORD } from '@annals/realm';
import { MailedTokens, ResetPassword } from '@annals/users';
import type { Bytes, Problem } from '@annals/web';
import {
  AtRealm,
  button,
  field,
  html,
  MailRequests,
  Page,
  PageVisit,
  Params,
  PathText,
  problemNotice,
  TextParam,
  Visit,
} from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AskForReset } from '../../application/ask-for-reset';

const PATH = '/accounts/password/reset';

class AskParams {
  @TextParam({ min: 1, max: 320, trim: true }) email: string;
}

class LinkParams {
  @PathText({ max: 100 }) token: string;
}

class ChooseParams {
  @PathText({ max: 100 }) token: string;
  @TextParam({ max: 1_000 }) new_password: string;
}

/** Another password for people who do not know theirs. */
@Controller()
export class PasswordResetPages {
  constructor(
    private readonly commands: CommandBus,
    private readonly tokens: MailedTokens,
    private readonly limits: MailRequests,
    private readonly methods: AuthenticationMethods,
  ) {}

  @Page('GET', PATH, { audience: 'public', summary: 'Ask for a link to choose another password' })
  async ask(@Visit() visit: PageVisit, @AtRealm() realm: RealmId): Promise<Bytes> {
    if (!(await this.methods.isOn(realm, 'Email'))) return off(visit);
    return askPage(visit);
  }

  /** The same answer for every address. */
  @Page('POST', PATH, {
    audience: 'public',
    summary: 'Get a link to choose another password',
    command: 'AskForReset',
    evenIfFull: true,
  })
  async send(
    @Visit() visit: PageVisit,
    @AtRealm() realm: RealmId,
    @Params(AskParams) { email }: AskParams,
  ): Promise<Bytes> {
    if (!(await this.methods.isOn(realm, 'Email'))) return off(visit);
    try {
      await this.limits.charge(realm, email, visit.info);
    } catch (error) {
      return askPage(visit, visit.problem(error));
    }
    await this.commands.execute(new AskForReset(realm, email, visit.origin));
    const { t } = visit;
    return visit.page({ title: t('signIn.resetSent'), body: html`<p>${t('signIn.resetSentHint', { email })}</p>` });
  }

  @Page('GET', `${PATH}/:token`, { audience: 'public', summary: 'Choose another password with a link' })
  async choose(
    @Visit() visit: PageVisit,
    @AtRealm() realm: RealmId,
    @Params(LinkParams) { token }: LinkParams,
  ): Promise<Bytes> {
    const userId = await this.tokens.owner(realm, 'password-reset', token);
    return userId === undefined ? badLink(visit) : choosePage(visit, token);
  }

  @Page('POST', `${PATH}/:token`, {
    audience: 'public',
    summary: 'Choose another password with a link',
    command: 'ResetPassword',
    evenIfFull: true,
  })
  async change(
    @Visit() visit: PageVisit,
    @AtRealm() realm: RealmId,
    @Params(ChooseParams) params: ChooseParams,
  ): Promise<Bytes> {
    const { token, new_password: password } = params;
    try {
      await this.commands.execute(new ResetPassword(realm, token, password, visit.origin));
    } catch (error) {
      const problem = visit.problem(error, () => 'new_password');
      const isUsable = (await this.tokens.owner(realm, 'password-reset', token)) !== undefined;
      return isUsable ? choosePage(visit, token, problem) : badLink(visit);
    }
    return visit.redirect('/login?news=new-password');
  }
}

function askPage(visit: PageVisit, problem?: Problem): Bytes {
  const { t } = visit;
  const parts = html`${field({ name: 'email', label: t('signIn.email'), type: 'email', autocomplete: 'username', isFirst: true })}
  ${button(t('signIn.sendLink'))}`;
  const body = html`${problemNotice(problem)}
    <p>${t('signIn.resetHint')}</p>
    ${visit.form(PATH, parts)}`;
  return visit.page({ title: t('signIn.forgotten'), body, status: problem === undefined ? 200 : 429 });
}

function choosePage(visit: PageVisit, token: string, problem?: Problem): Bytes {
  const { t } = visit;
  const parts = html`${field({
    name: 'new_password',
    label: t('signIn.newPassword'),
    type: 'password',
    autocomplete: 'new-password',
    hint: t('signIn.passwordHint', { count: PASSWORD.minLength }),
    isFirst: true,
    problem,
  })}
  ${button(t('signIn.choosePassword'))}`;
  const body = html`${problemNotice(problem)} ${visit.form(`${PATH}/${token}`, parts)}`;
  return visit.page({ title: t('signIn.choosePassword'), body, status: problem === undefined ? 200 : 400 });
}

function badLink(visit: PageVisit): Bytes {
  const { t } = visit;
  const body = html`<p>${t('signIn.badLinkHint')}</p>
    <p><a href="${PATH}">${t('signIn.sendLink')}</a></p>`;
  return visit.page({ title: t('signIn.badLink'), body, status: 400 });
}

function off(visit: PageVisit): Bytes {
  const { t } = visit;
  const body = html`<p>${t('signIn.noPasswords')}</p>
    <p><a href="/login">${t('signIn.logIn')}</a></p>`;
  return visit.page({ title: t('signIn.forgotten'), body, status: 400 });
}
