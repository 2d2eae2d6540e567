import type { RenderedElement, RenderedNode } from './rendered-tree';
import { attributeOf, classesOf, emojiCharacter, formulaSource, spoilerHeader, treeOf } from './rendered-tree';

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

const textOf = (nodes: readonly RenderedNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : elementText(node))).join('');

function elementText(element: RenderedElement): string {
  const { tag, children } = element;
  const classes = classesOf(element);
  if (tag === 'img') return attributeOf(element, 'alt');
  if (tag === 'audio') return attributeOf(element, 'title');
  if (classes.includes('emoji')) return emojiCharacter(classes) ?? textOf(children);
  if (classes.includes('katex')) return formulaSource(children) ?? textOf(children);
  if (classes.includes('spoiler-block')) return `${headingOf(element)}(…)\n`;
  if (tag === 'blockquote') return quoted(textOf(children));
  return tag === 'ol' ? numbered(element) : textOf(children);
}

/** Content that readers have to open is left out. */
function headingOf(spoiler: RenderedElement): string {
  const heading = textOf(spoilerHeader(spoiler)).trim();
  return heading === '' ? '' : `${heading} `;
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `> ${line}\n`)
    .join('');

/** Lists in it are indented by two blanks. */
function numbered(list: RenderedElement): string {
  const first = Number(attributeOf(list, 'start') || 1);
  const items = list.children.filter((node) => typeof node !== 'string');
  return items.map(({ children }, n) => `\n${first + n}. ${textOf(children).trim().replaceAll('\n', '\n  ')}`).join('');
}
