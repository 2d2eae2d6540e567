import { translator } from '@annals/languages';
import type { Translate } from '@annals/languages';
import type { RealmId } from '@annals/kernel/domain';
import type { MailBlock, MailDraft } from '@annals/mail';
import { MailComposer } from '@annals/mail';
import type { RealmRow } from '@annals/realm';
import { RealmFacts } from '@annals/realm';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { JoinAddresses } from '../../application/join-addresses';
import { OpenLinks } from '../../application/open-links';
import { JoinTokens } from '../../application/tokens';
import type { InvitationId } from '../../domain/events';
import type { Invitation } from '../../domain/invitation';
import { INVITATION_MAIL, REMINDER_MAIL, idOf } from './invitation-mails';

/** What a mail about an invitation says. */
interface Facts {
  readonly t: Translate;
  readonly realm: RealmRow;
  readonly values: Readonly<Record<'inviter' | 'email' | 'organization', string>>;
  readonly url: string;
}

/** What both mails about invitations share. */
@Injectable()
abstract class InvitationMail extends MailComposer {
  constructor(
    private readonly links: OpenLinks,
    private readonly tokens: JoinTokens,
    private readonly addresses: JoinAddresses,
    private readonly users: UserFacts,
    private readonly realms: RealmFacts,
  ) {
    super();
  }

  /** Null once the invitation cannot be used any more. */
  override async compose(realmId: RealmId, key: string): Promise<MailDraft | null> {
    const id = idOf<InvitationId>(key);
    const invitation = await this.links.usableInvitation(realmId, id);
    const token = (await this.tokens.tokensOf(realmId, 'invitation', [id])).get(id);
    const inviter = invitation && (await this.users.account(realmId, invitation.inviterId));
    if (!invitation || invitation.email === null || token === undefined || !inviter) return null;
    const realm = await this.realms.of(realmId);
    const language = realm.settings.default_language;
    const organization = realm.texts.name;
    const values = { inviter: inviter.fullName, email: inviter.deliveryEmail, organization };
    const url = await this.addresses.invitation(realmId, token);
    const facts = { t: translator(language), realm, values, url };
    return {
      to: invitation.email,
      ...(invitation.fullName === null ? {} : { toName: invitation.fullName }),
      purpose: 'account',
      language,
      content: { subject: this.subject(facts), blocks: this.blocks(invitation, facts) },
    };
  }

  protected abstract subject(facts: Facts): string;
  protected abstract blocks(invitation: Invitation, facts: Facts): readonly MailBlock[];
}

/** Writes the mail with an invitation. */
@Injectable()
export class InvitationComposer extends InvitationMail {
  readonly kind = INVITATION_MAIL;

  protected override subject({ t, values }: Facts): string {
    return t('invitations.invitedSubject', values);
  }

  protected override blocks({ expiresAt }: Invitation, { t, values, url }: Facts): readonly MailBlock[] {
    const time = expiresAt === null ? null : `${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    return [
      { text: t('invitations.invitedText', values) },
      { button: t('invitations.joinMailButton', values), url },
      ...(time === null ? [] : [{ text: t('invitations.invitedUntil', { time }) }]),
      { small: t('invitations.invitedWhy') },
    ];
  }
}

/** Writes the mail two days before the end of an invitation. */
@Injectable()
export class ReminderComposer extends InvitationMail {
  readonly kind = REMINDER_MAIL;

  protected override subject({ t, values }: Facts): string {
    return t('invitations.reminderSubject', values);
  }

  protected override blocks(_invitation: Invitation, { t, values, url }: Facts): readonly MailBlock[] {
    return [
      { text: t('invitations.reminderText', values) },
      { button: t('invitations.joinMailButton', values), url },
      { small: t('invitations.invitedWhy') },
    ];
  }
}
