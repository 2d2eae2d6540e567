import type { RealmId, Recorded, UserId } from '@annals/kernel/domain';
import type { MailDraft, NewMailTask } from '@annals/mail';
import { MailComposer } from '@annals/mail';
import { PasswordResets } from '@annals/users';
import type { AccountEvent } from '@annals/users/events';
import { Injectable } from '@nestjs/common';
import { RESET_MAIL } from '../application/ask-for-reset';
import { AccountMails } from './account-mails';

const CHANGED_MAIL = 'password-changed';

/** By its owner: a password that somebody else gives to a new account is no news. */
export function passwordTasks(event: Recorded): readonly NewMailTask[] {
  if (event.type !== 'users.PasswordSet' && event.type !== 'users.PasswordReset') return [];
  const { userId } = (event as Recorded<AccountEvent>).data;
  const isOwn = event.type === 'users.PasswordReset' || event.actorId === userId;
  return isOwn ? [{ kind: CHANGED_MAIL, key: `${userId}-${event.position}` }] : [];
}

/** The mail with the link to choose another password. */
@Injectable()
export class ResetMail extends MailComposer {
  readonly kind = RESET_MAIL;

  constructor(
    private readonly resets: PasswordResets,
    private readonly mails: AccountMails,
  ) {
    super();
  }

  override async compose(realmId: RealmId, key: string): Promise<MailDraft | null> {
    const link = await this.resets.linkFor(realmId, key);
    const mail = link && (await this.mails.to(realmId, link.userId));
    if (!link || !mail) return null;
    const { t, to, url, organization } = mail;
    const blocks = [
      { text: t('signIn.resetMail', { organization, email: to.to }) },
      { button: t('signIn.choosePassword'), url: `${url}/accounts/password/reset/${link.token}` },
      { small: t('signIn.resetMailNotYou') },
    ];
    return { ...to, content: { subject: t('signIn.resetMailSubject', { organization }), blocks } };
  }
}

/** The mail that a password was changed. */
@Injectable()
export class PasswordChangedMail extends MailComposer {
  readonly kind = CHANGED_MAIL;

  constructor(private readonly mails: AccountMails) {
    super();
  }

  override async compose(realmId: RealmId, key: string): Promise<MailDraft | null> {
    const mail = await this.mails.to(realmId, Number(key.split('-')[0]) as UserId);
    if (!mail) return null;
    const { t, to, url, organization } = mail;
    const blocks = [
      { text: t('signIn.changedMail', { organization, email: to.to }) },
      { small: t('signIn.changedMailNotYou') },
      { button: t('signIn.choosePassword'), url: `${url}/accounts/password/reset` },
    ];
    return { ...to, content: { subject: t('signIn.changedMailSubject', { organization }), blocks } };
  }
}
