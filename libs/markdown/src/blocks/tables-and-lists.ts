import { openTag } from '../html';
import type { Parser, RenderRules, Token } from '../html';

function cell(name: 'th' | 'td'): RenderRules[string] {
  return (tokens, index) => {
    const align = /left|right|center/.exec(String(tokens[index]?.attrGet('style') ?? ''))?.[0];
    return openTag(name, { style: align && `text-align: ${align};` });
  };
}

/** Clients expect a body with a cell below every heading, also in a table with headings only. */
function emptyBody(tokens: Token[], tableClose: number): string {
  if (tokens[tableClose - 1]?.type !== 'thead_close') return '';
  const begin = tokens.findLastIndex((token, index) => index < tableClose && token.type === 'table_open');
  const columns = tokens.slice(begin, tableClose).filter((token) => token.type === 'th_open').length;
  return `<tbody>\n<tr>\n${'<td></td>\n'.repeat(columns)}</tr>\n</tbody>\n`;
}

/** The spelling of tables and tight lists that strict clients parse. */
export function tablesAndLists(md: Parser): void {
  Object.assign(md.renderer.rules, {
    th_open: cell('th'),
    td_open: cell('td'),
    table_close: (tokens, index) => `${emptyBody(tokens, index)}</table>\n`,
  } satisfies RenderRules);
  // The paragraphs of a tight list are invisible, but leave a newline before a nested list.
  md.core.ruler.push('drop_hidden', (state) => {
    state.tokens = state.tokens.filter((token) => !token.hidden);
  });
}
