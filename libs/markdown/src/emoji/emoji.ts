import { OURS, escapeHtml, openTag, runOf } from '../html';
import type { CoreState, InlineState, Parser, Run, Token } from '../html';
import { unicodeEmojiCode } from './unicode-emoji';

/** The one emoji beside those of Unicode that every server has. The URL of its image is fixed in clients. */
export const EXTRA_EMOJI = { name: 'zulip', src: '/static/generated/emoji/images/emoji/unicode/zulip.png' } as const;

/**
 * Most emoji that a text shows. Further ones remain text. Each is some ninety characters of HTML for one or two of
 * text.
 */
const MAX_EMOJI = 1_000;

/** Names of Unicode emoji can have letters like `ō`. */
const EMOJI = /:([\p{L}\p{M}\p{N}_+-]{1,60}):/uy;

/** Reads the emoji name that begins at `position`, whether or not there is such an emoji. */
export function readEmoji(text: string, position: number): string | undefined {
  EMOJI.lastIndex = position;
  return EMOJI.exec(text)?.[1];
}

/** An image on this server. */
const pictureHtml = (name: string, src: string): string =>
  openTag('img', { alt: `:${name}:`, class: 'emoji', src, title: name.replaceAll('_', ' ') });

/** Text that clients replace by an image. */
function spanHtml(name: string, code: string): string {
  const spoken = name.replaceAll('_', ' ');
  const attributes = { 'aria-label': spoken, class: `emoji emoji-${code}`, role: 'img', title: spoken };
  return `${openTag('span', attributes)}:${escapeHtml(name)}:</span>`;
}

/** Spans of the emoji that every server has, by code and name: there are a few thousand, and most texts share a few. */
const unicodeSpans = new Map<string, string>();

function unicodeSpan(name: string, code: string): string {
  const key = `${code} ${name}`;
  const known = unicodeSpans.get(key);
  if (known !== undefined) return known;
  const html = spanHtml(name, code);
  unicodeSpans.set(key, html);
  return html;
}

/** Counts an emoji. @returns false if the text has the maximum already */
export function takeEmoji(run: Run): boolean {
  if (run.emoji >= MAX_EMOJI) return false;
  run.emoji += 1;
  return true;
}

/** An emoji that every server has. Its HTML does not depend on the organization. */
export function unicodeEmojiToken({ Token: NewToken }: Pick<CoreState, 'Token'>, name: string, code: string): Token {
  return Object.assign(new NewToken('unicode_emoji', '', 0), { content: unicodeSpan(name, code) });
}

/** The lookup takes precedence over the emoji that every server has (contract messages section 7). */
function tokenOf(name: string, state: InlineState): Token | undefined {
  const { names } = runOf(state);
  const own = names.emoji?.(name) ?? (name === EXTRA_EMOJI.name ? EXTRA_EMOJI : undefined);
  if (own) {
    const content = 'src' in own ? pictureHtml(name, own.src) : spanHtml(name, own.code);
    return Object.assign(new state.Token('emoji', '', 0), { content });
  }
  const code = (names.unicodeEmoji ?? unicodeEmojiCode)(name);
  return code === undefined ? undefined : unicodeEmojiToken(state, name, code);
}

function emojiRule(state: InlineState, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3a) return false;
  const name = readEmoji(state.src, state.pos);
  if (name === undefined || state.pos + name.length + 2 > state.posMax) return false;
  const token = tokenOf(name, state);
  if (!token) return false;
  if (!silent) {
    if (takeEmoji(runOf(state))) Object.assign(state.push(token.type, '', 0), { content: token.content });
    else state.pending += `:${name}:`;
  }
  state.pos += name.length + 2;
  return true;
}

/** `:tada:`: an emoji of the lookup, or one that every server has. */
export function emoji(md: Parser): void {
  md.inline.ruler.after('linkify', 'emoji', emojiRule);
  md.renderer.rules['emoji'] = (tokens, index) => tokens[index]?.content ?? '';
  md.renderer.rules['unicode_emoji'] = (tokens, index, _options, env) => {
    runOf({ env }).ours.push(tokens[index]?.content ?? '');
    return OURS;
  };
}
