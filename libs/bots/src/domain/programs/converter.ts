import type { AnsweringProgram } from './program';
import { reply } from './program';
import { PREFIX_NAMES, converted, unitByName, unitNames } from './units';

const ASK = 'Ask me for `help` to see which units I know.';

/** A decimal number as people write it. */
const NUMBER = /^[+-]?(\d{1,300}(\.\d{0,300})?|\.\d{1,300})(e[+-]?\d{1,3})?$/;

const HELP = [
  'Write a number and two units after my name, and I convert the number from the first unit to the second one:',
  ['```text', '12 celsius fahrenheit', '0.002 kilomile millimeter', '31.5 square-mile ha', '56 g lb', '```'].join('\n'),
  'I know these units:',
  [...unitNames()].map(([quantity, names]) => `- **${quantity}**: ${names.join(', ')}`).join('\n'),
  `A name of a unit may have one of these prefixes: ${PREFIX_NAMES.join(', ')}.`,
].join('\n\n');

/** Converts numbers between units. */
export const converter: AnsweringProgram = ({ text }) => reply(answerTo(text.split(/\s+/)));

function answerTo([number = '', from = '', to = '', ...more]: readonly string[]): string {
  if (number.toLowerCase() === 'help' && from === '') return HELP;
  if (to === '' || more.length > 0) return `I need a number and two units, such as \`5 km mile\`. ${ASK}`;
  if (!NUMBER.test(number.toLowerCase())) return `${asCode(number)} is not a number. ${ASK}`;
  const units = [from, to].map((name) => ({ name, unit: unitByName(name.toLowerCase()) }));
  const unknown = units.find(({ unit }) => unit === undefined);
  if (unknown) return `I do not know the unit ${asCode(unknown.name)}. ${ASK}`;
  const [source, target] = units.map(({ unit }) => unit);
  if (!source || !target) return ASK;
  if (source.quantity !== target.quantity)
    return `${asCode(from)} is a unit of ${source.quantity}, and ${asCode(to)} one of ${target.quantity}. ${ASK}`;
  const result = converted(Number(number), source, target);
  return Number.isFinite(result) ? `${number} ${from} = ${result} ${to}` : `${asCode(number)} is too large. ${ASK}`;
}

/** A word of the user that has no meaning in Markdown. */
const asCode = (word: string): string => `\`${word.slice(0, 60).replaceAll('`', '')}\``;
