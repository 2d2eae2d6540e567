import type { CoreState, Parser, Token } from '../html';

/** Before the value of an attribute, as in `<img src="https://…">`. */
const ATTRIBUTE = /=["']?$/;

function withoutAttributes(tokens: Token[]): Token[] {
  let isRefused = false;
  return tokens.filter((token, index) => {
    if (token.markup !== 'linkify') return true;
    const before = tokens[index - 1];
    if (token.type === 'link_open') isRefused = before?.type === 'text' && ATTRIBUTE.test(before.content);
    return !isRefused;
  });
}

function attributesAreText(state: CoreState): void {
  for (const token of state.tokens) {
    if (token.children?.some(({ markup }) => markup === 'linkify')) token.children = withoutAttributes(token.children);
  }
}

/** Bare URLs that are values of attributes stay text: who writes a tag does not mean a link. */
export function bareUrls(md: Parser): void {
  md.core.ruler.after('linkify', 'attributes_are_text', attributesAreText);
}
