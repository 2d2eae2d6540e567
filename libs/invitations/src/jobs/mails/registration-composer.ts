import { translator } from '@annals/languages';
import type { Translate } from '@annals/languages';
import type { RealmId } from '@annals/kernel/domain';
import type { MailContent, MailDraft } from '@annals/mail';
import { MailComposer } from '@annals/mail';
import { RealmFacts } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { OwnSettingsFacts, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { JoinAddresses } from '../../application/join-addresses';
import { OpenLinks } from '../../application/open-links';
import { JoinTokens } from '../../application/tokens';
import type { RegistrationId } from '../../domain/events';
import { REGISTRATION_MAIL, idOf } from './invitation-mails';

/**
 * Writes the mail to an address whose owner may want to join. Only this mail says whether the address has an account: the page
 * says the same for all.
 */
@Injectable()
export class RegistrationComposer extends MailComposer {
  readonly kind = REGISTRATION_MAIL;

  constructor(
    private readonly links: OpenLinks,
    private readonly tokens: JoinTokens,
    private readonly addresses: JoinAddresses,
    private readonly users: UserFacts,
    private readonly ownSettings: OwnSettingsFacts,
    private readonly realms: RealmFacts,
  ) {
    super();
  }

  override async compose(realmId: RealmId, key: string): Promise<MailDraft | null> {
    const id = idOf<RegistrationId>(key);
    const email = await this.links.pendingAddress(realmId, id);
    if (email === null) return null;
    const { settings, texts } = await this.realms.of(realmId);
    const userId = await this.users.idByEmail(realmId, email);
    const account = userId === undefined ? undefined : await this.users.account(realmId, userId);
    const own = account && (await this.ownSettings.of(realmId, account.userId));
    const language = (own ?? settings).default_language;
    const content = await this.content(realmId, id, account, { t: translator(language), organization: texts.name });
    return content && { to: email, purpose: 'account', language, content };
  }

  private async content(
    realmId: RealmId,
    id: RegistrationId,
    account: UserRow | undefined,
    { t, organization }: { readonly t: Translate; readonly organization: string },
  ): Promise<MailContent | null> {
    const values = { organization };
    const why = { small: t('invitations.unasked', values) };
    if (account?.isActive === false) {
      const blocks = [{ text: t('invitations.deactivatedText', values) }, why];
      return { subject: t('invitations.knownSubject', values), blocks };
    }
    if (account) {
      const login = { button: t('invitations.knownButton'), url: await this.addresses.at(realmId, '/login') };
      const blocks = [{ text: t('invitations.knownText', values) }, login, why];
      return { subject: t('invitations.knownSubject', values), blocks };
    }
    const token = (await this.tokens.tokensOf(realmId, 'registration', [id])).get(id);
    if (token === undefined) return null;
    const confirm = { button: t('invitations.confirmButton'), url: await this.addresses.confirmation(realmId, token) };
    const blocks = [{ text: t('invitations.confirmText') }, confirm, { text: t('invitations.confirmUntil') }, why];
    return { subject: t('invitations.confirmSubject', values), blocks };
  }
}
