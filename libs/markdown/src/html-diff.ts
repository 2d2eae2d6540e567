import { diffArrays } from 'diff';
import { isFormula, splitFormulas } from './math/formulas';

/** A tag, an entity, a word, or the text between words. */
const TOKENS = /<[^>]*>|&[#\w]+;|[\p{L}\p{N}_]+|\s+|[^<&\p{L}\p{N}_\s]+|[<&]/gu;
/**
 * Texts that differ more are shown as one deletion and one insertion: the time of a comparison grows with the
 * difference.
 */
const MAX_EDITS = 500;

const isTag = (token: string): boolean => token.startsWith('<') && token.endsWith('>') && !isFormula(token);

/** A formula is one token. */
const tokensOf = (html: string): string[] =>
  splitFormulas(html).flatMap((piece) => (isFormula(piece) ? [piece] : (piece.match(TOKENS) ?? [])));

/** What a formula was typeset from. */
const sourceOf = (formula: string): string => /<annotation[^>]*>([^<]*)</.exec(formula)?.[1] ?? '';

/**
 * The difference between two texts as HTML: the new one with its insertions marked, and deleted stretches marked beside
 * it, with the classes of clients (contract/messages.md section 4.3). Tags are those of the new one, so the result is
 * as well-formed as the new one.
 *
 * @param before safe HTML
 * @param after safe HTML
 */
export function htmlDiff(before: string, after: string): string {
  const [from, to] = [tokensOf(before), tokensOf(after)];
  const parts = diffArrays(from, to, { maxEditLength: MAX_EDITS });
  return (
    parts ?? [
      { value: from, removed: true, added: false },
      { value: to, removed: false, added: true },
    ]
  )
    .map(({ value, added, removed }) => {
      if (removed) return taken(value);
      return added ? marked(value, 'highlight_text_inserted') : value.join('');
    })
    .join('');
}

function taken(tokens: readonly string[]): string {
  const words = tokens.filter((token) => !isTag(token)).map((token) => (isFormula(token) ? sourceOf(token) : token));
  return words.join('').trim() === '' ? '' : marked(words, 'highlight_text_deleted');
}

/** Marks each stretch of text by itself, never across a tag. */
function marked(tokens: readonly string[], name: string): string {
  let html = '';
  let text = '';
  const flush = () => {
    if (text.trim() === '') html += text;
    else html += `<span class="${name}">${text}</span>`;
    text = '';
  };
  for (const token of tokens) {
    if (!isTag(token) && !isFormula(token)) {
      text += token;
      continue;
    }
    flush();
    html += isFormula(token) ? `<span class="${name}">${token}</span>` : token;
  }
  flush();
  return html;
}
