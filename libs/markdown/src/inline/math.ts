import { OURS, escapeHtml, runOf } from '../html';
import type { InlineState, Parser, Run } from '../html';
import { typeset } from '../math/tex';

const INLINE_MATH = /\$\$((?:\\\$|[^$\n])+)\$\$(?![\p{L}\p{N}_$])/uy;

/** A formula that costs too much to typeset: its source, in the wrapper from which clients read it. */
function sourceHtml(source: string, display: 'block' | 'inline'): string {
  const text = escapeHtml(source);
  const block = display === 'block' ? ' display="block"' : '';
  const html =
    `<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"${block}>` +
    `<semantics><mtext>${text}</mtext><annotation encoding="application/x-tex">${text}</annotation></semantics></math></span>` +
    `<span class="katex-html" aria-hidden="true">${text}</span></span>`;
  return display === 'block' ? `<span class="katex-display">${html}</span>` : html;
}

/** A formula as KaTeX typesets it. The result is checked there, so the sanitizer sees a placeholder. */
function formulaHtml(source: string, display: 'block' | 'inline', run: Run): string {
  const result = typeset(source, display, run.math);
  if (result === 'large') return sourceHtml(source, display);
  run.ours.push(result === 'error' ? errorHtml(source, display) : result.html);
  return OURS;
}

/** Clients expect the escapes of Zulip, which differ. */
function errorHtml(source: string, display: 'block' | 'inline'): string {
  const text =
    display === 'block'
      ? escapeHtml(source).replaceAll("'", '&#x27;')
      : escapeHtml(`$$${source}$$`).replaceAll('&quot;', '"');
  return `<span class="tex-error">${text}</span>`;
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
export function mathBlockHtml(content: string, run: Run): string {
  const paragraphs = content.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
  if (paragraphs.length === 0) return '';
  return `<p>${paragraphs.map((paragraph) => formulaHtml(paragraph.trimEnd(), 'block', run)).join('\n\n')}</p>\n`;
}

/** `$$x^2$$` between words; blocks of math are fences. */
export function inlineMath(md: Parser): void {
  md.inline.ruler.before('emphasis', 'math', inlineMathRule);
  md.renderer.rules['math'] = (tokens, index, _options, env) =>
    formulaHtml(tokens[index]?.content ?? '', 'inline', runOf({ env }));
}
