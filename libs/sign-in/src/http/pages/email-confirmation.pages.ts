import type { RealmId } from '@annals/kernel/domain';
import { ConfirmEmail, MailedTokens } from '@annals/users';
import type { Bytes } from '@annals/web';
import { AtRealm, Page, PageVisit, Params, PathText, Visit, button, html, problemNotice } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

const PATH = '/accounts/confirm_new_email/:token';

class LinkParams {
  @PathText({ max: 100 }) token: string;
}

/** A new email of an account: only a form confirms it, because programs follow the links of mails too. */
@Controller()
export class EmailConfirmationPages {
  constructor(
    private readonly commands: CommandBus,
    private readonly tokens: MailedTokens,
  ) {}

  @Page('GET', PATH, { audience: 'public', summary: 'Confirm a new email with a link' })
  async show(
    @Visit() visit: PageVisit,
    @AtRealm() realm: RealmId,
    @Params(LinkParams) { token }: LinkParams,
  ): Promise<Bytes> {
    const { t } = visit;
    const isKnown = (await this.tokens.owner(realm, 'email-change', token)) !== undefined;
    if (!isKnown)
      return visit.page({ title: t('signIn.badLink'), body: html`<p>${t('signIn.badLinkHint')}</p>`, status: 400 });
    const form = visit.form(`/accounts/confirm_new_email/${token}`, button(t('signIn.confirmEmail')));
    return visit.page({
      title: t('signIn.confirmEmail'),
      body: html`<p>${t('signIn.confirmHint')}</p>
        ${form}`,
    });
  }

  @Page('POST', PATH, { audience: 'public', summary: 'Confirm a new email', command: 'ConfirmEmail' })
  async confirm(
    @Visit() visit: PageVisit,
    @AtRealm() realm: RealmId,
    @Params(LinkParams) { token }: LinkParams,
  ): Promise<Bytes> {
    const { t } = visit;
    try {
      await this.commands.execute(new ConfirmEmail(realm, token, visit.origin));
    } catch (error) {
      return visit.page({
        title: t('signIn.confirmEmail'),
        body: html`${problemNotice(visit.problem(error))}`,
        status: 400,
      });
    }
    const body = html`<p>${t('signIn.emailConfirmedHint')}</p>
      <p><a href="/login">${t('signIn.logIn')}</a></p>`;
    return visit.page({ title: t('signIn.emailConfirmed'), body });
  }
}
