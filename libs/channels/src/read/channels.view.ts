import { defineProjection, on } from '@annals/kernel';
import { ChannelCreated } from '../domain/events';
import { erasedName, nameKey } from '../domain/channel';

/** One row per channel; what it is now (contract/channels.md section 1). */
export const channelsView = defineProjection({
  name: 'channels',
  version: 1,
  lifecycle: 'inline',
  tables: {
    channels: {
      columns: {
        channel_id: 'int4',
        /** Version of the channel's stream. */
        version: 'int4',
        created_position: 'int8',
        name: 'text',
        /** What the name is found by, whatever its letter case. */
        name_key: 'text',
        description: 'text',
        invite_only: 'bool',
        is_web_public: 'bool',
        history_public_to_subscribers: 'bool',
        is_default: 'bool',
        is_archived: 'bool',
        topics_policy: 'text',
        message_retention_days: 'int4',
        folder_id: 'int4',
        settings: 'jsonb',
        creator_id: 'int4',
        /** Milliseconds. */
        created_at: 'int8',
      },
      key: ['channel_id'],
      indexes: [{ on: ['name_key'] }],
      sealed: ['name', 'name_key', 'description'],
    },
  },
  handlers: [
    on(ChannelCreated, ({ data, sealed, version, position, at }, rows) => {
      const name = sealed === 'erased' ? erasedName(data.channelId) : sealed.name;
      rows.insert('channels', {
        channel_id: data.channelId,
        version,
        created_position: position,
        name,
        name_key: nameKey(name),
        description: sealed === 'erased' ? '' : sealed.description,
        invite_only: data.inviteOnly,
        is_web_public: data.isWebPublic,
        history_public_to_subscribers: data.historyPublicToSubscribers,
        is_default: data.isDefault,
        is_archived: false,
        topics_policy: data.topicsPolicy,
        message_retention_days: data.messageRetentionDays,
        folder_id: data.folderId,
        settings: data.settings,
        creator_id: data.creatorId,
        created_at: at,
      });
    }),
  ],
});
