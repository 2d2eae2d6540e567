import { runOf } from '../html';
import type { CoreState, Parser, Token } from '../html';
import { takeEmoji, unicodeEmojiToken } from './emoji';

/** Emoji that clients show for emoticons, each by a name and its code. */
const EMOTICONS: Readonly<Record<string, readonly [name: string, code: string]>> = {
  ':)': ['smile', '1f642'],
  '(:': ['smile', '1f642'],
  ':(': ['frown', '1f641'],
  '<3': ['heart', '2764'],
  ':|': ['neutral', '1f610'],
  ':/': ['confused', '1f615'],
  ';)': ['wink', '1f609'],
  ':D': ['grinning', '1f600'],
  ':o': ['open_mouth', '1f62e'],
  ':O': ['open_mouth', '1f62e'],
  ':p': ['stuck_out_tongue', '1f61b'],
  ':P': ['stuck_out_tongue', '1f61b'],
};

/** An emoticon between spaces, or the ends of the text. */
const EMOTICON = /(?<!\S)(?:[:;][)(|/DoOpP]|\(:|<3)(?!\S)/g;

/** Whether a text contains something that may be an emoticon. */
export const hasEmoticon = (text: string): boolean => text.search(EMOTICON) >= 0;

const isBreak = (token: Token | undefined): boolean =>
  token === undefined || token.type === 'softbreak' || token.type === 'hardbreak';

/** The text in pieces, with emoticons as emoji. The token itself if it has none. */
function split(token: Token, state: CoreState, isFirst: boolean, isLast: boolean): Token[] {
  const { content } = token;
  const pieces: Token[] = [];
  let textFrom = 0;
  const push = (piece: Token): void => {
    if (piece.content !== '') pieces.push(Object.assign(piece, { level: token.level }));
  };
  const text = (words: string): Token => Object.assign(new state.Token('text', '', 0), { content: words });
  for (const { 0: emoticon, index } of content.matchAll(EMOTICON)) {
    const emoji = EMOTICONS[emoticon];
    const end = index + emoticon.length;
    if (!emoji || (index === 0 && !isFirst) || (end === content.length && !isLast)) continue;
    if (!takeEmoji(runOf(state))) break;
    push(text(content.slice(textFrom, index)));
    push(unicodeEmojiToken(state, ...emoji));
    textFrom = end;
  }
  if (textFrom === 0) return [token];
  push(text(content.slice(textFrom)));
  return pieces;
}

function emoticonsRule(state: CoreState): void {
  if (runOf(state).names.emoticons !== true) return;
  for (const token of state.tokens) {
    const { children } = token;
    if (!children || !hasEmoticon(token.content)) continue;
    let links = 0;
    token.children = children.flatMap((child, n) => {
      if (child.type === 'link_open' || child.type === 'link_close') links += child.nesting;
      if (child.type !== 'text' || links > 0) return [child];
      return split(child, state, isBreak(children[n - 1]), isBreak(children[n + 1]));
    });
  }
}

/** `:)` is an emoji in texts of users who enabled that. */
export function emoticons(md: Parser): void {
  md.core.ruler.push('emoticons', emoticonsRule);
}
