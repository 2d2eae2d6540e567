import type { RealmId, UserId } from '@annals/kernel/domain';
import { translator } from '@annals/languages';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { OwnSettingsFacts, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';

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
