import { translator } from '@annals/languages';
import type { TextKey } from '@annals/languages';
import type { MailContent, MailDraft } from '@annals/mail';
import { Injectable } from '@nestjs/common';
import type { MailReader } from './mail-readers';
import { MailReaders } from './mail-readers';
import type { MailSubject } from './unsubscribe-links';
import { UnsubscribeLinks } from './unsubscribe-links';

const LABELS: Readonly<Record<MailSubject, TextKey>> = {
  'missed-messages': 'emailNotifications.endMissedMessages',
  digest: 'emailNotifications.endDigest',
  login: 'emailNotifications.endLogin',
};

/** Makes mails to users of what they say: with address, language, the name of the organization and a link that ends such mails. */
@Injectable()
export class AddressedMails {
  constructor(
    private readonly readers: MailReaders,
    private readonly links: UnsubscribeLinks,
  ) {}

  /** @param subject what the mail is about, and its link ends */
  async to(to: MailReader, subject: MailSubject, content: MailContent): Promise<MailDraft> {
    const { user, language, organization } = to;
    const t = translator(language);
    const named = { subject: content.subject, organization: organization.name };
    const isNamed = subject === 'missed-messages' && (await this.readers.isOrganizationNamed(to));
    return {
      to: user.deliveryEmail,
      toName: user.fullName,
      userId: user.userId,
      purpose: 'notification',
      language,
      content: isNamed ? { ...content, subject: t('emailNotifications.subjectIn', named) } : content,
      unsubscribe: {
        url: await this.links.of(user.realmId, organization.url, user.userId, subject),
        label: t(LABELS[subject]),
      },
    };
  }
}
