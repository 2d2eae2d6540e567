import { escapeHtml, openTag, runOf } from '../html';
import type { CoreState, Parser } from '../html';
import type { LinkPreview } from '../names';

/** A picture for every page: those of foreign pages are not shown. At the root of the server, outside the API. */
export const PREVIEW_PICTURE_PATH = '/static/images/link-preview.svg';
export const PREVIEW_PICTURE_STYLE = `background-image: url("${PREVIEW_PICTURE_PATH}")`;

/** Shows what pages say about themselves, below the text. */
function previewsBelow(state: CoreState): void {
  const { linkPreviews: previews = [] } = runOf(state).options;
  for (const preview of previews.filter(({ url }) => isWebAddress(url))) {
    const token = new state.Token('link_preview', 'div', 0);
    token.block = true;
    token.content = previewHtml(preview);
    state.tokens.push(token);
  }
}

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);

function previewHtml({ url: href, title, description }: LinkPreview): string {
  const picture = `${openTag('a', { class: 'message_embed_image', href, style: PREVIEW_PICTURE_STYLE })}</a>`;
  const heading = `${openTag('a', { href, title })}${escapeHtml(title)}</a>`;
  const part = (name: string, html: string) => `${openTag('div', { class: name })}${html}</div>`;
  const parts = [
    part('message_embed_title', heading),
    ...(description === '' ? [] : [part('message_embed_description', escapeHtml(description))]),
  ];
  return part('message_embed', picture + part('data-container', parts.join('')));
}

export function linkPreviews(md: Parser): void {
  md.core.ruler.push('link_previews', previewsBelow);
  md.renderer.rules['link_preview'] = (tokens, index) => tokens[index]?.content ?? '';
}
