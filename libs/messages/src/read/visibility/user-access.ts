import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId, RealmId, UserId } from '@annals/kernel/domain';
import { isGuest } from '@annals/kernel/domain';
import { RealmFacts, isRestricted, readRealm } from '@annals/realm';
import { UserAccess } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';

const NOBODY: ReadonlySet<never> = new Set();

/** Which users restricted guests can access, by shared channels and conversations (contract/permissions.md section 7). */
@Injectable()
export class ChannelBasedUserAccess extends UserAccess {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
  ) {
    super();
  }

  override async inaccessibleAmong<Id extends number>(actor: Actor, userIds: readonly Id[]): Promise<ReadonlySet<Id>> {
    if (userIds.length === 0 || !(await this.isRestricted(actor))) return NOBODY;
    return readInaccessibleUsers(this.kernel.database.pool, actor.realmId, actor.userId, userIds);
  }

  override async canAccessAll(actor: Actor): Promise<boolean> {
    return !(await this.isRestricted(actor));
  }

  override async accessibleTo(actor: Actor): Promise<ReadonlySet<UserId> | null> {
    if (!(await this.isRestricted(actor))) return null;
    return readAccessibleUsers(this.kernel.database.pool, actor.realmId, actor.userId);
  }

  override async inaccessibleIn<Id extends number>(
    client: ClientBase,
    actor: Actor,
    userIds: readonly Id[],
  ): Promise<ReadonlySet<Id>> {
    if (!(await isRestrictedIn(client, actor))) return NOBODY;
    return readInaccessibleUsers(client, actor.realmId, actor.userId, userIds);
  }

  override async accessibleIn(client: ClientBase, actor: Actor): Promise<ReadonlySet<UserId> | null> {
    if (!(await isRestrictedIn(client, actor))) return null;
    return readAccessibleUsers(client, actor.realmId, actor.userId);
  }

  private async isRestricted(actor: Actor): Promise<boolean> {
    return isGuest(actor) && isRestricted(actor, await this.realms.of(actor.realmId));
  }
}

async function isRestrictedIn(client: ClientBase, actor: Actor): Promise<boolean> {
  const realm = isGuest(actor) ? await readRealm(client, actor.realmId) : undefined;
  return realm !== undefined && isRestricted(actor, realm);
}

/** Reads which of these accounts share no channel and no conversation with a guest. Unknown ids are left out. */
export async function readInaccessibleUsers<Id extends number>(
  client: Pool | ClientBase,
  realmId: RealmId,
  guest: UserId,
  userIds: readonly Id[],
): Promise<ReadonlySet<Id>> {
  const { rows } = await client.query<{ id: Id }>({
    name: 'messages-inaccessible-users',
    // Deactivated users share channels no more. They still share their conversations.
    text: `SELECT u.user_id AS id FROM view.users AS u
      WHERE u.realm_id = $1 AND u.user_id = ANY($3::int8[]) AND u.user_id <> $2 AND u.bot_type IS NULL
        AND NOT (u.is_active AND EXISTS (SELECT FROM view.memberships AS own
          JOIN view.memberships AS m ON m.realm_id = own.realm_id AND m.channel_id = own.channel_id
            AND m.user_id = u.user_id AND m.to_position IS NULL
          WHERE own.realm_id = $1 AND own.user_id = $2 AND own.to_position IS NULL))
        AND NOT EXISTS (SELECT FROM view.conversation_members AS own
          JOIN view.conversation_members AS m ON m.realm_id = own.realm_id AND m.user_id = u.user_id
            AND m.conversation_id = own.conversation_id
          WHERE own.realm_id = $1 AND own.user_id = $2)`,
    values: [realmId, guest, userIds],
  });
  return new Set(rows.map(({ id }) => id));
}

/** A channel that a guest shares with a user with whom they share no conversation. */
interface SharedChannel {
  readonly userId: UserId;
  readonly channelId: ChannelId;
}

/** Reads one shared channel for each of these users whom a guest can access by channels alone. */
export async function readSharedChannels(
  client: Pool | ClientBase,
  realmId: RealmId,
  guest: UserId,
  userIds: readonly UserId[],
): Promise<SharedChannel[]> {
  const { rows } = await client.query<SharedChannel>({
    name: 'messages-shared-channels',
    text: `SELECT DISTINCT ON (m.user_id) m.user_id AS "userId", m.channel_id AS "channelId"
      FROM view.memberships AS own
      JOIN view.memberships AS m ON m.realm_id = own.realm_id AND m.channel_id = own.channel_id
        AND m.user_id = ANY($3::int8[]) AND m.user_id <> own.user_id AND m.to_position IS NULL
      JOIN view.users AS u ON u.realm_id = m.realm_id AND u.user_id = m.user_id AND u.bot_type IS NULL
      WHERE own.realm_id = $1 AND own.user_id = $2 AND own.to_position IS NULL
        AND NOT EXISTS (SELECT FROM view.conversation_members AS mine
          JOIN view.conversation_members AS theirs ON theirs.realm_id = mine.realm_id
            AND theirs.user_id = m.user_id AND theirs.conversation_id = mine.conversation_id
          WHERE mine.realm_id = $1 AND mine.user_id = $2)
      ORDER BY m.user_id, m.channel_id`,
    values: [realmId, guest, userIds],
  });
  return rows;
}

/** Reads all users whom a guest can access, the guest included: what `readInaccessibleUsers` does not find among all accounts. */
export async function readAccessibleUsers(
  client: Pool | ClientBase,
  realmId: RealmId,
  guest: UserId,
): Promise<ReadonlySet<UserId>> {
  const { rows } = await client.query<{ id: UserId }>({
    name: 'messages-accessible-users',
    text: `SELECT $2::int8 AS id
      UNION SELECT u.user_id FROM view.users AS u WHERE u.realm_id = $1 AND u.bot_type IS NOT NULL
      UNION SELECT u.user_id FROM view.memberships AS own
        JOIN view.memberships AS m ON m.realm_id = own.realm_id AND m.channel_id = own.channel_id
          AND m.to_position IS NULL
        JOIN view.users AS u ON u.realm_id = m.realm_id AND u.user_id = m.user_id AND u.is_active
        WHERE own.realm_id = $1 AND own.user_id = $2 AND own.to_position IS NULL
      UNION SELECT p.id FROM view.conversation_members AS own
        JOIN view.conversations AS c ON c.realm_id = own.realm_id AND c.conversation_id = own.conversation_id
        CROSS JOIN LATERAL unnest(c.user_ids) AS p(id)
        WHERE own.realm_id = $1 AND own.user_id = $2`,
    values: [realmId, guest],
  });
  return new Set(rows.map(({ id }) => id));
}
