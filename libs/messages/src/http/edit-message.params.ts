import type { MessageId } from '@annals/kernel/domain';
import { PathId, TextParam } from '@annals/web';

/** INTERFACE.md 4.1, as far as it concerns the text. */
export class EditMessageParams {
  @PathId() message_id: MessageId;
  @TextParam({ optional: true }) content?: string;
  @TextParam({ optional: true }) prev_content_sha256?: string;
}
