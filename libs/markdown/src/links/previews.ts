import { openTag, runOf } from '../html';
import type { CoreState, Parser, Token } from '../html';
import { uploadedImage } from './images';
import { hrefOf, leadsTo, uploadPath, uploadUrl } from './links';

const PREVIEW_FOLLOWS = new Set(['paragraph_close', 'heading_close', 'table_close']);

/**
 * Shows each uploaded image and video that is linked outside quotes once, after the block with the link. Files on other
 * servers are not shown, because such a server could see who reads the message.
 */
function mediaPreviews(state: CoreState): void {
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
    if (link.type !== 'link_open' || shown.has(href)) return;
    const isVideo = leadsTo('video', href);
    if (!isVideo && !leadsTo('image', href)) return;
    const { options } = runOf(state);
    const src = uploadUrl(href, options);
    if (src === undefined) return;
    const media = isVideo
      ? `${openTag('video', { preload: 'metadata', src })}</video>`
      : uploadedImage(src, uploadPath(src) ?? '', options, null);
    if (media === undefined) return;
    shown.add(href);
    const preview = new state.Token('media_preview', 'div', 0);
    const text = children[index + 1]?.content ?? '';
    const title = text === '' || text === href ? undefined : text;
    preview.block = true;
    const classes = `message_inline_image${isVideo ? ' message_inline_video' : ''}`;
    preview.content = `${openTag('div', { class: classes })}${openTag('a', { href, title })}${media}</a></div>`;
    previews.push(preview);
  });
  return previews;
}

export function previews(md: Parser): void {
  md.core.ruler.push('media_previews', mediaPreviews);
  md.renderer.rules['media_preview'] = (tokens, index) => tokens[index]?.content ?? '';
}
