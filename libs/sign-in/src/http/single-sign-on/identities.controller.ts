import type { Actor } from '@annals/kernel/domain';
import type { Bytes } from '@annals/web';
import { By, Page, PageVisit, Params, TextParam, Visit, button, entries, hiddenField, html } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ListIdentities } from '../../application/single-sign-on/list-identities';
import { UnlinkIdentity } from '../../application/single-sign-on/unlink-identity';

class IssuerParams {
  @TextParam() issuer: string;
}

const HERE = '/account/identities';

/** The providers that log an account in. */
@Controller()
export class IdentitiesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Page('GET', HERE, { audience: 'session', summary: 'Your account: which other systems log it in' })
  async show(@Visit() visit: PageVisit, @By() by: Actor): Promise<Bytes> {
    const { t } = visit;
    const linked = await this.queries.execute(new ListIdentities(by));
    const unlink = (issuer: string) =>
      visit.form(`${HERE}/unlink`, html`${hiddenField('issuer', issuer)} ${button(t('signOn.unlink'), 'small')}`);
    const managed = html`<span class="hint">${t('refusals.managedLink')}</span>`;
    const rows = linked.map(({ issuer, isOwn }) => html`<span>${issuer}</span> ${isOwn ? unlink(issuer) : managed}`);
    return visit.page({
      title: t('signOn.identities'),
      body: html`${rows.length === 0 ? html`<p>${t('signOn.noIdentities')}</p>` : entries(rows)}
        <p><a href="/account">${t('signIn.account')}</a></p>`,
    });
  }

  @Page('POST', '/account/identities/unlink', {
    audience: 'session',
    summary: 'End the logins of another system',
    command: 'UnlinkIdentity',
    evenIfFull: true,
  })
  async unlink(
    @Visit() visit: PageVisit,
    @By() by: Actor,
    @Params(IssuerParams) { issuer }: IssuerParams,
  ): Promise<Bytes> {
    await this.commands.execute(new UnlinkIdentity(by, issuer));
    return visit.redirect(HERE);
  }
}
