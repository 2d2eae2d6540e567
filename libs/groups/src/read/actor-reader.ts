import { Authenticator, Kernel, RealmByHost } from '@annals/kernel';
import type { Actors, Credentials as Presented, NamedAccount, PresentedKey, PresentedSession } from '@annals/kernel';
import type { Actor, Origin, RealmId, UserId } from '@annals/kernel/domain';
import { OrganizationFacts } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { API_KEY, EmailDirectory, FirstLogins, KnownApiKeys, KnownSessions, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { reject } from '../domain/rejections';
import type { LoggedInBy } from './actor-of-account';
import { actorOfAccount } from './actor-of-account';
import { GroupsOfAccounts } from './groups-of-accounts';

/** No account has this id. */
const NOBODY = 0 as UserId;

/**
 * Makes actors of accounts: role, rights and all groups that they are in. Everything that it reads is cached, and exact
 * after the host's organization was found, because that passes the fence.
 */
@Injectable()
export class ActorReader extends Authenticator implements Actors {
  constructor(
    kernel: Kernel,
    private readonly hosts: RealmByHost,
    private readonly users: UserFacts,
    private readonly book: EmailDirectory,
    private readonly credentials: KnownApiKeys,
    private readonly sessions: KnownSessions,
    private readonly arrivals: FirstLogins,
    private readonly groups: GroupsOfAccounts,
    private readonly organizations: OrganizationFacts,
  ) {
    super();
    kernel.useActors(this);
  }

  /** contract/conventions.md section 3 and boot.md section 1.1 */
  override async authenticate({ host, username, password, origin, maxAgeMs }: Presented): Promise<Actor> {
    const realmId = await this.hosts.realmOf(host, { maxAgeMs });
    const key = password.trim();
    if (!API_KEY.test(key)) throw reject.malformedKey();
    // An unknown email takes the same steps as a known one, and the same time.
    return this.admitted(realmId, (await this.book.owner(realmId, username)) ?? NOBODY, key, origin);
  }

  override async authenticateKey({ host, key: presented, origin }: PresentedKey): Promise<Actor> {
    const realmId = await this.hosts.realmOf(host);
    const key = presented.trim();
    if (!API_KEY.test(key)) throw reject.malformedKey();
    return this.admitted(realmId, (await this.credentials.ownerOf(realmId, key)) ?? NOBODY, key, origin);
  }

  /** The account, if the key is one of its keys. */
  private async admitted(realmId: RealmId, userId: UserId, key: string, origin: Origin): Promise<Actor> {
    // Read before the key: the request depends on this version of the account, in which the key was not revoked.
    const user = await this.users.account(realmId, userId);
    const keyId = await this.credentials.accept(realmId, userId, key);
    if (keyId === undefined) throw reject.invalidKey();
    const actor = await this.actorOf(realmId, user, origin, { keyId });
    return user && (await this.arrivals.note(user, origin)) ? this.refresh(actor) : actor;
  }

  override async authenticateSession({ host, cookie, origin }: PresentedSession): Promise<Actor | null> {
    const realmId = await this.hosts.realmOf(host);
    const presented = this.sessions.presentedIn(cookie);
    if (!presented) return null;
    // Read before the session, like the account of a key.
    const user = await this.users.account(realmId, presented.userId);
    const sessionId = await this.sessions.accept(realmId, presented);
    return sessionId === undefined || !user?.isActive ? null : this.actorOf(realmId, user, origin, { sessionId });
  }

  override async accountNamed({ host, username }: Pick<Presented, 'host' | 'username'>): Promise<NamedAccount> {
    const realmId = await this.hosts.realmOf(host);
    return { realmId, userId: (await this.book.owner(realmId, username)) ?? null };
  }

  /**
   * @throws Rejected also when the key or the session of the request has ended meanwhile, so that it cannot even create another one
   */
  async refresh({ realmId, userId, origin, keyId, sessionId }: Actor): Promise<Actor> {
    const user = await this.users.account(realmId, userId);
    if (keyId !== undefined && !(await this.credentials.has(realmId, userId, keyId))) throw reject.invalidKey();
    if (sessionId !== undefined && !(await this.sessions.has(realmId, userId, sessionId))) throw reject.sessionEnded();
    return this.actorOf(realmId, user, origin, { keyId, sessionId });
  }

  /**
   * The account with its present rights.
   *
   * @throws Rejected USER_DEACTIVATED, also for an account that does not exist, and REALM_DEACTIVATED
   */
  async actor(realmId: RealmId, userId: number, origin: Origin): Promise<Actor> {
    return this.actorOf(realmId, await this.users.account(realmId, userId), origin);
  }

  private async actorOf(
    realmId: RealmId,
    user: UserRow | undefined,
    origin: Origin,
    { keyId, sessionId }: LoggedInBy = {},
  ): Promise<Actor> {
    const organization = await this.organizations.ensureActive(realmId);
    if (!user?.isActive) throw reject.accountDeactivated();
    const groups = await this.groups.all(realmId, user);
    return actorOfAccount(user, { groups, origin, organization, keyId, sessionId });
  }
}
