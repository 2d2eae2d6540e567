import type { Row, RowChanges } from '@annals/kernel';
import { defineProjection, on } from '@annals/kernel';
import type { ChannelId, Recorded } from '@annals/kernel/domain';
import {
  Archived,
  CHANNEL_EVENTS,
  ChannelCreated,
  ChannelDescribed,
  ChannelRenamed,
  DefaultChanged,
  FolderChosen,
  PermissionsChanged,
  PrivacyChanged,
  RetentionChanged,
  TopicsPolicyChanged,
  Unarchived,
} from '../../domain/events';
import type { ChannelEvent } from '../../domain/events';
import { channelAggregate, erasedChannelName, channelNameKey } from '../../domain/channel/channel';

/** One row per channel with its present state (contract/channels.md section 1). */
export const channelsView = defineProjection({
  name: 'channels',
  version: 2,
  lifecycle: 'inline',
  tables: {
    channels: {
      columns: {
        channel_id: 'int4',
        /** Version of the channel's stream. */
        version: 'int4',
        created_position: 'int8',
        name: 'text',
        /** The name in lower case, for lookups. */
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
      indexes: [{ on: ['name_key'] }, { on: ['folder_id'], where: 'folder_id IS NOT NULL' }],
      sealed: ['name', 'name_key', 'description'],
      past: {
        streams: ({ channel_id }) => [channelAggregate.stream(channel_id as ChannelId)],
        types: CHANNEL_EVENTS,
      },
    },
  },
  handlers: [
    on(ChannelCreated, ({ data, sealed, version, position, at }, rows) => {
      const name = sealed === 'erased' ? erasedChannelName(data.channelId) : sealed.name;
      rows.insert('channels', {
        channel_id: data.channelId,
        version,
        created_position: position,
        name,
        name_key: channelNameKey(name),
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
    on(ChannelRenamed, (event, rows) => {
      const name = event.sealed === 'erased' ? erasedChannelName(event.data.channelId) : event.sealed.name;
      change(event, rows, { name, name_key: channelNameKey(name) });
    }),
    on(ChannelDescribed, (event, rows) =>
      change(event, rows, { description: event.sealed === 'erased' ? '' : event.sealed.description }),
    ),
    on(PrivacyChanged, (event, rows) => {
      const { inviteOnly, isWebPublic, historyPublicToSubscribers } = event.data.privacy;
      const privacy = { invite_only: inviteOnly, is_web_public: isWebPublic };
      change(event, rows, { ...privacy, history_public_to_subscribers: historyPublicToSubscribers });
    }),
    on(PermissionsChanged, (event, rows) => change(event, rows, { settings: event.data.settings })),
    on(RetentionChanged, (event, rows) =>
      change(event, rows, { message_retention_days: event.data.messageRetentionDays }),
    ),
    on(TopicsPolicyChanged, (event, rows) => change(event, rows, { topics_policy: event.data.topicsPolicy })),
    on(FolderChosen, (event, rows) => change(event, rows, { folder_id: event.data.folderId })),
    on(DefaultChanged, (event, rows) => change(event, rows, { is_default: event.data.isDefault })),
    on(Archived, (event, rows) => change(event, rows, { is_archived: true })),
    on(Unarchived, (event, rows) => change(event, rows, { is_archived: false })),
  ],
});

function change({ data, version }: Recorded<ChannelEvent>, rows: RowChanges, columns: Row): void {
  rows.update('channels', { channel_id: data.channelId }, { version, ...columns });
}
