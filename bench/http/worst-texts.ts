/** As many characters as a message may have. */
export const LONGEST = 10_000;

/** The texts that take longest to render, or have the longest HTML. */
const PIECES = [
  ...['😀', '⌚ ', ':+1:', '@**all** ', '#**general>x** ', '$$a$$ ', 'a.co ', '[a](b)', '**a**', '"&<'],
  ...[`${'>'.repeat(21)} a\n\n`, '- - - - - - - - - - - a\n', '- a\n', '# a\n', '    a\n\nb\n\n', '~~~spoiler\n~~~\n'],
  ...['```js\na\n```\n', '|a|b|\n', '@**', '[[', '<time:2020-01-01> '],
];

/** One of the worst texts that a message can have, another one for each number. */
export function worst(n: number): string {
  const piece = PIECES[n % PIECES.length] ?? '';
  return `${n} ${piece.repeat(LONGEST / piece.length)}`.slice(0, LONGEST);
}
