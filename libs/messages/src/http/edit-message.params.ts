import type { Actor, ChannelId, MessageId } from '@annals/kernel/domain';
import { BooleanParam, IntegerParam, PathId, TextParam, WordParam } from '@annals/web';
import { EditMessage } from '../application/edit/edit-message';
import type { PropagateMode } from '../domain/events';
import { PROPAGATE_MODES } from '../domain/events';

/** INTERFACE.md 4.1 */
export class EditMessageParams {
  @PathId() message_id: MessageId;
  @TextParam({ optional: true }) content?: string;
  @TextParam({ optional: true }) prev_content_sha256?: string;
  @TextParam({ optional: true, aliases: ['subject'] }) topic?: string;
  @IntegerParam({ optional: true }) stream_id?: ChannelId;
  @WordParam(PROPAGATE_MODES) propagate_mode: PropagateMode = 'change_one';
  @BooleanParam() send_notification_to_old_thread = false;
  @BooleanParam() send_notification_to_new_thread = true;
}

export function toEdit(by: Actor, p: EditMessageParams): EditMessage {
  const patch = { content: p.content, topic: p.topic, channelId: p.stream_id, mode: p.propagate_mode };
  const notices = { inOldTopic: p.send_notification_to_old_thread, inNewTopic: p.send_notification_to_new_thread };
  return new EditMessage(by, {
    messageId: p.message_id,
    patch,
    previousDigest: p.prev_content_sha256 ?? null,
    notices,
  });
}
