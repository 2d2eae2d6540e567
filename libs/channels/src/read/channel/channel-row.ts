import type { ChannelId, Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { ChannelPrivacy } from '../../domain/channel/access';
import type { TopicsPolicy } from '../../domain/events';
import type { ChannelSettings } from '../../domain/channel/settings';

/** A channel in the read model. */
export interface ChannelRow extends ChannelPrivacy {
  readonly id: ChannelId;
  readonly version: number;
  readonly createdPosition: Position;
  readonly name: string;
  /** Markdown, on one line. */
  readonly description: string;
  readonly isDefault: boolean;
  readonly isArchived: boolean;
  readonly topicsPolicy: TopicsPolicy;
  /** Null follows the organization, -1 keeps forever. */
  readonly messageRetentionDays: number | null;
  readonly folderId: number | null;
  readonly settings: ChannelSettings;
  readonly creatorId: UserId | null;
  readonly createdAt: Instant;
}

/** Columns of `view.channels AS c`, under the names of `ChannelRow`. */
export const CHANNEL_COLUMNS = `c.channel_id AS id, c.version, c.created_position AS "createdPosition", c.name,
  c.description, c.invite_only AS "inviteOnly", c.is_web_public AS "isWebPublic",
  c.history_public_to_subscribers AS "historyPublicToSubscribers", c.is_default AS "isDefault",
  c.is_archived AS "isArchived", c.topics_policy AS "topicsPolicy", c.message_retention_days AS "messageRetentionDays",
  c.folder_id AS "folderId", c.settings, c.creator_id AS "creatorId", c.created_at AS "createdAt"`;

/** Reads channels by id. Those that do not exist are left out. */
export async function readChannels(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly ChannelId[],
): Promise<Map<ChannelId, ChannelRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<ChannelRow>({
    name: 'channels-by-id',
    text: `SELECT ${CHANNEL_COLUMNS} FROM view.channels AS c WHERE c.realm_id = $1 AND c.channel_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Names of channels by id, also of archived ones. Those that do not exist are left out. */
export async function readChannelNames(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly ChannelId[],
): Promise<ReadonlyMap<ChannelId, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ id: ChannelId; name: string }>({
    name: 'channels-names',
    text: `SELECT channel_id AS id, name FROM view.channels WHERE realm_id = $1 AND channel_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Ids of the channels that new accounts are subscribed to, ascending. */
export async function readDefaultChannels(client: Pool | ClientBase, realmId: RealmId): Promise<ChannelId[]> {
  const { rows } = await client.query<{ channel_id: ChannelId }>({
    name: 'channels-default',
    text: `SELECT channel_id FROM view.channels WHERE realm_id = $1 AND is_default AND NOT is_archived
      ORDER BY channel_id`,
    values: [realmId],
  });
  return rows.map((row) => row.channel_id);
}
