/** A piece of rendered Markdown: text without entities, or a tag with its content. */
export type RenderedNode = string | RenderedElement;
export interface RenderedElement {
  readonly tag: string;
  /** All of them, as they are written. */
  readonly attributes: string;
  readonly children: RenderedNode[];
}

const PIECES = /<(\/?)(\w+)([^>]*)>|[^<]+/g;
const EMPTY = new Set(['br', 'hr', 'img', 'input', 'source']);
const ENTITY = /&(?:(amp|lt|gt|quot|nbsp)|#(\d+)|#x([\da-f]+));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

/** The nodes of rendered Markdown. @param html as `render` returns it */
export function treeOf(html: string): RenderedNode[] {
  const root: RenderedElement = { tag: '', attributes: '', children: [] };
  const open = [root];
  for (const [piece, closing, tag, attributes = ''] of html.matchAll(PIECES)) {
    const parent = open.at(-1) ?? root;
    if (tag === undefined) parent.children.push(withoutEntities(piece));
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

const withoutEntities = (text: string): string =>
  text.replace(ENTITY, (entity, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
    return String.fromCodePoint(decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal));
  });

/** The value of an attribute. Empty without it. */
export const attributeOf = ({ attributes }: RenderedElement, name: string): string =>
  withoutEntities(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');

export const classesOf = (element: RenderedElement): readonly string[] => attributeOf(element, 'class').split(' ');

/** The character of a class like `emoji-1f1e9-1f1ea`. Null for an emoji of the organization. */
export function emojiCharacter(classes: readonly string[]): string | null {
  const code = classes.map((one) => /^emoji-([\da-f]+(?:-[\da-f]+)*)$/.exec(one)?.[1]).find((one) => one !== undefined);
  return code === undefined ? null : String.fromCodePoint(...code.split('-').map((point) => parseInt(point, 16)));
}

/** The source of a formula, which the HTML contains as it is typed, as MathML and as HTML. */
export function formulaSource(nodes: readonly RenderedNode[]): string | null {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    const found = node.tag === 'annotation' ? textsIn(node.children) : formulaSource(node.children);
    if (found !== null) return found;
  }
  return null;
}

/** All texts in some nodes, whatever their tags mean. */
export const textsIn = (nodes: readonly RenderedNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textsIn(node.children))).join('');

/** The heading of a spoiler. The rest is hidden until a reader opens it. */
export const spoilerHeader = ({ children }: RenderedElement): RenderedElement[] =>
  children.filter(
    (node): node is RenderedElement => typeof node !== 'string' && classesOf(node).includes('spoiler-header'),
  );
