import { escapeHtml } from '../html';
import { LINK_SCHEMES } from '../links/links';
import type { RenderedElement, RenderedNode } from './rendered-tree';
import { attributeOf, classesOf, emojiCharacter, formulaSource, spoilerHeader, textsIn, treeOf } from './rendered-tree';

/**
 * Tags that a mail keeps, with the style that replaces the style sheet of a client. Nothing else of them is kept. Mail programs
 * ignore style sheets in many places.
 */
const KEPT: Readonly<Record<string, string>> = {
  p: 'margin:0 0 8px',
  br: '',
  hr: '',
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, 'margin:8px 0;font-size:1em'])),
  ul: '',
  ol: '',
  li: '',
  blockquote: 'margin:0 0 8px;padding-left:8px;border-left:4px solid #ddd',
  pre: 'margin:0 0 8px;padding:4px 8px;background:#f4f4f4;white-space:pre-wrap',
  code: 'background:#f4f4f4',
  table: 'border-collapse:collapse;margin:0 0 8px',
  thead: '',
  tbody: '',
  tr: '',
  th: 'border:1px solid #ddd;padding:2px 8px',
  td: 'border:1px solid #ddd;padding:2px 8px',
  del: '',
  em: '',
  strong: '',
};
const EMPTY_TAGS = new Set(['br', 'hr']);
/** What they contain is shown nowhere in a mail. Previews have pictures and texts of other servers. */
const LEFT_OUT: ReadonlySet<string> = new Set(['message_embed', 'message_inline_image', 'message_inline_video']);
const MENTIONS: ReadonlySet<string> = new Set(['user-mention', 'user-group-mention', 'topic-mention']);

/** Something between two tags of a mail that is not built from a tag of the message. */
const tagged = (tag: string, attributes: Readonly<Record<string, string>>, content: string): string =>
  `<${tag}${Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')}>${content}</${tag}>`;

/**
 * Rendered Markdown as the HTML of a mail. Every tag is written anew from a list, so nothing of the message is markup. There are no
 * pictures: fetching them would tell a server who reads the mail, and when. Links are absolute. Emoji are characters, formulas their
 * source, and of spoilers there is the heading.
 *
 * @param html as `render` returns it
 * @param url of the organization, for links to it
 */
export const mailHtml = (html: string, url: string): string => new MailWriter(url).all(treeOf(html));

class MailWriter {
  constructor(private readonly url: string) {}

  all(nodes: readonly RenderedNode[]): string {
    return nodes.map((node) => (typeof node === 'string' ? escapeHtml(node) : this.element(node))).join('');
  }

  private element(element: RenderedElement): string {
    const { tag, children } = element;
    const classes = classesOf(element);
    if (classes.some((one) => LEFT_OUT.has(one))) return '';
    if (classes.includes('emoji')) return escapeHtml(emojiOf(element, classes));
    if (classes.includes('katex')) return tagged('code', {}, escapeHtml(formulaSource(children) ?? textsIn(children)));
    if (classes.includes('spoiler-block')) return tagged('p', {}, `${this.all(spoilerHeader(element))} (…)`);
    if (classes.some((one) => MENTIONS.has(one) || one === 'channel-wildcard-mention')) {
      return tagged('strong', {}, this.all(children));
    }
    if (tag === 'a') return this.link(attributeOf(element, 'href'), this.all(children));
    if (tag === 'img') return this.file(element, attributeOf(element, 'alt'));
    if (tag === 'audio' || tag === 'video') return this.file(element, attributeOf(element, 'title'));
    return this.kept(element);
  }

  private kept(element: RenderedElement): string {
    const { tag, children } = element;
    const style = KEPT[tag];
    if (style === undefined) return this.all(children);
    const start = tag === 'ol' ? attributeOf(element, 'start') : '';
    const attributes = { ...(style !== '' && { style }), ...(/^\d{1,9}$/.test(start) && { start }) };
    return EMPTY_TAGS.has(tag) ? `<${tag}>` : tagged(tag, attributes, this.all(children));
  }

  /** A picture, sound or video of this server as a link, which the organization shows to those who may see it. */
  private file(element: RenderedElement, title: string): string {
    const source = attributeOf(element, 'data-original-src') || attributeOf(element, 'src');
    return source === '' ? escapeHtml(title) : this.link(source, escapeHtml(title || source));
  }

  private link(href: string, content: string): string {
    const absolute = absoluteUrl(href, this.url);
    return absolute === null
      ? content
      : tagged('a', { href: absolute }, content === '' ? escapeHtml(absolute) : content);
  }
}

const emojiOf = (element: RenderedElement, classes: readonly string[]): string =>
  emojiCharacter(classes) ?? (attributeOf(element, 'alt') || textsIn(element.children));

/** A URL that a mail may link to. Null for what no link of a message can have. */
function absoluteUrl(href: string, url: string): string | null {
  const base = url.endsWith('/') ? url : `${url}/`;
  if (href === '' || !URL.canParse(href, base)) return null;
  const absolute = new URL(href, base);
  return LINK_SCHEMES.includes(absolute.protocol.slice(0, -1)) ? absolute.href : null;
}
