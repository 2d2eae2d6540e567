import { escapeHtml, openTag, surroundings } from './html';
import type { InlineState, Parser } from './html';
import type { EmojiLook, NameLookup } from './names';
import { unicodeEmojiCode } from './unicode-emoji';

/** The one emoji beside those of Unicode that every server has; clients look for its picture at this address by themselves. */
export const EXTRA_EMOJI = { name: 'zulip', src: '/static/generated/emoji/images/emoji/unicode/zulip.png' } as const;

const EMOJI = /:([a-z0-9_+-]{1,60}):/y;

/** Reads the emoji name that begins at `position`, whether or not there is such an emoji. */
export function readEmoji(text: string, position: number): string | undefined {
  EMOJI.lastIndex = position;
  return EMOJI.exec(text)?.[1];
}

/** An emoji as clients know it: text that they replace by a picture, or a picture of this server. */
export function emojiHtml(name: string, look: EmojiLook): string {
  const spoken = name.replaceAll('_', ' ');
  if ('src' in look) return openTag('img', { alt: `:${name}:`, class: 'emoji', src: look.src, title: spoken });
  const attributes = { 'aria-label': spoken, class: `emoji emoji-${look.code}`, role: 'img', title: spoken };
  return `${openTag('span', attributes)}:${escapeHtml(name)}:</span>`;
}

/** What the lookup knows goes before what every server has (contract messages section 7). */
function lookOf(name: string, names: NameLookup): EmojiLook | undefined {
  const own = names.emoji?.(name);
  if (own) return own;
  if (name === EXTRA_EMOJI.name) return EXTRA_EMOJI;
  const code = unicodeEmojiCode(name);
  return code === undefined ? undefined : { code };
}

function emojiRule(state: InlineState, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3a) return false;
  const name = readEmoji(state.src, state.pos);
  if (name === undefined || state.pos + name.length + 2 > state.posMax) return false;
  const look = lookOf(name, surroundings(state).names);
  if (!look) return false;
  if (!silent) state.push('emoji', '', 0).content = emojiHtml(name, look);
  state.pos += name.length + 2;
  return true;
}

/** `:tada:`: an emoji that the lookup knows, or one that every server has. */
export function emoji(md: Parser): void {
  md.inline.ruler.after('linkify', 'emoji', emojiRule);
  md.renderer.rules['emoji'] = (tokens, index) => tokens[index]?.content ?? '';
}
