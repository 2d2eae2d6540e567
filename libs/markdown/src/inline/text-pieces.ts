import type { CoreState, Token } from '../html';

/** A part of a text, and what is in its place. */
export interface Replacement {
  readonly begin: number;
  /** The position after it. */
  readonly end: number;
  readonly tokens: readonly Token[];
}

/** The text of a token in pieces, with replacements in their order. The token itself if there are none. */
export function inPieces(token: Token, { Token: NewToken }: CoreState, replacements: readonly Replacement[]): Token[] {
  if (replacements.length === 0) return [token];
  const { content, level } = token;
  const pieces: Token[] = [];
  const pushText = (begin: number, end?: number): void => {
    const text = content.slice(begin, end);
    if (text !== '') pieces.push(Object.assign(new NewToken('text', '', 0), { content: text, level }));
  };
  let from = 0;
  for (const { begin, end, tokens } of replacements) {
    pushText(from, begin);
    pieces.push(...tokens);
    from = end;
  }
  pushText(from);
  return pieces;
}

/**
 * Replaces each text outside of links.
 *
 * @param map receives a text with the tokens around it in its line
 * @param concerns whether a block can contain what is replaced, by its source
 */
export function mapTexts(
  state: CoreState,
  map: (text: Token, before: Token | undefined, after: Token | undefined) => Token[],
  concerns: (source: string) => boolean = () => true,
): void {
  for (const token of state.tokens) {
    const { children } = token;
    if (!children || !concerns(token.content)) continue;
    let links = 0;
    token.children = children.flatMap((child, n) => {
      if (child.type === 'link_open' || child.type === 'link_close') links += child.nesting;
      return child.type === 'text' && links === 0 ? map(child, children[n - 1], children[n + 1]) : [child];
    });
  }
}
