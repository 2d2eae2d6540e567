import type { Channel } from '../../domain/channel/channel';
import type { PropertyPayload } from '../payloads';

/** contract/subscriptions.md section 3 */
export const presentRemoved = (channels: readonly Pick<Channel, 'id' | 'name'>[]) => ({
  type: 'subscription',
  op: 'remove',
  subscriptions: channels.map(({ id, name }) => ({ name, stream_id: id })),
});

/** contract/subscriptions.md section 4 */
export const presentProperty = ({ op, channelId, property, value }: PropertyPayload) => ({
  type: 'subscription',
  op,
  property,
  value,
  stream_id: channelId,
});
