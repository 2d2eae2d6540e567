import type { PlacedClientEvent } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import type { ChannelRow } from '../read/channel-row';
import type { PropertyPayload, SubscriptionPayload } from './payloads';

/** Channels that an event says somebody left; none for other events. */
export function channelsLeft({ payload }: PlacedClientEvent): readonly ChannelId[] {
  const told = payload as unknown as SubscriptionPayload;
  return told.op === 'remove' ? told.channelIds : [];
}

/** contract/subscriptions.md section 3 */
export const presentRemoved = (channelIds: readonly ChannelId[], rows: ReadonlyMap<ChannelId, ChannelRow>) => ({
  type: 'subscription',
  op: 'remove',
  subscriptions: channelIds.map((id) => ({ name: rows.get(id)?.name, stream_id: id })),
});

/** contract/subscriptions.md section 4 */
export const presentProperty = ({ op, channelId, property, value }: PropertyPayload) => ({
  type: 'subscription',
  op,
  property,
  value,
  stream_id: channelId,
});
