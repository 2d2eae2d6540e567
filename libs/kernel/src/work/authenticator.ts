import type { Actor, Origin, RealmId, UserId } from '../domain/index';

/** What a caller presents. */
export interface Credentials {
  /** Host name in lower case without its port. */
  readonly host: string;
  readonly username: string;
  /** The API key, as it was sent. */
  readonly password: string;
  readonly origin: Origin;
}

/** Whom somebody says they are, whether or not they are. */
export interface NamedAccount {
  readonly realmId: RealmId;
  /** Null when nobody has the name. */
  readonly userId: UserId | null;
}

/** Finds the account behind a key; provided by the groups context. */
export abstract class Authenticator {
  /** @throws Rejected INVALID_API_KEY, USER_DEACTIVATED, REALM_DEACTIVATED or NONEXISTENT_SUBDOMAIN */
  abstract authenticate(credentials: Credentials): Promise<Actor>;

  /**
   * The account whose name it is, however host and name are written; nobody has proved anything.
   *
   * @throws Rejected NONEXISTENT_SUBDOMAIN
   */
  abstract accountNamed(credentials: Pick<Credentials, 'host' | 'username'>): Promise<NamedAccount>;
}

/** Finds the organization of a host name; provided by the realm context. */
export abstract class RealmByHost {
  /** @throws Rejected NONEXISTENT_SUBDOMAIN when no organization has this host */
  abstract realmOf(host: string): Promise<RealmId>;
}
