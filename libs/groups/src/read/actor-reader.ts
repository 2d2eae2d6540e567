import { Kernel } from '@annals/kernel';
import type { Actors } from '@annals/kernel';
import type { Actor, Origin, RealmId, UserId } from '@annals/kernel/domain';
import type { UserRow } from '@annals/users';
import { API_KEY, AddressBook, Arrivals, Credentials, UserFacts } from '@annals/users';
import type { Credentials as Presented } from '@annals/web';
import { Authenticator, RealmByHost } from '@annals/web';
import { Injectable } from '@nestjs/common';
import { reject } from '../domain/rejections';
import { GroupsOfAccounts } from './groups-of-accounts';

/** No account has this id. */
const NOBODY = 0 as UserId;

/**
 * Makes actors of accounts: role, rights and all groups they are in. Everything it reads is cached, and exact once the
 * host's organization was found, because that passes the fence.
 */
@Injectable()
export class ActorReader extends Authenticator implements Actors {
  constructor(
    kernel: Kernel,
    private readonly hosts: RealmByHost,
    private readonly users: UserFacts,
    private readonly book: AddressBook,
    private readonly credentials: Credentials,
    private readonly arrivals: Arrivals,
    private readonly groups: GroupsOfAccounts,
  ) {
    super();
    kernel.useActors(this);
  }

  /** contract/conventions.md section 3 and boot.md section 1.1 */
  override async authenticate({ host, username, password, origin }: Presented): Promise<Actor> {
    const realmId = await this.hosts.realmOf(host);
    const key = password.trim();
    if (!API_KEY.test(key)) throw reject.malformedKey();
    // What is done for a known address is done for an unknown one too, and takes as long.
    const userId = (await this.book.owner(realmId, username)) ?? NOBODY;
    const keyId = await this.credentials.accept(realmId, userId, key);
    if (keyId === undefined) throw reject.invalidKey();
    const user = await this.users.account(realmId, userId);
    if (user) await this.arrivals.note(user, origin);
    return { ...(await this.actor(realmId, userId, origin)), keyId };
  }

  refresh(actor: Actor): Promise<Actor> {
    return this.actor(actor.realmId, actor.userId, actor.origin);
  }

  /**
   * The account as it may act now.
   *
   * @throws Rejected USER_DEACTIVATED, also for an account that does not exist
   */
  async actor(realmId: RealmId, userId: number, origin: Origin): Promise<Actor> {
    const user = await this.users.account(realmId, userId);
    if (!user?.isActive) throw reject.accountDeactivated();
    return { ...rightsOf(user), realmId, groups: await this.groups.all(realmId, user), origin };
  }
}

const rightsOf = ({ userId, role, botType, botOwnerId, version, canCreateUsers, canChangeUserEmails }: UserRow) => ({
  userId,
  role,
  botType,
  botOwnerId,
  version,
  canCreateUsers,
  canChangeUserEmails,
});
