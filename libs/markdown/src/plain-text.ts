/** A piece of rendered Markdown: text, or a tag with its content. */
type Node = string | Element;
interface Element {
  readonly tag: string;
  /** All of them, as they are written. */
  readonly attributes: string;
  readonly children: Node[];
}

const PIECES = /<(\/?)(\w+)([^>]*)>|[^<]+/g;
const EMPTY = new Set(['br', 'hr', 'img', 'input', 'source']);
const ENTITY = /&(?:(amp|lt|gt|quot|nbsp)|#(\d+)|#x([\da-f]+));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

/**
 * Rendered Markdown as plain text, for example for the screen of a phone. Quotes and numbered lists look as they are
 * typed, emoji are characters, formulas their source, and of spoilers there is the heading.
 *
 * @param html as `render` returns it
 */
export function plainText(html: string): string {
  return textOf(treeOf(html))
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function treeOf(html: string): Node[] {
  const root: Element = { tag: '', attributes: '', children: [] };
  const open = [root];
  for (const [piece, closing, tag, attributes = ''] of html.matchAll(PIECES)) {
    const parent = open.at(-1) ?? root;
    if (tag === undefined) parent.children.push(words(piece));
    else if (closing === '/')
      open.splice(
        Math.max(
          1,
          open.findLastIndex((one) => one.tag === tag),
        ),
      );
    else {
      const element = { tag, attributes, children: [] };
      parent.children.push(element);
      if (!EMPTY.has(tag)) open.push(element);
    }
  }
  return root.children;
}

const words = (text: string): string =>
  text.replace(ENTITY, (entity, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
    return String.fromCodePoint(decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal));
  });

const textOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : elementText(node))).join('');

function elementText(element: Element): string {
  const { tag, children } = element;
  const classes = attribute(element, 'class').split(' ');
  if (tag === 'img') return attribute(element, 'alt');
  if (tag === 'audio') return attribute(element, 'title');
  if (classes.includes('emoji')) return emojiOf(classes) ?? textOf(children);
  if (classes.includes('katex')) return sourceOf(children) ?? textOf(children);
  if (classes.includes('spoiler-block')) return `${headingOf(children)}(…)\n`;
  if (tag === 'blockquote') return quoted(textOf(children));
  return tag === 'ol' ? numbered(element) : textOf(children);
}

function attribute({ attributes }: Element, name: string): string {
  return words(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

/** The character of a class like `emoji-1f1e9-1f1ea`. */
function emojiOf(classes: readonly string[]): string | null {
  const code = classes.map((one) => /^emoji-([\da-f]+(?:-[\da-f]+)*)$/.exec(one)?.[1]).find((one) => one !== undefined);
  return code === undefined ? null : String.fromCodePoint(...code.split('-').map((point) => parseInt(point, 16)));
}

/** Of a formula, which the HTML contains as it is typed, as MathML and as HTML. */
function sourceOf(nodes: readonly Node[]): string | null {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    const found = node.tag === 'annotation' ? textOf(node.children) : sourceOf(node.children);
    if (found !== null) return found;
  }
  return null;
}

/** Content that readers have to open is left out. */
function headingOf(parts: readonly Node[]): string {
  const isHeader = (node: Node) => typeof node !== 'string' && attribute(node, 'class') === 'spoiler-header';
  const heading = textOf(parts.filter(isHeader)).trim();
  return heading === '' ? '' : `${heading} `;
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `> ${line}\n`)
    .join('');

/** Lists in it are indented by two blanks. */
function numbered(list: Element): string {
  const first = Number(attribute(list, 'start') || 1);
  const items = list.children.filter((node) => typeof node !== 'string');
  return items.map(({ children }, n) => `\n${first + n}. ${textOf(children).trim().replaceAll('\n', '\n  ')}`).join('');
}
