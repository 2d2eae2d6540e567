import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { AccountCreated, AccountEvent, AddressChanged } from '../../domain/events';
import { emailKey } from '../../domain/account/names';
import type { UserRow } from './user-row';
import { readUsers } from './user-row';

/** Accounts, cached in the process. Exact after the fence. */
@Injectable()
export class UserFacts {
  private readonly users: FactCache<UserRow>;
  private readonly ids: FactCache<UserId>;

  constructor(private readonly kernel: Kernel) {
    this.users = kernel.facts<UserRow>({
      touched: (event) => (isAboutAccount(event) ? [event.data.userId] : []),
      load: async (realmId, keys) => {
        const rows = await readUsers(kernel.database.pool, realmId, keys.map(Number));
        return new Map(rows.map((row) => [String(row.userId), row]));
      },
    });
    this.ids = kernel.facts<UserId>({
      touched: claimedEmails,
      load: (realmId, keys) => this.loadIds(realmId, keys),
    });
  }

  /** An account of any kind and state. Undefined if there is none with this id. */
  account(realmId: RealmId, userId: number): Promise<UserRow | undefined> {
    return this.users.get(realmId, userId);
  }

  /** These accounts by id. Unknown ids are left out. */
  accounts<Key extends number>(realmId: RealmId, userIds: readonly Key[]): Promise<Map<Key, UserRow>> {
    return this.users.getMany(realmId, userIds);
  }

  /** The account with this email, in any letter case. */
  async idByEmail(realmId: RealmId, email: string): Promise<UserId | undefined> {
    const key = emailKey(email);
    const id = await this.ids.get(realmId, key);
    if (id === undefined) return undefined;
    return isTheirs(await this.account(realmId, id), key) ? id : undefined;
  }

  /** Accounts by email, in any letter case, each under the spelling of the request. */
  async idsByEmail(realmId: RealmId, emails: readonly string[]): Promise<Map<string, UserId>> {
    const found = await this.ids.getMany(realmId, emails.map(emailKey));
    const accounts = await this.accounts(realmId, [...found.values()]);
    return new Map(
      emails.flatMap((email) => {
        const id = found.get(emailKey(email));
        return id !== undefined && isTheirs(accounts.get(id), emailKey(email)) ? [[email, id] as const] : [];
      }),
    );
  }

  private async loadIds(realmId: RealmId, keys: readonly string[]): Promise<Map<string, UserId>> {
    const { rows } = await this.kernel.database.pool.query<{ email_key: string; user_id: UserId }>({
      name: 'users-by-email',
      text: 'SELECT email_key, user_id FROM view.users WHERE realm_id = $1 AND email_key = ANY($2::text[])',
      values: [realmId, keys],
    });
    return new Map(rows.map((row) => [row.email_key, row.user_id]));
  }
}

/** An email that a user gave up stays cached until another account takes it. The account itself decides whose it is. */
const isTheirs = (account: UserRow | undefined, key: string): boolean => emailKey(account?.deliveryEmail ?? '') === key;

/** Custom profile fields, and the organization's defaults for new users, belong to no account. */
const isAboutAccount = (event: Recorded): event is Recorded<AccountEvent> =>
  event.type.startsWith('users.') && 'userId' in (event.data as object);

/** An email that was erased has no key, so what is cached under its former key is not wrong. */
function claimedEmails(event: Recorded): readonly string[] | 'all' {
  // The event of a deletion does not contain the email that is free again.
  if (event.type === 'users.ProfileDeleted') return 'all';
  if (event.type !== 'users.AccountCreated' && event.type !== 'users.AddressChanged') return [];
  const { sealed } = event as Recorded<AccountCreated | AddressChanged>;
  return sealed === 'erased' ? [] : [emailKey(sealed.email)];
}
