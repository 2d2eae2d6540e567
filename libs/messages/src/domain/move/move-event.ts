import type { Recorded } from '@annals/kernel/domain';
import { MessagesMoved, TopicMoved } from '../events';

/** A move of a whole topic, or of some messages. */
export type MoveEvent = Recorded<TopicMoved> | Recorded<MessagesMoved>;

export const isMove = (event: Recorded): event is MoveEvent =>
  event.type === TopicMoved.type || event.type === MessagesMoved.type;
