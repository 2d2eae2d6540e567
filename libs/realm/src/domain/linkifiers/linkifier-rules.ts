import { reject } from '../rejections';
import type { LinkifierText } from './linkifier-events';
import type { PatternEngine, PatternFacts } from './pattern-engine';

/** Most steps that a pattern may need for one character of a text (decision 56). */
export const MAX_PATTERN_COST = 1_000;

/** @throws Rejected BAD_REQUEST if pattern, templates and example do not fit each other */
export function ensurePatterns(text: LinkifierText, engine: PatternEngine): void {
  if (text.pattern.trim() === '' || text.urlTemplate === '') throw reject.blankField();
  const variables = ensureTemplate(text.urlTemplate, engine);
  const alternatives = (text.alternativeUrlTemplates ?? []).map((template) => ensureTemplate(template, engine));
  const pattern = engine.pattern(text.pattern);
  if ('error' in pattern) throw reject.badPattern(pattern);
  if (pattern.cost > MAX_PATTERN_COST) throw reject.patternTooLarge();
  ensureExample(text, pattern);
  const unknown = least(variables, pattern.groups);
  if (unknown !== undefined) throw reject.groupNotInPattern({ group: unknown });
  const unused = least(pattern.groups, variables);
  if (unused !== undefined) throw reject.groupNotInTemplate({ group: unused });
  const foreign = least(alternatives.flat(), pattern.groups);
  if (foreign !== undefined) throw reject.groupNotInPattern({ group: foreign });
}

/** The variables of a URL template. */
export function ensureTemplate(template: string, engine: Pick<PatternEngine, 'variables'>): readonly string[] {
  const variables = engine.variables(template);
  if (!variables) throw reject.badUrlTemplate();
  return variables;
}

/** The first in alphabetical order of the names that are not among the others. */
const least = (names: readonly string[], others: readonly string[]): string | undefined =>
  names.filter((name) => !others.includes(name)).sort()[0];

function ensureExample({ exampleInput, reverseTemplate }: LinkifierText, pattern: PatternFacts): void {
  if (exampleInput === undefined) {
    if (reverseTemplate !== undefined) throw reject.exampleMissing();
    return;
  }
  const groups = pattern.match(exampleInput);
  if (!groups) throw reject.exampleNotMatched();
  if (reverseTemplate === undefined) return;
  if (expandReverse(reverseTemplate, groups, pattern.groups) !== exampleInput) throw reject.exampleNotReversed();
}

/** A brace that is doubled, an expression in braces, or text. */
const PARTS = /\{\{|\}\}|\{([^}]*)\}|\{|[^{}]+|\}/g;

/** A reverse template with the groups of a match: `{name}` is a group, and a doubled brace is a brace. */
function expandReverse(template: string, groups: Readonly<Record<string, string>>, known: readonly string[]): string {
  return template.replace(PARTS, (part: string, name?: string) => {
    if (part === '{{' || part === '}}') return part.charAt(0);
    if (part === '{') throw reject.reverseUnclosed();
    if (name === undefined) return part;
    if (name === '') throw reject.reverseEmpty();
    if (!known.includes(name)) throw reject.groupNotInReverse({ group: name });
    return groups[name] ?? '';
  });
}
