import type { QueueProfile } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import type { ChannelRow } from '../read/channel-row';
import type { UpdatePayload } from './payloads';

/**
 * `stream`/`update` (contract/channels.md section 5.1). Clients that do not know of archived channels do not have the
 * channel, and do not hear of it.
 *
 * @param channels as they are now, with the name that the event bears
 */
export function presentUpdate(
  { op, channelId, property, value = null }: UpdatePayload,
  channels: ReadonlyMap<ChannelId, ChannelRow>,
  { capabilities }: QueueProfile,
): Record<string, unknown>[] {
  const channel = channels.get(channelId);
  if (!channel) throw new Error(`channel ${channelId} does not exist`);
  if (channel.isArchived && !capabilities.archived_channels) return [];
  return [{ type: 'stream', op, property, value, stream_id: channelId, name: channel.name }];
}
