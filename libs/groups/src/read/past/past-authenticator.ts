import type { Credentials as Presented, Kernel, NamedAccount, RealmByHost } from '@annals/kernel';
import { Authenticator } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { readOnlyPast } from '@annals/kernel/domain';
import type { EmailDirectory } from '@annals/users';
import { API_KEY, KnownApiKeys, UserFacts } from '@annals/users';
import { reject } from '../../domain/rejections';
import type { ActorReader } from '../actor-reader';

/** No account has this id. */
const NOBODY = 0 as UserId;

/** What is read of the past for a login. */
interface Then {
  readonly hosts: RealmByHost;
  readonly actors: ActorReader;
  readonly book: EmailDirectory;
}

/**
 * Logins to a past (contract/audit.md section 4.2): who somebody is, is decided today, and what they may do is decided then.
 * So a key that was revoked since is refused, also within a second, and an account that is deactivated today sees nothing.
 * The actor has the role and the groups of then. The use of a key is not recorded.
 */
export class PastAuthenticator extends Authenticator {
  private readonly users: UserFacts;
  private readonly credentials: KnownApiKeys;

  constructor(
    /** Of the present. */
    private readonly live: Kernel,
    private readonly then: Then,
  ) {
    super();
    this.users = new UserFacts(live);
    this.credentials = new KnownApiKeys(live);
  }

  override async authenticate(presented: Presented): Promise<Actor> {
    const key = presented.password.trim();
    if (!API_KEY.test(key)) throw reject.malformedKey();
    const { realmId, userId } = await this.accountNamed(presented);
    const account = userId ?? NOBODY;
    const today = await this.users.account(realmId, account);
    const keyId = await this.credentials.matching(realmId, account, key);
    if (keyId === undefined) throw reject.invalidKey();
    if (!today?.isActive) throw reject.accountDeactivated();
    return { ...(await this.then.actors.actor(realmId, account, presented.origin)), keyId };
  }

  /** A key alone is for what changes an organization, and nothing changes a past. */
  override authenticateKey(): Promise<Actor> {
    return Promise.reject(readOnlyPast());
  }

  /** The pages of a past would show its accounts as if they were those of today. */
  override authenticateSession(): Promise<null> {
    return Promise.resolve(null);
  }

  /** By the email of today, or by a placeholder or the email of then. */
  override async accountNamed({ host, username }: Pick<Presented, 'host' | 'username'>): Promise<NamedAccount> {
    const { hosts, book } = this.then;
    const realmId = await hosts.realmOf(host);
    await this.live.fence.reach(realmId);
    const today = await this.users.idByEmail(realmId, username);
    return { realmId, userId: today ?? (await book.owner(realmId, username)) ?? null };
  }
}
