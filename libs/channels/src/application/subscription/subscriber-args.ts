import type { Work } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import type { UserRow } from '@annals/users';
import { UserAccess, EmailDirectory, UserFacts, stillActive } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';

/** Users in a request: by id, or by email. */
export type SubscriberArg = readonly number[] | readonly string[];

/** Finds the users whom a request of others is about. */
@Injectable()
export class SubscriberArgs {
  constructor(
    private readonly users: UserFacts,
    private readonly book: EmailDirectory,
    private readonly userAccess: UserAccess,
  ) {}

  /**
   * The append depends on their being active.
   *
   * @returns ids of active accounts, each once, in the order of the request
   * @throws Rejected BAD_REQUEST when one is unknown, deactivated, or a user whom the actor may not see
   *   (contract/subscriptions.md section 2.1)
   */
  async active(work: Work, named: SubscriberArg): Promise<UserId[]> {
    const ids = await this.ids(work.actor, named);
    const accounts = await this.users.accounts(work.realmId, ids);
    const inaccessible = await this.userAccess.inaccessibleAmong(work.actor, ids);
    if (!ids.every((id) => isHere(accounts.get(id)) && !inaccessible.has(id))) throw reject.unknownPrincipal();
    for (const id of ids) if (id !== work.actor.userId) work.guard(stillActive, id);
    return ids as UserId[];
  }

  private async ids(by: Actor, named: SubscriberArg): Promise<number[]> {
    if (!isEmails(named)) return [...new Set(named)];
    const found = await this.book.find(by, named);
    if (!named.every((email) => found.has(email))) throw reject.unknownPrincipal();
    return [...new Set(found.values())];
  }
}

const isEmails = (named: SubscriberArg): named is readonly string[] => typeof named[0] === 'string';
const isHere = (account: UserRow | undefined): boolean =>
  account !== undefined && account.isActive && !account.isSystemBot;
