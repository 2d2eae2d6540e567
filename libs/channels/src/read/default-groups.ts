import type { RegisterBlock } from '@annals/kernel';
import type { ChannelId, RealmId } from '@annals/kernel/domain';
import { isGuest } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** A group of default channels on the wire (contract/realtime.md section 6). */
export interface DefaultGroupRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Ids of channels, ascending. */
  readonly streams: readonly ChannelId[];
}

/** All groups of default channels of an organization, by name. */
export async function readDefaultGroups(client: Pool | ClientBase, realmId: RealmId): Promise<DefaultGroupRow[]> {
  const { rows } = await client.query<DefaultGroupRow>({
    name: 'channels-default-groups',
    text: `SELECT group_id AS id, name, description, ARRAY(SELECT c.channel_id FROM view.default_group_channels AS c
        WHERE c.realm_id = g.realm_id AND c.group_id = g.group_id ORDER BY c.channel_id) AS streams
      FROM view.default_channel_groups AS g WHERE realm_id = $1 ORDER BY name COLLATE "C", group_id`,
    values: [realmId],
  });
  return rows;
}

/** Not for guests, as the default channels (contract/boot.md section 4.1). */
export const defaultGroupsRegisterBlock: RegisterBlock = {
  keys: ['default_stream_groups'],
  async read({ client, realmId }, by) {
    return { realm_default_stream_groups: isGuest(by) ? [] : await readDefaultGroups(client, realmId) };
  },
};
