import type { ChannelId, Recorded } from '@annals/kernel/domain';
import { MessagesMoved, TopicMoved } from '../events';

/** A move of a whole topic, or of some messages. */
export type MoveEvent = Recorded<TopicMoved> | Recorded<MessagesMoved>;

export const isMove = (event: Recorded): event is MoveEvent =>
  event.type === TopicMoved.type || event.type === MessagesMoved.type;

/** The channels between which messages moved, which may be the same. */
export const channelsOf = ({
  data: { from, to },
}: MoveEvent): { readonly from: ChannelId; readonly to: ChannelId } => ({
  from: typeof from === 'number' ? from : from.channelId,
  to: typeof to === 'number' ? to : to.channelId,
});
