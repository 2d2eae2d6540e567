import type { EmojiType } from '@annals/kernel/domain';
import type { Emoji } from './reaction';
import { isSame } from './reaction';
import { reject } from '../rejections';

/** A custom emoji of the organization. */
export interface CustomEmoji {
  readonly id: number;
  readonly name: string;
  readonly isDeactivated: boolean;
}

/** All emoji of an organization. A name is looked up in the order of contract/messages.md section 7. */
export interface KnownEmoji {
  readonly custom: readonly CustomEmoji[];
  /** Code of the one Unicode emoji with this name. */
  readonly unicodeCode: (name: string) => string | undefined;
  /** Whether there is a Unicode emoji with this code. */
  readonly isUnicode: (code: string) => boolean;
}

/** The emoji as a client names it. */
export interface EmojiInput {
  readonly name: string | undefined;
  readonly code: string | undefined;
  readonly type: EmojiType | undefined;
}

/** The selector of presentation, which some clients have in codes of Unicode emoji. */
const SELECTOR = '-fe0f';

/** The code as this server has it: without the selector of presentation. */
const plainCode = ({ code, type }: EmojiInput): string | undefined =>
  type === undefined || type === 'unicode_emoji' ? code?.replaceAll(SELECTOR, '') : code;

/** The one emoji of type `zulip_extra_emoji`; its name is its code. */
const EXTRA = 'zulip';

/** @throws Rejected BAD_REQUEST when no emoji has the name */
function named(name: string, { custom, unicodeCode }: KnownEmoji): Emoji {
  const active = custom.find((one) => one.name === name && !one.isDeactivated);
  if (active) return { type: 'realm_emoji', code: String(active.id), name };
  if (name === EXTRA) return { type: 'zulip_extra_emoji', code: EXTRA, name };
  const code = unicodeCode(name);
  if (code === undefined) throw reject.unknownEmoji({ name });
  return { type: 'unicode_emoji', code, name };
}

/**
 * The emoji to add. A user who adds an emoji that others have added takes the name that they used, even if the emoji was
 * renamed or deactivated since.
 *
 * @param present emoji that the message has already
 * @returns the same emoji of `present` if there is one
 * @throws Rejected BAD_REQUEST for an emoji that does not exist or has another name
 */
export function chosenToAdd(input: EmojiInput, present: readonly Emoji[], known: KnownEmoji): Emoji {
  const { name } = input;
  if (name === undefined) throw reject.emojiNameMissing();
  const code = plainCode(input);
  const isWhole = code !== undefined && input.type !== undefined;
  const meant = isWhole ? null : named(name, known);
  const emoji = { name, code: code ?? meant?.code ?? '', type: input.type ?? meant?.type ?? 'unicode_emoji' };
  const joined = present.find((one) => isSame(one, emoji));
  if (joined) return joined;
  ensureValid(emoji, known);
  return emoji;
}

function ensureValid({ type, code, name }: Emoji, { custom, isUnicode, unicodeCode }: KnownEmoji): void {
  switch (type) {
    case 'unicode_emoji':
      if (!isUnicode(code)) throw reject.invalidEmojiCode();
      if (unicodeCode(name) !== code) throw reject.invalidEmojiName();
      return;
    case 'zulip_extra_emoji':
      if (code !== EXTRA) throw reject.invalidEmojiCode();
      if (name !== EXTRA) throw reject.invalidEmojiName();
      return;
    case 'realm_emoji': {
      const found = custom.find(({ id }) => String(id) === code);
      if (!found) throw reject.invalidCustomEmoji();
      if (found.name !== name) throw reject.invalidCustomEmojiName();
      if (found.isDeactivated) throw reject.deactivatedEmoji();
    }
  }
}

/**
 * The emoji to remove: by its code, by the name that it was added with, or by its present name.
 *
 * @param mine emoji that the user has added to the message
 * @throws Rejected BAD_REQUEST for neither a code nor a name, or for a name that no emoji has
 */
export function chosenToRemove(
  input: EmojiInput,
  mine: readonly Emoji[],
  known: KnownEmoji,
): Pick<Emoji, 'type' | 'code'> {
  const { name, type = 'unicode_emoji' } = input;
  const code = plainCode(input);
  if (code !== undefined) return { type, code };
  if (name === undefined) throw reject.noEmojiNamed();
  const added = mine.find((one) => one.type === type && one.name === name);
  return { type, code: added?.code ?? named(name, known).code };
}
