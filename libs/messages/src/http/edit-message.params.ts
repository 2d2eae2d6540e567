import type { ChannelId, MessageId } from '@annals/kernel/domain';
import { BooleanParam, IntegerParam, PathId, TextParam, WordParam } from '@annals/web';
import type { EditWish } from '../application/edit-message';
import { reject } from '../domain/rejections';

const MODES = ['change_one', 'change_later', 'change_all'] as const;

/** INTERFACE.md 4.1 */
export class EditMessageParams {
  @PathId() message_id: MessageId;
  @TextParam({ optional: true }) content?: string;
  @TextParam({ optional: true }) prev_content_sha256?: string;
  @TextParam({ optional: true, aliases: ['subject'] }) topic?: string;
  @IntegerParam({ optional: true, min: 1 }) stream_id?: ChannelId;
  @WordParam(MODES) propagate_mode: (typeof MODES)[number] = 'change_one';
  @BooleanParam() send_notification_to_old_thread = false;
  @BooleanParam() send_notification_to_new_thread = true;
}

/**
 * A request is refused whole or granted whole, so one that also moves the message is refused as long as nothing moves.
 *
 * @throws Rejected BAD_REQUEST for parameters that do not go together (contract/messages.md section 5.1), and for moves
 */
export function toEdit(p: EditMessageParams): EditWish {
  if (p.stream_id !== undefined) throw p.content === undefined ? reject.cannotMove() : reject.contentAndChannel();
  return {
    content: p.content,
    topic: p.topic,
    propagates: p.propagate_mode !== 'change_one',
    previousDigest: p.prev_content_sha256,
  };
}
