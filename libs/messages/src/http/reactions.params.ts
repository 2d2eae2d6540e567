import type { EmojiType, MessageId } from '@annals/kernel/domain';
import { EMOJI_TYPES } from '@annals/kernel/domain';
import { PathId, TextParam, WordParam } from '@annals/web';
import type { EmojiInput } from '../domain/reaction/emoji-choice';

/** INTERFACE.md 4.14; the refusal of a missing name is in contract/messages.md section 7. */
export class ReactionParams {
  @PathId() message_id: MessageId;
  @TextParam({ optional: true, about: 'Needed for adding one; for removing one where there is no code.' })
  emoji_name?: string;
  @TextParam({ optional: true, about: 'Identifier within the namespace of the type.' }) emoji_code?: string;
  @WordParam(EMOJI_TYPES, { optional: true }) reaction_type?: EmojiType;
}

export const toEmoji = (p: ReactionParams): EmojiInput => ({
  name: p.emoji_name,
  code: p.emoji_code,
  type: p.reaction_type,
});
