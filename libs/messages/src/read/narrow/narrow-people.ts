import type { Actor, UserId } from '@annals/kernel/domain';
import { EmailDirectory, UserAccess, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { NamedPeople } from '../../domain/recipients';
import { badNarrow } from './narrow-terms';

/** Finds the users whom the terms of a narrow name. */
@Injectable()
export class NarrowPeople {
  constructor(
    private readonly users: UserFacts,
    private readonly book: EmailDirectory,
    private readonly userAccess: UserAccess,
  ) {}

  async person(by: Actor, named: number | string): Promise<UserId | undefined> {
    return (await this.people(by, typeof named === 'number' ? [named] : [named]))[0];
  }

  /** Users with restricted access get the same answer for an inaccessible user and for an unknown id. */
  async people(by: Actor, named: NamedPeople): Promise<UserId[]> {
    const ids = [...new Set(named.filter((one) => typeof one === 'number'))];
    const emails = named.filter((one) => typeof one === 'string');
    const known = await this.users.accounts(by.realmId, ids);
    const byEmail = await this.book.find(by, emails);
    const isUnknown = known.size < ids.length && (await this.userAccess.canAccessAll(by));
    if (isUnknown || !emails.every((email) => byEmail.has(email))) throw badNarrow({ desc: 'unknown user' });
    return [...(ids as UserId[]), ...byEmail.values()];
  }
}
