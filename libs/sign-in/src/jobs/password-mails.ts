import type { Kernel } from '@annals/kernel';
import type { RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { translator } from '@annals/languages';
import type { MailDraft, NewMailTask } from '@annals/mail';
import { MailComposer, mailTasksReader } from '@annals/mail';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { OwnSettingsFacts, PasswordResets, UserFacts } from '@annals/users';
import type { AccountEvent } from '@annals/users/events';
import { Injectable } from '@nestjs/common';
import { RESET_MAIL } from '../application/ask-for-reset';

const CHANGED_MAIL = 'password-changed';

/** People are told by mail when their password was changed. */
export const passwordMails = (kernel: Kernel) => mailTasksReader(kernel, 'password-mails', changedPassword);

/** By its owner: a password that somebody else gives to a new account is no news. */
function changedPassword(event: Recorded): readonly NewMailTask[] {
  if (event.type !== 'users.PasswordSet' && event.type !== 'users.PasswordReset') return [];
  const { userId } = (event as Recorded<AccountEvent>).data;
  const isOwn = event.type === 'users.PasswordReset' || event.actorId === userId;
  return isOwn ? [{ kind: CHANGED_MAIL, key: `${userId}-${event.position}` }] : [];
}

/** What mails about an account have in common. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly users: UserFacts,
    private readonly settings: OwnSettingsFacts,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  /** Undefined for an account that is not in use. */
  async to(realmId: RealmId, userId: UserId) {
    const account = await this.users.account(realmId, userId);
    if (!account?.isActive) return undefined;
    const { default_language: language } = await this.settings.of(realmId, userId);
    const { subdomain, texts } = await this.realms.of(realmId);
    const to = { to: account.deliveryEmail, toName: account.fullName, userId, purpose: 'account', language } as const;
    return { to, t: translator(language), url: this.address.urlOf(subdomain), organization: texts.name };
  }
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
