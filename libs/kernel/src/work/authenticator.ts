import type { Actor, Language, Origin, RealmId, UserId } from '../domain/index';

/** The credentials of a request. */
export interface Credentials {
  /** Host name in lower case without its port. */
  readonly host: string;
  readonly username: string;
  /** The API key as it was sent. */
  readonly password: string;
  readonly origin: Origin;
  /** The account may be as it was this long ago at another process. Left out: as it is now. */
  readonly maxAgeMs?: number;
}

/** A key without the name of its account, as incoming webhook bots have it in a URL. */
export type PresentedKey = Pick<Credentials, 'host' | 'origin'> & { readonly key: string };

/** The cookie of a browser's session. */
export type PresentedSession = Pick<Credentials, 'host' | 'origin'> & { readonly cookie: string };

/** A program that acts with a token of its organization, and not for an account. */
export interface TokenBearer {
  readonly realmId: RealmId;
  readonly tokenId: number;
  readonly mayWrite: boolean;
  /** Names the token as the client. */
  readonly origin: Origin;
}

/** Finds the organization and the rights of a token. Provided by the context that issues such tokens. */
export abstract class BearerTokens {
  /** @throws Rejected INVALID_API_KEY for a token that is not, or no longer, one of the organization of the host */
  abstract accept(presented: PresentedKey): Promise<TokenBearer>;
}

/** An account that a request names, without proof. */
export interface NamedAccount {
  readonly realmId: RealmId;
  /** Null when no account has the name. */
  readonly userId: UserId | null;
}

/** Finds the account of a key. Provided by the groups context. */
export abstract class Authenticator {
  /** @throws Rejected INVALID_API_KEY, USER_DEACTIVATED, REALM_DEACTIVATED or NONEXISTENT_SUBDOMAIN */
  abstract authenticate(credentials: Credentials): Promise<Actor>;

  /** The same by the key alone. @throws Rejected the same refusals */
  abstract authenticateKey(presented: PresentedKey): Promise<Actor>;

  /**
   * The account of a session. Null for one that has ended, of another organization, or of an account that is not in use.
   *
   * @throws Rejected REALM_DEACTIVATED or NONEXISTENT_SUBDOMAIN
   */
  abstract authenticateSession(presented: PresentedSession): Promise<Actor | null>;

  /**
   * The account with this name, however host and name are written. Nothing is proved.
   *
   * @throws Rejected NONEXISTENT_SUBDOMAIN
   */
  abstract accountNamed(credentials: Pick<Credentials, 'host' | 'username'>): Promise<NamedAccount>;
}

/** How an organization is found. */
export interface RealmSearch {
  /** How long ago the caches may have become exact. Left out: now. */
  readonly maxAgeMs?: number | undefined;
  /** Also one that was deactivated. */
  readonly isDeactivatedToo?: boolean | undefined;
}

/** Finds the organization of a host name. Provided by the realm context. */
export abstract class RealmByHost {
  /** @throws Rejected NONEXISTENT_SUBDOMAIN when no organization has this host, REALM_DEACTIVATED */
  abstract realmOf(host: string, search?: RealmSearch): Promise<RealmId>;
}

/** What the operator lets an organization use. Provided by the realm context. */
export abstract class RealmQuotas {
  /** How many requests all accounts together may send in a minute. Null for no limit. */
  abstract requestsPerMinute(realmId: RealmId): Promise<number | null>;

  /** @throws Rejected REALM_LOG_QUOTA when nothing more may be written to the log */
  abstract ensureRoomInLog(realmId: RealmId): Promise<void>;
}

/** What visitors of an organization see of it before they have logged in. */
export interface RealmFront {
  readonly name: string;
  /** The language of its pages for visitors whose browser asks for none that there is. */
  readonly language: Language;
}

/** Finds how an organization presents itself. Provided by the realm context. */
export abstract class RealmFronts {
  abstract of(realmId: RealmId): Promise<RealmFront>;
}
