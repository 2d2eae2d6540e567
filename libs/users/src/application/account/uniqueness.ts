import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { realmAggregate } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { Account } from '../../domain/account/account';
import { isActive } from '../../domain/account/account-parts';
import { emailKey, personKey } from '../../domain/account/names';
import { UserFacts } from '../../read/account/user-facts';
import { OWNERS, emailFree, lastOwner, nameFree } from '../guards';

/** Facts about all accounts together. Each is guarded: it still holds when the append is stored. */
@Injectable()
export class Uniqueness {
  constructor(
    private readonly kernel: Kernel,
    private readonly facts: UserFacts,
  ) {}

  /** Whether an account has this email. The append claims it. */
  async emailTaken(work: Work, email: string): Promise<boolean> {
    const key = emailKey(email);
    work.guard(emailFree, key);
    work.changesGuard(emailFree, key);
    return (await this.facts.idByEmail(work.realmId, key)) !== undefined;
  }

  /** Whether another account has this name, if names must be unique. The append claims it. */
  async nameTaken(work: Work, fullName: string): Promise<boolean> {
    const key = personKey(fullName.trim());
    work.changesGuard(nameFree, key);
    const realm = await work.read(realmAggregate, 'realm');
    if (!realm?.settings.require_unique_names) return false;
    work.guard(nameFree, key);
    return this.exists('name_key = $2', work.realmId, key);
  }

  /** Whether the account is the only active owner among people. The append removes the role or the account. */
  async isLastOwner(work: Work, account: Account | null): Promise<boolean> {
    if (account?.role !== Role.owner || !isActive(account) || account.botType !== null) return false;
    work.guard(lastOwner, OWNERS);
    work.changesGuard(lastOwner, OWNERS);
    const another = 'role = 100 AND is_active AND bot_type IS NULL AND user_id <> $2';
    return !(await this.exists(another, work.realmId, account.userId));
  }

  /** Whether no other account is active. If that matters there is also an owner, and that is guarded. */
  async isLastUser(work: Work, account: Account | null): Promise<boolean> {
    const another = 'is_active AND NOT is_system_bot AND user_id <> $2';
    return !(await this.exists(another, work.realmId, account?.userId ?? 0));
  }

  private async exists(condition: string, realmId: RealmId, value: string | number): Promise<boolean> {
    const { rowCount } = await this.kernel.database.pool.query(
      `SELECT FROM view.users WHERE realm_id = $1 AND ${condition} LIMIT 1`,
      [realmId, value],
    );
    return rowCount !== 0;
  }
}
