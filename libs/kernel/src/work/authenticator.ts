import type { Actor, Origin, RealmId } from '../domain/index';

/** What a caller presents. */
export interface Credentials {
  /** Host name in lower case without its port. */
  readonly host: string;
  readonly username: string;
  /** The API key, as it was sent. */
  readonly password: string;
  readonly origin: Origin;
}

/** Finds the account behind a key; provided by the groups context. */
export abstract class Authenticator {
  /** @throws Rejected INVALID_API_KEY, USER_DEACTIVATED, REALM_DEACTIVATED or NONEXISTENT_SUBDOMAIN */
  abstract authenticate(credentials: Credentials): Promise<Actor>;
}

/** Finds the organization of a host name; provided by the realm context. */
export abstract class RealmByHost {
  /** @throws Rejected NONEXISTENT_SUBDOMAIN when no organization has this host */
  abstract realmOf(host: string): Promise<RealmId>;
}
