import type { Work } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import type { UserRow } from '@annals/users';
import { UserFacts, stillActive } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { reject } from '../domain/rejections';

/** People as a request names them: by id, or by API email. */
export type Named = readonly number[] | readonly string[];

/** Finds the people that others shall be done something for. */
@Injectable()
export class Principals {
  constructor(private readonly users: UserFacts) {}

  /**
   * Finds them; the append rests on their being active.
   *
   * @returns ids of active accounts, each once, in the order given
   * @throws Rejected BAD_REQUEST when one is unknown or deactivated (contract/subscriptions.md section 2.1)
   */
  async active(work: Work, named: Named): Promise<UserId[]> {
    const { realmId } = work;
    const ids = await this.ids(realmId, named);
    const accounts = await this.users.accounts(realmId, ids);
    if (!ids.every((id) => isHere(accounts.get(id)))) throw reject.unknownPrincipal();
    for (const id of ids) if (id !== work.actor.userId) work.guard(stillActive, id);
    return ids as UserId[];
  }

  private async ids(realmId: RealmId, named: Named): Promise<number[]> {
    if (!isEmails(named)) return [...new Set(named)];
    const found = await this.users.idsByEmail(realmId, named);
    if (!named.every((email) => found.has(email))) throw reject.unknownPrincipal();
    return [...new Set(found.values())];
  }
}

const isEmails = (named: Named): named is readonly string[] => typeof named[0] === 'string';
const isHere = (account: UserRow | undefined): boolean =>
  account !== undefined && account.isActive && !account.isSystemBot;
