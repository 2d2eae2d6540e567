import { escapeHtml, openTag, runOf } from '../html';
import type { CoreState, InlineState, Parser, Token } from '../html';
import type { TextOptions } from '../names';
import { uploadedImage } from './images';

/** Allowed targets of a link, besides this server. */
export const LINK_SCHEMES = ['http', 'https', 'mailto', 'tel', 'sms', 'ftp'];

const SCHEME = /^([^/?#]*?):/;
const BARE_DOMAIN = /^[a-z\d-]+(?:\.[a-z\d-]+)+(?:[:/?#]|$)/i;
const UPLOAD = /^\/user_uploads\/(?!thumbnail\/)([^?#]+)/;
/** Endings of file names by how a browser shows the files. */
const ENDINGS = {
  image: /\.(?:avif|bmp|gif|heic|heif|jpe?g|png|tiff?|webp)$/i,
  video: /\.(?:mov|mp4|webm)$/i,
  audio: /\.(?:aac|flac|m4a|mp3|oga|ogg|opus|wav|weba)$/i,
};
const UPLOADED_IMAGE = /!\[[^\]\n]{0,300}\]\(\/?user_uploads\//y;
/** Endings of file names that are also country domains: `README.md` and `setup.py` are no links. */
export const FILE_NAME = /^[^/?#:]*\.(?:md|py|rs|sh)$/i;

/** The upload of this organization in a URL, as a URL without a host, or undefined. */
export function uploadUrl(url: string, { realmUrl }: TextOptions): string | undefined {
  const local = realmUrl !== undefined && url.startsWith(`${realmUrl}/`) ? url.slice(realmUrl.length) : url;
  return uploadPath(local) === undefined ? undefined : local;
}

/** The path id (contract messages section 11) in the URL of an upload, or undefined for another URL. */
export function uploadPath(url: string): string | undefined {
  const encoded = UPLOAD.exec(url)?.[1];
  if (encoded === undefined) return undefined;
  const path = decoded(encoded);
  return path.split(/[/\\]/).some((segment) => segment === '.' || segment === '..') ? undefined : path;
}

/** A link to a view of the organization without the address, so that clients show it. Any other URL as it is. */
export const relativeUrl = (url: string, ownUrl: string | undefined): string =>
  ownUrl !== undefined && url.startsWith(`${ownUrl}/#`) ? url.slice(ownUrl.length + 1) : url;

/** Whether a URL has an allowed scheme, or is relative. */
export function isAllowedLink(url: string): boolean {
  const scheme = SCHEME.exec(url)?.[1];
  return scheme === undefined ? !url.startsWith('//') : LINK_SCHEMES.includes(scheme.toLowerCase());
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether the file of a URL is of a kind, by its ending. */
export const leadsTo = (kind: keyof typeof ENDINGS, url: string): boolean =>
  ENDINGS[kind].test(url.replace(/[?#].*$/s, ''));

export function hrefOf(token: Token): string {
  return String(token.attrGet('href') ?? token.attrGet('src') ?? '');
}

/**
 * A file name is no link, and neither is a URL that is not allowed. A colon after a bare URL is not part of it. A link
 * without text shows its URL. A link to a view of the organization is relative.
 */
function tidyLinks(state: CoreState): void {
  for (const token of state.tokens) {
    if (token.children?.some((child) => child.type === 'link_open')) token.children = tidied(token.children, state);
  }
}

function tidied(tokens: Token[], state: CoreState): Token[] {
  const { Token: NewToken } = state;
  const { ownUrl } = runOf(state).names;
  const textTokens = (content: string): Token[] =>
    content === '' ? [] : [Object.assign(new NewToken('text', '', 0), { content })];
  let close: (link: Token) => Token[] = (link) => [link];
  return tokens.flatMap((token, index) => {
    if (token.type === 'link_close') return close(token);
    if (token.type !== 'link_open') return [token];
    const next = tokens[index + 1];
    const href = hrefOf(token);
    if (href === '') {
      close = () => textTokens(']()');
      return textTokens('[');
    }
    if (token.markup === 'linkify' && FILE_NAME.test(next?.content ?? '')) {
      close = () => [];
      return [];
    }
    const behind = token.markup === 'linkify' && next ? withoutColon(token, next) : '';
    close = (link) => [link, ...textTokens(behind)];
    const blank = next?.type === 'text' && next.content.trim() === '' && tokens[index + 2]?.type === 'link_close';
    if (blank) next.content = href;
    token.attrSet('href', relativeUrl(hrefOf(token), ownUrl));
    return next?.type === 'link_close' ? [token, ...textTokens(href)] : [token];
  });
}

/** Removes the colon from the end of a bare URL, and returns it. */
function withoutColon(link: Token, text: Token): string {
  const colons = /:*$/.exec(text.content)?.[0] ?? '';
  if (colons === '' || !hrefOf(link).endsWith(colons)) return '';
  link.attrSet('href', hrefOf(link).slice(0, -colons.length));
  text.content = text.content.slice(0, -colons.length);
  return colons;
}

/**
 * Only uploaded images and sounds are shown in the text (feature levels 467 and 405). Before any other `[` the `!` is a
 * character.
 */
function lonelyExclamation(state: InlineState, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x21) return false;
  UPLOADED_IMAGE.lastIndex = state.pos;
  if (UPLOADED_IMAGE.test(state.src)) return false;
  if (!silent) state.pending += '!';
  state.pos++;
  return true;
}

/** A file that is not shown as an image. There may be a link around it already. */
function plainLink({ content, level }: Token, href: string): string {
  const text = escapeHtml(content === '' ? href : content);
  return level > 0 ? text : `${openTag('a', { href })}${text}</a>`;
}

/** `[text](url)`, bare URLs and domains, `![alt](/user_uploads/…)`. Never a scheme outside the list. */
export function links(md: Parser): void {
  const normalize = md.normalizeLink.bind(md);
  // a bare URL is shown as it was written
  md.normalizeLinkText = (url) => url;
  md.normalizeLink = (url) =>
    normalize(url.startsWith('user_uploads/') ? `/${url}` : BARE_DOMAIN.test(url) ? `http://${url}` : url);
  md.validateLink = isAllowedLink;
  md.linkify.set({ fuzzyLink: true, urlAuth: true }).add('//', null);
  md.inline.ruler.before('image', 'lonely_exclamation', lonelyExclamation);
  md.core.ruler.push('tidy_links', tidyLinks);
  md.renderer.rules['link_open'] = (tokens, index) => openTag('a', { href: tokens[index] && hrefOf(tokens[index]) });
  md.renderer.rules['image'] = (tokens, index, _, env) => {
    const token = tokens[index];
    const src = token && hrefOf(token);
    const path = src && uploadPath(src);
    if (!token || !src || path === undefined) return escapeHtml(token?.content ?? '');
    if (leadsTo('audio', src))
      return `${openTag('audio', { controls: '', preload: 'metadata', src, title: token.content })}</audio>`;
    const attributes = { alt: token.content, class: 'inline-image', 'data-original-src': src };
    return uploadedImage(src, path, runOf({ env }).options, attributes) ?? plainLink(token, src);
  };
}
