import type { ReactionType } from './reaction-events';
import type { Emoji } from './reaction';
import { isSame } from './reaction';
import { reject } from '../rejections';

/** One of the organization's own emoji. */
export interface OwnEmoji {
  readonly id: number;
  readonly name: string;
  readonly isDeactivated: boolean;
}

/** Every emoji there is: names are looked for in the order of contract/messages.md section 7. */
export interface KnownEmoji {
  readonly own: readonly OwnEmoji[];
  /** Code of the Unicode emoji that a name means, which is one alone. */
  readonly unicodeCode: (name: string) => string | undefined;
  /** Whether there is a Unicode emoji with this code. */
  readonly isUnicode: (code: string) => boolean;
}

/** What a client says of the emoji. */
export interface EmojiWish {
  readonly name: string | undefined;
  readonly code: string | undefined;
  readonly type: ReactionType | undefined;
}

/** The one emoji of type `zulip_extra_emoji`; its name is its code. */
const EXTRA = 'zulip';

/** @throws Rejected BAD_REQUEST when nothing bears the name */
function named(name: string, { own, unicodeCode }: KnownEmoji): Emoji {
  const active = own.find((one) => one.name === name && !one.isDeactivated);
  if (active) return { type: 'realm_emoji', code: String(active.id), name };
  if (name === EXTRA) return { type: 'zulip_extra_emoji', code: EXTRA, name };
  const code = unicodeCode(name);
  if (code === undefined) throw reject.unknownEmoji({ name });
  return { type: 'unicode_emoji', code, name };
}

/**
 * The emoji that is to be added. Who joins others takes it as they named it, whatever became of it meanwhile.
 *
 * @param present what is under the message already
 * @returns the one of `present` that is joined, or another one
 * @throws Rejected BAD_REQUEST for an emoji that does not exist or is called otherwise
 */
export function chosenToAdd(wish: EmojiWish, present: readonly Emoji[], known: KnownEmoji): Emoji {
  const { name } = wish;
  if (name === undefined) throw reject.emojiNameMissing();
  const isWhole = wish.code !== undefined && wish.type !== undefined;
  const meant = isWhole ? null : named(name, known);
  const emoji = { name, code: wish.code ?? meant?.code ?? '', type: wish.type ?? meant?.type ?? 'unicode_emoji' };
  const joined = present.find((one) => isSame(one, emoji));
  if (joined) return joined;
  ensureValid(emoji, known);
  return emoji;
}

function ensureValid({ type, code, name }: Emoji, { own, isUnicode, unicodeCode }: KnownEmoji): void {
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
      const found = own.find(({ id }) => String(id) === code);
      if (!found) throw reject.invalidOwnEmoji();
      if (found.name !== name) throw reject.invalidOwnEmojiName();
      if (found.isDeactivated) throw reject.deactivatedEmoji();
    }
  }
}

/**
 * The emoji that is to be taken away: by its code, or by a name that it was added with or bears now.
 *
 * @param mine what the person put under the message
 * @throws Rejected BAD_REQUEST for neither a code nor a name, or for a name that means nothing
 */
export function chosenToRemove(
  wish: EmojiWish,
  mine: readonly Emoji[],
  known: KnownEmoji,
): Pick<Emoji, 'type' | 'code'> {
  const { name, code, type = 'unicode_emoji' } = wish;
  if (code !== undefined) return { type, code };
  if (name === undefined) throw reject.noEmojiNamed();
  const added = mine.find((one) => one.type === type && one.name === name);
  return { type, code: added?.code ?? named(name, known).code };
}
