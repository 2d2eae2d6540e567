import { Kernel } from '@annals/kernel';
import type { RealmId, Recorded, UserId } from '@annals/kernel/domain';
import type { MailDraft, NewMailTask } from '@annals/mail';
import { MailComposer } from '@annals/mail';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { AccountMails } from './account-mails';

const ENDED_MAIL = 'two-factors-ended';

/** The mail that logins need no code any more, whoever ended that. */
export function twoFactorTasks(event: Recorded): readonly NewMailTask[] {
  if (event.type !== 'users.TwoFactorsEnded') return [];
  return [{ kind: ENDED_MAIL, key: `${(event.data as { userId: UserId }).userId}-${event.position}` }];
}

/** The mail that the password is enough to log in again. */
@Injectable()
export class TwoFactorsEndedMail extends MailComposer {
  readonly kind = ENDED_MAIL;

  constructor(
    private readonly kernel: Kernel,
    private readonly users: UserFacts,
    private readonly mails: AccountMails,
  ) {
    super();
  }

  override async compose(realmId: RealmId, key: string): Promise<MailDraft | null> {
    const [userId = 0, position = 0] = key.split('-').map(Number);
    const [event] = await this.kernel.events.at(realmId, [position]);
    const mail = event && (await this.mails.to(realmId, userId as UserId));
    if (!mail) return null;
    const { t, to, url, organization } = mail;
    const values = { organization, email: to.to };
    const name = event.actorId === null ? undefined : (await this.users.account(realmId, event.actorId))?.fullName;
    const text =
      event.actorId === userId
        ? t('signIn.factorsEndedMail', values)
        : name === undefined
          ? t('signIn.factorsEndedByOperatorMail', values)
          : t('signIn.factorsEndedByOwnerMail', { ...values, name });
    const blocks = [
      { text },
      { small: t('signIn.factorsEndedMailNotYou') },
      { button: t('signIn.twoFactorsChange'), url: `${url}/account/two-factors` },
    ];
    return { ...to, content: { subject: t('signIn.factorsEndedMailSubject', { organization }), blocks } };
  }
}
