import { Authenticator, Kernel, RealmByHost } from '@annals/kernel';
import type { Actors, Credentials as Presented, NamedAccount } from '@annals/kernel';
import type { Actor, Origin, RealmId, UserId } from '@annals/kernel/domain';
import type { UserRow } from '@annals/users';
import { API_KEY, EmailDirectory, FirstLogins, Credentials, UserFacts } from '@annals/users';
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
    private readonly book: EmailDirectory,
    private readonly credentials: Credentials,
    private readonly arrivals: FirstLogins,
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
    // Read before the key: what the actor does rests on this version of the account, where the key was not revoked yet.
    const user = await this.users.account(realmId, userId);
    const keyId = await this.credentials.accept(realmId, userId, key);
    if (keyId === undefined) throw reject.invalidKey();
    const actor = { ...(await this.actorOf(user, origin)), keyId };
    return user && (await this.arrivals.note(user, origin)) ? this.refresh(actor) : actor;
  }

  override async accountNamed({ host, username }: Pick<Presented, 'host' | 'username'>): Promise<NamedAccount> {
    const realmId = await this.hosts.realmOf(host);
    return { realmId, userId: (await this.book.owner(realmId, username)) ?? null };
  }

  /** @throws Rejected also when the key that was presented has ended meanwhile: it may not even make another one */
  async refresh({ realmId, userId, origin, keyId }: Actor): Promise<Actor> {
    const user = await this.users.account(realmId, userId);
    if (keyId === undefined) return this.actorOf(user, origin);
    if (!(await this.credentials.has(realmId, userId, keyId))) throw reject.invalidKey();
    return { ...(await this.actorOf(user, origin)), keyId };
  }

  /**
   * The account as it may act now.
   *
   * @throws Rejected USER_DEACTIVATED, also for an account that does not exist
   */
  async actor(realmId: RealmId, userId: number, origin: Origin): Promise<Actor> {
    return this.actorOf(await this.users.account(realmId, userId), origin);
  }

  private async actorOf(user: UserRow | undefined, origin: Origin): Promise<Actor> {
    if (!user?.isActive) throw reject.accountDeactivated();
    const { realmId } = user;
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
