import { runOf } from '../html';
import type { CoreState, Parser, Token } from '../html';
import { inPieces, mapTexts } from '../inline/text-pieces';
import type { Replacement } from '../inline/text-pieces';
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

/** An emoticon between spaces, punctuation, or the ends of the text. */
const EMOTICON = /(?<![^\s,.;?!()[\]"'])(?:[:;][)(|/DoOpP]|\(:|<3)(?![^\s,.;?!()[\]"'])/g;

/** Whether a text contains something that may be an emoticon. */
export const hasEmoticon = (text: string): boolean => text.search(EMOTICON) >= 0;

const isBreak = (token: Token | undefined): boolean =>
  token === undefined || token.type === 'softbreak' || token.type === 'hardbreak';

/** The emoji of the emoticons in a text. */
function emojiIn({ content, level }: Token, state: CoreState, isFirst: boolean, isLast: boolean): Replacement[] {
  const found: Replacement[] = [];
  for (const { 0: emoticon, index: begin } of content.matchAll(EMOTICON)) {
    const emoji = EMOTICONS[emoticon];
    const end = begin + emoticon.length;
    if (!emoji || (begin === 0 && !isFirst) || (end === content.length && !isLast)) continue;
    if (!takeEmoji(runOf(state))) break;
    found.push({ begin, end, tokens: [Object.assign(unicodeEmojiToken(state, ...emoji), { level })] });
  }
  return found;
}

function emoticonsRule(state: CoreState): void {
  if (runOf(state).names.emoticons !== true) return;
  mapTexts(
    state,
    (text, before, after) => inPieces(text, state, emojiIn(text, state, isBreak(before), isBreak(after))),
    hasEmoticon,
  );
}

/** `:)` is an emoji in texts of users who enabled that. */
export function emoticons(md: Parser): void {
  md.core.ruler.push('emoticons', emoticonsRule);
}
