import type { GroupId, RealmId, UserId } from './ids';
import type { GroupSetting } from './group-setting';

/** Roles by their number on the wire; a lower number has more power (contract/permissions.md section 1). */
export const Role = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof Role)[keyof typeof Role];
export const ROLES: readonly Role[] = Object.values(Role);

/** Kind of a bot by its number on the wire; null for people. */
export type BotType = 1 | 2 | 3 | 4;

/** Who acts, with everything a decision may ask about them. It is exact at the start of the request. */
export interface Actor {
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly role: Role;
  readonly botType: BotType | null;
  readonly botOwnerId: UserId | null;
  /** All named groups the account is in, directly or through subgroups. */
  readonly groups: ReadonlySet<GroupId>;
  /** Version of the account's stream that this actor was read at; an append by the actor rests on it. */
  readonly version: number;
  /** Special permissions granted by the operator (contract/permissions.md section 1). */
  readonly canCreateUsers: boolean;
  readonly canChangeUserEmails: boolean;
  /** Where the request came from; personal, so it is only ever stored sealed. */
  readonly origin: Origin;
  /** The API key that was presented; left out where none was. */
  readonly keyId?: number;
}

/** Name of an account's event stream. It is the kernel's because every act rests on its actor's account. */
export const accountStream = (user: UserId): string => `user-${user}`;

/** The request an act belongs to. */
export interface Origin {
  /** Name of the client program, at most 30 characters (contract/boot.md section 1.5). */
  readonly client: string;
  /** Request id, a UUID; all events of one request share it. */
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
 * The one permission function: whether a group setting's value includes this actor (contract/permissions.md section 3).
 *
 * @param options.guests false for settings that no guest ever has, even when listed (tables 4 and 5, "everyone: no")
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
