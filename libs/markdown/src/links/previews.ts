import { openTag, runOf } from '../html';
import type { CoreState, Parser, Token } from '../html';
import { hrefOf, leadsToImage, uploadUrl } from './links';

const PREVIEW_FOLLOWS = new Set(['paragraph_close', 'heading_close', 'table_close']);

/**
 * Shows each uploaded image that is linked outside quotes once, after the block with the link. Images elsewhere are not
 * shown: loading them would tell a foreign server who reads the message. Thumbnails are the matter of who stores files.
 */
function imagePreviews(state: CoreState): void {
  const { options } = runOf(state);
  if (options.imagePreviews === false) return;
  const shown = new Set<string>();
  let quotes = 0;
  let waiting: Token[] = [];
  state.tokens = state.tokens.flatMap((token) => {
    if (token.tag === 'blockquote') quotes += token.nesting;
    if (token.type === 'inline' && quotes === 0) waiting.push(...previewsOf(token, state, shown));
    if (waiting.length === 0 || !PREVIEW_FOLLOWS.has(token.type)) return [token];
    const due = waiting;
    waiting = [];
    return [token, ...due];
  });
}

function previewsOf({ children }: Token, state: CoreState, shown: Set<string>): Token[] {
  const previews: Token[] = [];
  children?.forEach((link, index) => {
    const href = hrefOf(link);
    if (link.type !== 'link_open' || shown.has(href) || !leadsToImage(href)) return;
    const src = uploadUrl(href, runOf(state).options);
    if (src === undefined) return;
    shown.add(href);
    const preview = new state.Token('image_preview', 'div', 0);
    const text = children[index + 1]?.content ?? '';
    const title = text === '' || text === href ? undefined : text;
    preview.block = true;
    preview.content = `<div class="message_inline_image">${openTag('a', { href, title })}${openTag('img', { src })}</a></div>`;
    previews.push(preview);
  });
  return previews;
}

export function previews(md: Parser): void {
  md.core.ruler.push('image_previews', imagePreviews);
  md.renderer.rules['image_preview'] = (tokens, index) => tokens[index]?.content ?? '';
}
