import type { BotType, Instant, Position, RealmId, Role, UserId } from '@annals/kernel/domain';
import type { BotDefaults } from '../../domain/account/account-parts';
import type { EmailVisibility } from '../../domain/email/email-visibility';
import type { ClientBase, Pool } from 'pg';

/** An account in the read model. */
export interface UserRow extends BotDefaults {
  readonly realmId: RealmId;
  readonly userId: UserId;
  /** Of the account's stream. */
  readonly version: number;
  /** The real email, which not everybody may see: see `emailFor` and `realEmail`. */
  readonly deliveryEmail: string;
  readonly addressVisibility: EmailVisibility;
  /** The position of the last change of the email or its visibility. */
  readonly addressPosition: Position;
  /** IANA identifier; empty for none. */
  readonly timezone: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  /** The profile was deleted. */
  readonly isDeleted: boolean;
  /** Null for people. */
  readonly botType: BotType | null;
  readonly botOwnerId: UserId | null;
  readonly isSystemBot: boolean;
  readonly canCreateUsers: boolean;
  readonly canChangeUserEmails: boolean;
  /** The name of the files of its picture, or of a generated one. Null for that of the Gravatar service. */
  readonly avatarFile: string | null;
  readonly avatarVersion: number;
  readonly createdAt: Instant;
  /** Creation, or the first login of an account that another user created. */
  readonly joinedAt: Instant;
  /** The user for whom it was created has not logged in yet. */
  readonly awaitsFirstLogin: boolean;
  /** Imported from another server. */
  readonly isImported: boolean;
}

const COLUMNS = `realm_id AS "realmId", user_id AS "userId", version, delivery_email AS "deliveryEmail",
  address_visibility AS "addressVisibility", address_position AS "addressPosition", timezone, full_name AS "fullName", role,
  is_active AS "isActive", is_deleted AS "isDeleted", bot_type AS "botType", bot_owner_id AS "botOwnerId", is_system_bot AS "isSystemBot",
  can_create_users AS "canCreateUsers", can_change_user_emails AS "canChangeUserEmails",
  avatar_file AS "avatarFile", avatar_version AS "avatarVersion", created_at AS "createdAt", joined_at AS "joinedAt",
  awaits_login AS "awaitsFirstLogin", is_imported AS "isImported", sending_channel AS "sendingChannel",
  events_channel AS "eventsChannel", all_public_channels AS "allPublicChannels"`;

/** These accounts, in the order of their ids. Unknown ids are left out. */
export async function readUsers(
  client: Pool | ClientBase,
  realmId: RealmId,
  userIds: readonly number[],
): Promise<UserRow[]> {
  if (userIds.length === 0) return [];
  const { rows } = await client.query<UserRow>({
    name: 'users-by-id',
    text: `SELECT ${COLUMNS} FROM view.users WHERE realm_id = $1 AND user_id = ANY($2::int8[]) ORDER BY user_id`,
    values: [realmId, userIds],
  });
  return rows;
}

/** All accounts, also deactivated ones and system bots, in the order of their ids. */
export async function readAllUsers(client: Pool | ClientBase, realmId: RealmId): Promise<UserRow[]> {
  const { rows } = await client.query<UserRow>({
    name: 'users-all',
    text: `SELECT ${COLUMNS} FROM view.users WHERE realm_id = $1 ORDER BY user_id`,
    values: [realmId],
  });
  return rows;
}

/** Number of accounts, also deactivated ones and system bots. */
export async function countUsers(client: Pool | ClientBase, realmId: RealmId): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'users-count',
    text: 'SELECT count(*) AS count FROM view.users WHERE realm_id = $1',
    values: [realmId],
  });
  return rows[0]?.count ?? 0;
}

/** Accounts that changed after a position, and some others, as they are now. */
export async function readChangedUsers(
  client: Pool | ClientBase,
  realmId: RealmId,
  after: Position,
  others: readonly UserId[],
): Promise<UserRow[]> {
  const { rows } = await client.query<UserRow>({
    name: 'users-changed',
    text: `SELECT ${COLUMNS} FROM view.users
      WHERE realm_id = $1 AND (last_position > $2 OR user_id = ANY($3::int8[]))`,
    values: [realmId, after, others],
  });
  return rows;
}

/** Accounts whose email is not visible to everybody, or whose email or its visibility changed after a position. */
export async function readHidden(client: ClientBase, realmId: RealmId, since: Position): Promise<UserRow[]> {
  const { rows } = await client.query<UserRow>({
    name: 'users-hidden',
    text: `SELECT ${COLUMNS} FROM view.users WHERE realm_id = $1 AND bot_type IS NULL
      AND (address_visibility <> 1 OR address_position > $2) ORDER BY user_id`,
    values: [realmId, since],
  });
  return rows;
}

/** Ids of the organization's active bots, ascending. @param owner only those of this account. Null for all */
export async function readActiveBots(
  client: Pool | ClientBase,
  realmId: RealmId,
  owner: UserId | null,
): Promise<UserId[]> {
  const { rows } = await client.query<{ user_id: UserId }>({
    name: 'users-bots',
    text: `SELECT user_id FROM view.users WHERE realm_id = $1 AND bot_type IS NOT NULL AND is_active AND NOT is_system_bot
      AND ($2::int8 IS NULL OR bot_owner_id = $2) ORDER BY user_id`,
    values: [realmId, owner],
  });
  return rows.map((row) => row.user_id);
}

/** Those of these people that are deactivated. */
export async function departedAmong(
  client: Pool | ClientBase,
  realmId: RealmId,
  userIds: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const { rows } = await client.query<{ user_id: UserId }>({
    name: 'users-departed',
    text: 'SELECT user_id FROM view.users WHERE realm_id = $1 AND user_id = ANY($2::int8[]) AND NOT is_active',
    values: [realmId, userIds],
  });
  return new Set(rows.map((row) => row.user_id));
}
