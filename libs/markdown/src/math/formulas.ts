const FORMULA = '<span class="katex">';

/** Whether a piece of rendered Markdown is a formula. */
export const isFormula = (piece: string): boolean => piece.startsWith(FORMULA);

/** Rendered Markdown in pieces: each formula, which contains its text several times, and what is between formulas. */
export function splitFormulas(html: string): string[] {
  const pieces: string[] = [];
  let read = 0;
  for (let begin = html.indexOf(FORMULA); begin >= 0; begin = html.indexOf(FORMULA, read)) {
    pieces.push(html.slice(read, begin));
    read = endOfSpan(html, begin);
    pieces.push(html.slice(begin, read));
  }
  return [...pieces, html.slice(read)];
}

/** The position behind the element that begins at a position. */
function endOfSpan(html: string, begin: number): number {
  const spans = /<span|<\/span>/g;
  spans.lastIndex = begin;
  let depth = 0;
  for (let tag = spans.exec(html); tag; tag = spans.exec(html)) {
    depth += tag[0] === '<span' ? 1 : -1;
    if (depth === 0) return spans.lastIndex;
  }
  return html.length;
}
