import { BooleanParam, PathId, TextParam, WordParam } from '@annals/web';
import type { StatusInput } from '../application/change-status';
import type { EmojiType } from '@annals/kernel/domain';
import { EMOJI_TYPES } from '@annals/kernel/domain';
import { reject } from '../domain/rejections';
import { MAX_STATUS_TEXT } from '../domain/status';

const TEXT = { optional: true, trim: true, max: MAX_STATUS_TEXT } as const;

class StatusParams {
  @TextParam(TEXT) status_text?: string;
  @TextParam({ optional: true, about: 'Empty for none.' }) emoji_name?: string;
  @TextParam({ optional: true, about: 'Identifier within the namespace of the type.' }) emoji_code?: string;
  @WordParam(EMOJI_TYPES, { optional: true }) reaction_type?: EmojiType;
}

/** contract/whole-interface.md section 1 */
export class ChangeStatusParams extends StatusParams {
  @BooleanParam({ optional: true, about: 'The opposite of the setting presence_enabled.' }) away?: boolean;
}

/** Others do not turn off the presence of a user. */
export class ChangeStatusOfUserParams extends StatusParams {
  @PathId() user_id: number;
}

export class GetStatusParams {
  @PathId() user_id: number;
}

/** @throws Rejected BAD_REQUEST for a request without a change, and for an emoji without its name */
export function toStatusInput(p: ChangeStatusParams): StatusInput {
  const { status_text: text, emoji_name: name, emoji_code: code, reaction_type: type, away: isAway } = p;
  if (name === undefined && (code !== undefined || type !== undefined)) throw reject.emojiNameNeeded();
  if (text === undefined && name === undefined && isAway === undefined) throw reject.noNewValues();
  if (name === undefined || name === '') return { text, emoji: name === undefined ? undefined : null, isAway };
  return { text, emoji: { name, code, type }, isAway };
}
