import { ChannelCreated } from '@annals/channels';
import type { ChannelPrivacy, ChannelSettings } from '@annals/channels';
import type { ChannelId, Fact, GroupId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';

const OTHER_SETTINGS = [
  'can_create_topic_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
] as const;

/**
 * The event that a channel was created with these properties, with its stream.
 *
 * @param others value of the settings that visibility does not depend on
 */
export function channelCreated(
  id: ChannelId,
  { settings, ...shape }: ChannelPrivacy,
  others: GroupId,
): readonly [stream: string, Fact] {
  const data = {
    channelId: id,
    creatorId: null,
    ...shape,
    isDefault: false,
    topicsPolicy: 'inherit' as const,
    messageRetentionDays: null,
    folderId: null,
    settings: { ...Object.fromEntries(OTHER_SETTINGS.map((name) => [name, others])), ...settings } as ChannelSettings,
  };
  return [`channel-${id}`, fact(ChannelCreated, data, { name: `c${id}`, description: '' })];
}
