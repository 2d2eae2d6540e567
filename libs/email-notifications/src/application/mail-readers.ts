import { Kernel } from '@annals/kernel';
import type { Language, RealmId, UserId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress, isActiveSql } from '@annals/realm';
import type { RealmSettings } from '@annals/realm';
import type { OwnSettings, UserRow } from '@annals/users';
import { readUsers, settingsOf } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';

/** The organization as a mail names it. */
export interface MailOrganization {
  readonly name: string;
  /** Without a slash at the end. */
  readonly url: string;
  readonly settings: RealmSettings;
}

/** Somebody who may get a mail, as they are now. */
export interface MailReader {
  readonly user: UserRow;
  readonly settings: OwnSettings;
  readonly language: Language;
  readonly organization: MailOrganization;
}

/** Values of `realm_name_in_email_notifications_policy` (contract/boot.md section 6). */
const NAMED = { automatic: 1, always: 2, never: 3 } as const;

/** Reads who gets a mail. */
@Injectable()
export class MailReaders {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  /** Null for a bot and for a deactivated account, which get no mails. Call it after the fence. */
  async of(realmId: RealmId, userId: UserId): Promise<MailReader | null> {
    const { pool } = this.kernel.database;
    const [user] = await readUsers(pool, realmId, [userId]);
    if (!user?.isActive || user.botType !== null) return null;
    const settings = await settingsOf(pool, realmId, userId);
    const { subdomain, texts, settings: realmSettings } = await this.realms.of(realmId);
    const organization = { name: texts.name, url: this.address.urlOf(subdomain), settings: realmSettings };
    return { user, settings, language: settings.default_language, organization };
  }

  /** Whether subjects of mails name the organization. By default they do for users with accounts in several ones. */
  async isOrganizationNamed({ user, settings }: MailReader): Promise<boolean> {
    const policy = settings.realm_name_in_email_notifications_policy;
    if (policy !== NAMED.automatic) return policy === NAMED.always;
    return (await countOrganizationsWith(this.kernel.database.pool, user.deliveryEmail)) > 1;
  }
}

/** The number of organizations in which a person has an active account with this address, at most 2. */
async function countOrganizationsWith(pool: Pool, email: string): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'email-organizations-with-address',
    text: `SELECT FROM realm_heads AS h WHERE ${isActiveSql('h.realm_id')} AND EXISTS (SELECT FROM view.users AS u
      WHERE u.realm_id = h.realm_id AND u.email_key = $1 AND u.is_active AND u.bot_type IS NULL) LIMIT 2`,
    values: [email.trim().toLowerCase()],
  });
  return rowCount ?? 0;
}
