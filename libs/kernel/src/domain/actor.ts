import type { GroupId, RealmId, UserId } from './ids';
import type { GroupSetting } from './group-setting';

/** Roles by their number in the API. A lower number has more power (contract/permissions.md section 1). */
export const Role = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof Role)[keyof typeof Role];
export const ROLES: readonly Role[] = Object.values(Role);

/** Roles by their name in English, in the order of `ROLES`. */
export type RoleName = keyof typeof Role;
export const ROLE_NAMES = Object.keys(Role) as readonly RoleName[];

/** @throws Error for a number that is no role */
export function roleName(role: Role): RoleName {
  const name = ROLE_NAMES.find((one) => Role[one] === role);
  if (name === undefined) throw new Error(`${role} is no role`);
  return name;
}

/** Kind of a bot by its number in the API. Null for people. */
export type BotType = 1 | 2 | 3 | 4;

/** The account that acts, with everything that a decision may need to know of it. Exact at the start of the request. */
export interface Actor {
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly role: Role;
  readonly botType: BotType | null;
  readonly botOwnerId: UserId | null;
  /** All named groups the account is in, directly or through subgroups. */
  readonly groups: ReadonlySet<GroupId>;
  /** Version of the account's stream that this actor was read at. An append by the actor depends on it. */
  readonly version: number;
  /**
   * Version of the organization's stream at which it could be used. An append by the actor depends on it. Left out where
   * it was not read.
   */
  readonly organization?: number;
  /** Special permissions granted by the operator (contract/permissions.md section 1). */
  readonly canCreateUsers: boolean;
  readonly canChangeUserEmails: boolean;
  /** Where the request came from. It is personal, so it is stored sealed only. */
  readonly origin: Origin;
  /** The API key of the request. Left out if there was none. */
  readonly keyId?: number;
  /** The browser's session of the request. Left out if there was none. */
  readonly sessionId?: number;
}

/** Name of an account's event stream. It is in the kernel because every command depends on the account of its actor. */
export const accountStream = (user: UserId): string => `user-${user}`;

/**
 * Name of the event stream that says whether an organization can be used. It is in the kernel because every command of an
 * account depends on it.
 */
export const ORGANIZATION_STREAM = 'organization';

/** The request that a command belongs to. */
export interface Origin {
  /** Name of the client program, at most 30 characters (contract/boot.md section 1.5). */
  readonly client: string;
  /** Request id, a UUID. All events of one request share it. */
  readonly correlation: string;
  readonly address: string | null;
}

export const isOwner = (actor: Pick<Actor, 'role'>): boolean => actor.role === Role.owner;
/** Organization administrators, owners included. */
export const isAdministrator = (actor: Pick<Actor, 'role'>): boolean => actor.role <= Role.administrator;
/** Moderators, administrators and owners. */
export const isModerator = (actor: Pick<Actor, 'role'>): boolean => actor.role <= Role.moderator;
export const isGuest = (actor: Pick<Actor, 'role'>): boolean => actor.role === Role.guest;
export const isBot = (actor: Pick<Actor, 'botType'>): boolean => actor.botType !== null;

/**
 * The one permission function: whether the value of a group setting includes this actor (contract/permissions.md
 * section 3).
 *
 * @param options.guests false for settings that guests never have, even when listed (tables 4 and 5, "everyone: no")
 */
export function permits(
  setting: GroupSetting,
  actor: Pick<Actor, 'userId' | 'role' | 'groups'>,
  options: { guests: boolean },
): boolean {
  if (!options.guests && isGuest(actor)) return false;
  if (typeof setting === 'number') return actor.groups.has(setting);
  return (
    setting.directMembers.includes(actor.userId) || setting.directSubgroups.some((group) => actor.groups.has(group))
  );
}
