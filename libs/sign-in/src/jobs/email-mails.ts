import { Kernel } from '@annals/kernel';
import type { RealmId, Recorded, UserId } from '@annals/kernel/domain';
import type { MailDraft, NewMailTask } from '@annals/mail';
import { MailComposer } from '@annals/mail';
import { WantedEmails } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { AccountMails } from './account-mails';

const CONFIRM_MAIL = 'email-change';
const CHANGED_MAIL = 'email-changed';

/** The mails about another email of an account. */
export function emailChangeTasks(event: Recorded): readonly NewMailTask[] {
  const kind = { 'users.EmailChangeAsked': CONFIRM_MAIL, 'users.EmailChangeConfirmed': CHANGED_MAIL }[event.type];
  if (kind === undefined) return [];
  return [{ kind, key: `${(event.data as { userId: UserId }).userId}-${event.position}` }];
}

const idsIn = (key: string) => key.split('-').map(Number);

/** The mail to a new email, with the link that confirms it. */
@Injectable()
export class ConfirmEmailMail extends MailComposer {
  readonly kind = CONFIRM_MAIL;

  constructor(
    private readonly wanted: WantedEmails,
    private readonly mails: AccountMails,
  ) {
    super();
  }

  override async compose(realmId: RealmId, key: string): Promise<MailDraft | null> {
    const userId = idsIn(key)[0] as UserId;
    const change = await this.wanted.of(realmId, userId);
    const mail = change && (await this.mails.to(realmId, userId));
    if (!change || !mail) return null;
    const { t, to, url, organization } = mail;
    const { userId: _account, ...recipient } = to;
    const blocks = [
      { text: t('signIn.confirmMail', { organization, email: change.email, from: to.to }) },
      { button: t('signIn.confirmEmail'), url: `${url}/accounts/confirm_new_email/${change.token}` },
      { small: t('signIn.confirmMailNotYou') },
    ];
    return {
      ...recipient,
      to: change.email,
      content: { subject: t('signIn.confirmMailSubject', { organization }), blocks },
    };
  }
}

/** The mail to the email that an account had. */
@Injectable()
export class EmailChangedMail extends MailComposer {
  readonly kind = CHANGED_MAIL;

  constructor(
    private readonly kernel: Kernel,
    private readonly mails: AccountMails,
  ) {
    super();
  }

  override async compose(realmId: RealmId, key: string): Promise<MailDraft | null> {
    const [userId = 0, position = 0] = idsIn(key);
    const [event] = await this.kernel.events.at(realmId, [position]);
    const { sealed } = (event ?? { sealed: 'erased' }) as { sealed: { from: string } | 'erased' };
    const mail = await this.mails.to(realmId, userId as UserId);
    if (!mail || sealed === 'erased' || sealed.from === '') return null;
    const { t, to, organization } = mail;
    const { userId: _account, ...recipient } = to;
    const blocks = [
      { text: t('signIn.emailChangedMail', { organization, email: to.to }) },
      { small: t('signIn.emailChangedMailNotYou') },
    ];
    return {
      ...recipient,
      to: sealed.from,
      content: { subject: t('signIn.emailChangedMailSubject', { organization }), blocks },
    };
  }
}
