import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';
import { UserAccess } from './user-access';
import { EmailDirectory } from '../email/email-directory';
import { UserFacts } from './user-facts';
import type { UserRow } from './user-row';
import { readAllUsers } from './user-row';

/** Accounts that the actor may see, also deactivated ones. Other ids are left out (contract/users.md section 2). */
export class GetUsers extends Query<UserRow[]> {
  /** @param userIds null for all */
  constructor(
    readonly by: Actor,
    readonly userIds: readonly number[] | null,
  ) {
    super();
  }
}

@QueryHandler(GetUsers)
export class GetUsersHandler implements IQueryHandler<GetUsers> {
  constructor(
    private readonly kernel: Kernel,
    private readonly facts: UserFacts,
    private readonly userAccess: UserAccess,
  ) {}

  async execute({ by, userIds }: GetUsers): Promise<UserRow[]> {
    if (userIds === null) {
      const everybody = await readAllUsers(this.kernel.database.pool, by.realmId);
      const known = await this.userAccess.accessibleTo(by);
      return everybody.filter(({ isSystemBot, userId }) => !isSystemBot && (known?.has(userId) ?? true));
    }
    const wanted = ascending(new Set(userIds));
    const inaccessible = await this.userAccess.inaccessibleAmong(by, wanted);
    const found = await this.facts.accounts(by.realmId, wanted);
    return wanted.flatMap((id) => (inaccessible.has(id) ? [] : (found.get(id) ?? [])));
  }
}

/**
 * One account, by its name in a path: an id, an email, or a placeholder email (contract/users.md section 2).
 *
 * @throws Rejected BAD_REQUEST when there is none, and in the same way for an account that the actor may not see
 */
export class GetUser extends Query<UserRow> {
  constructor(
    readonly by: Actor,
    readonly named: string,
  ) {
    super();
  }
}

const DECIMAL = /^\d{1,15}$/;

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(
    private readonly facts: UserFacts,
    private readonly book: EmailDirectory,
    private readonly userAccess: UserAccess,
  ) {}

  async execute({ by, named }: GetUser): Promise<UserRow> {
    const id = DECIMAL.test(named) ? Number(named) : (await this.book.find(by, [named])).get(named);
    const user = id === undefined ? undefined : await this.facts.account(by.realmId, id);
    if (!user) throw reject.noSuchUser();
    const inaccessible = await this.userAccess.inaccessibleAmong(by, [user.userId]);
    if (inaccessible.size > 0) throw reject.noSuchUser();
    return user;
  }
}
