import { runOf } from '../html';
import type { CoreState, Parser, Run, Token } from '../html';
import { inPieces, mapTexts } from '../inline/text-pieces';
import type { LinkedPart } from '../names';

/** Most UTF-16 units of URLs that linkifiers add to the HTML of one text, and what the markup of a link counts. */
const MAX_ADDED = 200_000;
const MARKUP = 40;

/** Counts a link. @returns false if the text has the maximum already */
function takeLink(run: Run, { url }: LinkedPart): boolean {
  run.linked += url.length + MARKUP;
  return run.linked <= MAX_ADDED;
}

/** `url` is not a link that somebody typed, so nothing about it is tidied. */
function linkTokens({ Token: NewToken }: CoreState, text: string, url: string, level: number): Token[] {
  const open = Object.assign(new NewToken('link_open', 'a', 1), { level, attrs: [['href', url]], markup: 'linkifier' });
  const content = Object.assign(new NewToken('text', '', 0), { content: text, level: level + 1 });
  return [open, content, Object.assign(new NewToken('link_close', 'a', -1), { level, markup: 'linkifier' })];
}

const isBreak = (token: Token | undefined): boolean =>
  token === undefined || token.type === 'softbreak' || token.type === 'hardbreak';

function linkifierRule(state: CoreState): void {
  const run = runOf(state);
  const find = run.names.linkedParts;
  if (!find) return;
  mapTexts(state, (token, before) => {
    const parts = find(token.content, isBreak(before)).filter((part) => takeLink(run, part));
    return inPieces(
      token,
      state,
      parts.map(({ begin, end, url }) => {
        return { begin, end, tokens: linkTokens(state, token.content.slice(begin, end), url, token.level) };
      }),
    );
  });
}

/** The texts that linkifiers of the organization made links when the message was written. */
export function linkifiers(md: Parser): void {
  md.core.ruler.push('linkifiers', linkifierRule);
}
