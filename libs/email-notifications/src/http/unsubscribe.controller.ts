import type { RealmId } from '@annals/kernel/domain';
import type { TextKey } from '@annals/languages';
import type { Bytes, PageVisit } from '@annals/web';
import { AtRealm, Page, Params, PathText, Visit, button, html, notice } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EndMails } from '../application/end-mails';
import type { MailSubject } from '../application/unsubscribe-links';
import { UnsubscribeLinks } from '../application/unsubscribe-links';

class UnsubscribeParams {
  @PathText({ max: 100, about: 'That of a link in a mail.' })
  token: string;
}

const QUESTIONS: Readonly<Record<MailSubject, TextKey>> = {
  'missed-messages': 'emailNotifications.unsubscribeMissed',
  digest: 'emailNotifications.unsubscribeDigest',
  login: 'emailNotifications.unsubscribeLogin',
};

/** Ends mails by the links in them, without a login. */
@Controller()
export class UnsubscribeController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: UnsubscribeLinks,
  ) {}

  /** Only asks: programs that check mails open every link in them. */
  @Page('GET', '/unsubscribe/:token', { audience: 'public', summary: 'Asks whether a kind of mails ends' })
  async ask(
    @Visit() visit: PageVisit,
    @AtRealm() realmId: RealmId,
    @Params(UnsubscribeParams) { token }: UnsubscribeParams,
  ): Promise<Bytes> {
    const ended = await this.links.resolve(realmId, token);
    if (!ended) return unknownLink(visit);
    const body = html`<p>${visit.t(QUESTIONS[ended.subject])}</p>
      ${visit.form(`/unsubscribe/${token}`, button(visit.t('emailNotifications.unsubscribeButton')))}`;
    return visit.page({ title: visit.t('emailNotifications.unsubscribeTitle'), body });
  }

  /** Mail programs send this without having loaded the page (RFC 8058), so the token is all that it needs. */
  @Page('POST', '/unsubscribe/:token', {
    audience: 'public',
    summary: 'Ends a kind of mails',
    command: 'EndMails',
    evenIfFull: true,
    fromElsewhere: true,
  })
  async end(
    @Visit() visit: PageVisit,
    @AtRealm() realmId: RealmId,
    @Params(UnsubscribeParams) { token }: UnsubscribeParams,
  ): Promise<Bytes> {
    const subject = await this.commands.execute(new EndMails(realmId, token, visit.origin));
    if (subject === null) return unknownLink(visit);
    const body = html`${notice('good', visit.t('emailNotifications.unsubscribeDone'))}`;
    return visit.page({ title: visit.t('emailNotifications.unsubscribeTitle'), body });
  }
}

const unknownLink = (visit: PageVisit): Bytes =>
  visit.page({
    title: visit.t('emailNotifications.unsubscribeTitle'),
    status: 404,
    body: html`${notice('bad', visit.t('emailNotifications.unsubscribeUnknown'))}`,
  });
