import { translator } from '@annals/languages';
import { Kernel } from '@annals/kernel';
import type { Position, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import type { MailDraft } from '@annals/mail';
import { MailComposer } from '@annals/mail';
import { RealmFacts } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { OwnSettingsFacts, UserFacts } from '@annals/users';
import type { DeactivationExplained } from '@annals/users/events';
import { Injectable } from '@nestjs/common';
import { JoinAddresses } from '../../application/join-addresses';
import { DEACTIVATION_MAIL, WELCOME_MAIL, idOf } from './invitation-mails';

/** Writes the mail to somebody who has joined, if the organization sends such mails. */
@Injectable()
export class WelcomeComposer extends MailComposer {
  readonly kind = WELCOME_MAIL;

  constructor(
    private readonly users: UserFacts,
    private readonly settings: OwnSettingsFacts,
    private readonly realms: RealmFacts,
    private readonly addresses: JoinAddresses,
  ) {
    super();
  }

  override async compose(realmId: RealmId, key: string): Promise<MailDraft | null> {
    const account = await this.users.account(realmId, idOf<UserId>(key));
    const { settings, texts } = await this.realms.of(realmId);
    if (!account?.isActive || !settings.send_welcome_emails) return null;
    const language = (await this.settings.of(realmId, account.userId)).default_language;
    const t = translator(language);
    const url = await this.addresses.at(realmId, '');
    const values = { organization: texts.name };
    const blocks = [
      { text: t('invitations.welcomeText', values) },
      {
        list: [
          { text: t('invitations.welcomeAddress', { url }) },
          { text: t('invitations.welcomeEmail', { email: account.deliveryEmail }) },
        ],
      },
      { text: t('invitations.welcomeApps') },
      { button: t('invitations.welcomeButton', values), url: await this.addresses.at(realmId, '/welcome') },
    ];
    return { ...toAccount(account), language, content: { subject: t('invitations.welcomeSubject', values), blocks } };
  }
}

/** Writes the mail of an administrator to somebody whose account was deactivated. */
@Injectable()
export class DeactivationComposer extends MailComposer {
  readonly kind = DEACTIVATION_MAIL;

  constructor(
    private readonly kernel: Kernel,
    private readonly users: UserFacts,
    private readonly settings: OwnSettingsFacts,
    private readonly realms: RealmFacts,
  ) {
    super();
  }

  /** Null if the address was deleted with the account. */
  override async compose(realmId: RealmId, key: string): Promise<MailDraft | null> {
    const account = await this.users.account(realmId, idOf<UserId>(key));
    const position = Number(key.split(':')[1]) as Position;
    const [event] = (await this.kernel.events.at(realmId, [position])) as readonly Recorded<DeactivationExplained>[];
    if (!account || account.isDeleted || account.isActive || !event || event.sealed === 'erased') return null;
    const { texts } = await this.realms.of(realmId);
    const language = (await this.settings.of(realmId, account.userId)).default_language;
    const t = translator(language);
    const values = { organization: texts.name };
    const { comment } = event.sealed;
    const theirs = comment === '' ? [] : [{ text: t('invitations.leftComment') }, { text: comment }];
    const content = {
      subject: t('invitations.leftSubject', values),
      blocks: [{ text: t('invitations.leftText', values) }, ...theirs],
    };
    return { ...toAccount(account), language, content };
  }
}

const toAccount = ({ deliveryEmail, fullName, userId }: UserRow) =>
  ({ to: deliveryEmail, toName: fullName, userId, purpose: 'account' }) as const;
