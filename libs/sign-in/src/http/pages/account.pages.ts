import type { Actor, Rejected } from '@annals/kernel/domain';
import type { OwnKey, OwnSession, PasswordPlace } from '@annals/users';
import {
  AccountPasswords,
  ChangeOwnSettings,
  EndApiKey,
  EndSession,
  GetOwnLogins,
  SecondFactors,
  UserFacts,
  isWrongPassword,
} from '@annals/users';
import { rateLimitKey } from '@annals/users/http';
import { AuthenticationMethods, PASSWORD } from '@annals/realm';
import type { Bytes, Html, Problem } from '@annals/web';
import {
  button,
  By,
  entries,
  field,
  html,
  linkButton,
  LoginAttempts,
  notice,
  Page,
  PageVisit,
  Params,
  PathId,
  problemNotice,
  TextParam,
  Visit,
} from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { timesIn } from './times';

class SessionParams {
  @PathId() session_id: number;
}

class KeyParams {
  @PathId() key_id: number;
}

class PasswordParams {
  @TextParam({ max: 1_000 }) old_password: string;
  @TextParam({ max: 1_000 }) new_password: string;
}

/** Which of the two passwords a refusal is about. */
const passwordField = (refusal: Rejected): string => (isWrongPassword(refusal) ? 'old_password' : 'new_password');

/** What happened to the form that was sent. */
interface Sent {
  readonly good?: string;
  readonly problem?: Problem;
}

/** The account of somebody who has logged in with a browser: where it is logged in, and its password. */
@Controller()
export class AccountPages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly facts: UserFacts,
    private readonly attempts: LoginAttempts,
    private readonly factors: SecondFactors,
    private readonly passwords: AccountPasswords,
    private readonly methods: AuthenticationMethods,
  ) {}

  @Page('GET', '/account', { audience: 'session', summary: 'Your account: where it is logged in' })
  show(@Visit() visit: PageVisit, @By() by: Actor): Promise<Bytes> {
    return this.page(visit, by, {});
  }

  @Page('POST', '/account/sessions/:session_id/end', {
    audience: 'session',
    summary: 'Log one browser out',
    command: 'EndSession',
    evenIfFull: true,
  })
  async endSession(
    @Visit() visit: PageVisit,
    @By() by: Actor,
    @Params(SessionParams) { session_id }: SessionParams,
  ): Promise<Bytes> {
    await this.commands.execute(new EndSession(by, session_id));
    return visit.redirect('/account');
  }

  @Page('POST', '/account/api_keys/:key_id/end', {
    audience: 'session',
    summary: 'Log one program out',
    command: 'EndApiKey',
    evenIfFull: true,
  })
  async endKey(@Visit() visit: PageVisit, @By() by: Actor, @Params(KeyParams) { key_id }: KeyParams): Promise<Bytes> {
    await this.commands.execute(new EndApiKey(by, key_id));
    return visit.redirect('/account');
  }

  @Page('POST', '/account/password', { audience: 'session', summary: 'Another password', command: 'ChangeOwnSettings' })
  async changePassword(
    @Visit() visit: PageVisit,
    @By() by: Actor,
    @Params(PasswordParams) params: PasswordParams,
  ): Promise<Bytes> {
    const password = { old: params.old_password, requested: params.new_password };
    const change = () => this.commands.execute(new ChangeOwnSettings(by, {}, { password }));
    try {
      await this.attempts.attempt(by.realmId, rateLimitKey(by.userId), visit.info, change, {
        isFailure: isWrongPassword,
      });
    } catch (error) {
      return this.page(visit, by, { problem: visit.problem(error, passwordField) });
    }
    return this.page(visit, by, { good: visit.t('signIn.passwordChanged') });
  }

  private async page(visit: PageVisit, by: Actor, { good, problem }: Sent): Promise<Bytes> {
    const { t } = visit;
    const account = await this.facts.account(by.realmId, by.userId);
    const recovery = await this.factors.recoveryCodesOf(by.realmId, by.userId);
    const { sessions, keys } = await this.queries.execute(new GetOwnLogins(by));
    const place = await this.passwords.placeOf(by.realmId, by.userId);
    const mayChoose = place === 'nowhere' && (await this.methods.isOn(by.realmId, 'Email'));
    const shown = new Logins(visit, timesIn(visit.language, account?.timezone ?? ''));
    const body = html`${problemNotice(problem)} ${notice('good', good)}
      <p><strong>${account?.fullName ?? ''}</strong><br /><span class="hint">${account?.deliveryEmail ?? ''}</span></p>
      ${visit.form('/logout', button(t('signIn.logOut'), 'quiet'))}
      <p><a href="/account/identities">${t('signOn.identities')}</a></p>
      <h2>${t('signIn.browsers')}</h2>
      ${shown.sessions(sessions)}
      <h2>${t('signIn.programs')}</h2>
      ${shown.keys(keys)}
      <h2>${t('signIn.twoFactors')}</h2>
      ${twoFactors(visit, recovery, place)} ${passwordPart(visit, place, mayChoose, problem)}`;
    return visit.page({ title: t('signIn.account'), body, status: problem === undefined ? 200 : 400 });
  }
}

/** @param recovery recovery codes that are left. Null where logins need no code */
function twoFactors({ t }: PageVisit, recovery: number | null, place: PasswordPlace): Html {
  if (recovery === null && place === 'nowhere') return html`<p>${t('refusals.noPassword')}</p>`;
  return html`<p>${recovery === null ? t('signIn.twoFactorsOff') : t('signIn.twoFactorsOn', { count: recovery })}</p>
    ${linkButton(t('signIn.twoFactorsChange'), '/account/two-factors')}`;
}

/** @param mayChoose whether somebody without a password may have one */
function passwordPart(visit: PageVisit, place: PasswordPlace, mayChoose: boolean, problem?: Problem): Html | null {
  const { t } = visit;
  if (place === 'nowhere')
    return mayChoose
      ? html`<h2>${t('signIn.password')}</h2>
          ${linkButton(t('signIn.choosePassword'), '/accounts/password/reset')}`
      : null;
  return html`<h2>${t('signIn.changePassword')}</h2>
    ${place === 'elsewhere' ? html`<p>${t('refusals.passwordElsewhere')}</p>` : passwordForm(visit, problem)}`;
}

const passwordForm = (visit: PageVisit, problem: Problem | undefined): Html => {
  const { t } = visit;
  return visit.form(
    '/account/password',
    html`${field({ name: 'old_password', label: t('signIn.oldPassword'), type: 'password', autocomplete: 'current-password', problem })}
    ${field({
      name: 'new_password',
      label: t('signIn.newPassword'),
      type: 'password',
      autocomplete: 'new-password',
      hint: t('signIn.passwordHint', { count: PASSWORD.minLength }),
      problem,
    })}
    ${button(t('signIn.changePassword'))}`,
  );
};

/** The lists of what is logged in to an account. */
class Logins {
  constructor(
    private readonly visit: PageVisit,
    private readonly time: (ms: number) => string,
  ) {}

  sessions(all: readonly OwnSession[]): Html {
    return this.list(all.map((one) => this.entry(one, `/account/sessions/${one.id}/end`, one.method)));
  }

  keys(all: readonly OwnKey[]): Html {
    return this.list(all.map((one) => this.entry(one, `/account/api_keys/${one.id}/end`)));
  }

  private list(all: readonly Html[]): Html {
    return all.length === 0 ? html`<p>${this.visit.t('signIn.none')}</p>` : entries(all);
  }

  private entry(one: OwnKey | OwnSession, action: string, method?: string): Html {
    const { t } = this.visit;
    const client = one.client === 'website' ? t('signIn.browser') : one.client;
    const facts: readonly (readonly [string, string | null | undefined])[] = [
      [t('signIn.began'), this.time(one.beganAt)],
      [t('signIn.lastUsed'), one.usedAt === null ? t('signIn.never') : this.time(one.usedAt)],
      [t('signIn.address'), one.address],
      // Passwords of this server have the name of the API for them.
      [t('signIn.method'), method === 'Email' ? t('signIn.password') : method],
    ];
    return html`<div>
        <strong>${client}</strong>${one.isCurrent ? html` <span class="hint">${t('signIn.thisOne')}</span>` : null}
        <dl>
          ${facts.map(([name, value]) =>
            value
              ? html`<div>
                  <dt>${name}</dt>
                  <dd><bdi>${value}</bdi></dd>
                </div>`
              : html``,
          )}
        </dl>
      </div>
      ${this.visit.form(action, button(t('signIn.logOut'), 'small'))}`;
  }
}
