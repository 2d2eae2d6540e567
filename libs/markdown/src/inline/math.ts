import { escapeHtml } from '../html';
import type { InlineState, Parser } from '../html';

const INLINE_MATH = /\$\$((?:\\\$|[^$\n])+)\$\$(?![\p{L}\p{N}_$])/uy;

/**
 * TeX in the wrapper that clients expect. There is no TeX engine here: the source is the annotation, from which clients
 * can typeset it, and it is the text in place of the engine's output.
 */
export function mathHtml(source: string, display: 'block' | 'inline'): string {
  const text = escapeHtml(source);
  const block = display === 'block' ? ' display="block"' : '';
  const html =
    `<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"${block}>` +
    `<semantics><mtext>${text}</mtext><annotation encoding="application/x-tex">${text}</annotation></semantics></math></span>` +
    `<span class="katex-html" aria-hidden="true">${text}</span></span>`;
  return display === 'block' ? `<span class="katex-display">${html}</span>` : html;
}

function inlineMathRule(state: InlineState, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x24) return false;
  if (/[\p{L}\p{N}_$]/u.test(state.src.charAt(state.pos - 1))) return false;
  INLINE_MATH.lastIndex = state.pos;
  const match = INLINE_MATH.exec(state.src);
  const source = match?.[1];
  // `$$_$$` is a face, not a formula.
  if (!match || source === undefined || source.startsWith('_') || state.pos + match[0].length > state.posMax)
    return false;
  if (!silent) state.push('math', '', 0).content = source;
  state.pos += match[0].length;
  return true;
}

/** A block of math: each of its paragraphs is a formula of its own. */
export function mathBlockHtml(content: string): string {
  const paragraphs = content.split(/\n{2,}/).filter((paragraph) => paragraph !== '');
  return paragraphs.map((paragraph) => `<p>${mathHtml(paragraph.trimEnd(), 'block')}</p>\n`).join('');
}

/** `$$x^2$$` between words; blocks of math are fences. */
export function inlineMath(md: Parser): void {
  md.inline.ruler.before('emphasis', 'math', inlineMathRule);
  md.renderer.rules['math'] = (tokens, index) => mathHtml(tokens[index]?.content ?? '', 'inline');
}
