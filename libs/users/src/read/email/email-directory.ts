import type { Actor, RealmId, UserId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress, mailDomain } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { seesEmail } from '../../domain/email/email-visibility';
import { placeholderId } from '../../domain/account/names';
import { UserAccess } from '../account/user-access';
import { UserFacts } from '../account/user-facts';

/**
 * Finds accounts by the emails that the actor can see: the real email where visible, and the placeholder. A hidden
 * email is treated as unknown, and so are those of inaccessible users (contract/users.md section 2).
 */
@Injectable()
export class EmailDirectory {
  constructor(
    private readonly facts: UserFacts,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly userAccess: UserAccess,
  ) {}

  /** Ids of accounts, each under the spelling of the request. Unknown ones are left out. */
  async find(by: Actor, emails: readonly string[]): Promise<Map<string, UserId>> {
    const real = await this.facts.idsByEmail(by.realmId, emails);
    const placeholderIds = await this.placeholders(by.realmId, emails);
    const accounts = await this.facts.accounts(by.realmId, [...real.values(), ...placeholderIds.values()]);
    const inaccessible = await this.userAccess.inaccessibleAmong(by, [...accounts.keys()]);
    const known = (id: number | undefined) => (id === undefined || inaccessible.has(id) ? undefined : accounts.get(id));
    const found = new Map<string, UserId>();
    for (const email of emails) {
      const account = known(real.get(email));
      const isSeen = account !== undefined && seesEmail(by, account);
      // A placeholder means the account whose id it contains, even if another account has it as its real email.
      const id = known(placeholderIds.get(email))?.userId ?? (isSeen ? account.userId : undefined);
      if (id !== undefined) found.set(email, id);
    }
    return found;
  }

  /**
   * The account that logs in with a username: its real email or its placeholder (contract/conventions.md section 3).
   */
  async owner(realmId: RealmId, username: string): Promise<UserId | undefined> {
    const id = await this.facts.idByEmail(realmId, username);
    if (id !== undefined) return id;
    const placeholder = (await this.placeholders(realmId, [username])).get(username);
    return placeholder === undefined ? undefined : (await this.facts.account(realmId, placeholder))?.userId;
  }

  private async placeholders(realmId: RealmId, emails: readonly string[]): Promise<Map<string, number>> {
    if (emails.length === 0) return new Map();
    const { subdomain } = await this.realms.of(realmId);
    const domain = mailDomain(this.address.urlOf(subdomain));
    return new Map(
      emails.flatMap((email) => {
        const id = placeholderId(email, domain);
        return id === undefined ? [] : [[email, id] as const];
      }),
    );
  }
}
