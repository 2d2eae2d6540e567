import { readOpening } from './fences';

/**
 * A text without its fenced blocks of code and math. What they are in stays: quotes and spoilers. Code between single
 * backticks stays as well.
 */
export function outsideFencedCode(text: string): string {
  if (!text.includes('```') && !text.includes('~~~')) return text;
  const open: NonNullable<ReturnType<typeof readOpening>>[] = [];
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const bare = line.trim();
    const innermost = open.at(-1);
    const isInCode = innermost?.kind === 'code' || innermost?.kind === 'math';
    if (bare === innermost?.marker) open.pop();
    else if (!isInCode) {
      const opening = readOpening(bare);
      if (opening) open.push(opening);
      kept.push(opening ? opening.header : line);
      continue;
    }
    // An empty line, so that no words come together.
    kept.push('');
  }
  return kept.join('\n');
}
