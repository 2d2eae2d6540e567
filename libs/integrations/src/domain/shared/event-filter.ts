/** The events that a URL chooses, as patterns like those of file names. */
export interface EventFilter {
  readonly only: readonly string[] | null;
  readonly exclude: readonly string[];
}

/** Whether the URL wants messages about events of this type. An event without a type is always wanted. */
export function isWanted(event: string | undefined, { only, exclude }: EventFilter): boolean {
  if (event === undefined) return true;
  if (only !== null && !only.some((pattern) => matchesPattern(event, pattern))) return false;
  return !exclude.some((pattern) => matchesPattern(event, pattern));
}

/**
 * Whether the whole text matches a shell pattern: `*` stands for any characters, `?` for one, `[ab]` and `[a-c]` for one of
 * these, and `[!ab]` for one other. It takes at most the product of the two lengths, whatever the pattern.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  const parts = partsOf(pattern);
  let [at, part] = [0, 0];
  let star: { readonly part: number; at: number } | undefined;
  while (at < text.length) {
    const expected = parts[part];
    if (expected === 'any') star = { part: part++, at };
    else if (expected?.(text.charAt(at))) [at, part] = [at + 1, part + 1];
    else if (star) [at, part] = [++star.at, star.part + 1];
    else return false;
  }
  return parts.slice(part).every((rest) => rest === 'any');
}

type Part = 'any' | ((character: string) => boolean);

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    // As in the shell, a bracket right after the opening one is a member of the set.
    const end = character === '[' ? pattern.indexOf(']', pattern[at + 1] === '!' ? at + 3 : at + 2) : -1;
    if (character === '*') parts.push('any');
    else if (character === '?') parts.push(() => true);
    else if (end < 0) parts.push((one) => one === character);
    else {
      parts.push(oneOf(pattern.slice(at + 1, end)));
      at = end;
    }
  }
  return parts;
}

function oneOf(set: string): (character: string) => boolean {
  const isNegated = set.startsWith('!');
  const members = isNegated ? set.slice(1) : set;
  return (character) => isMember(character, members) !== isNegated;
}

function isMember(character: string, members: string): boolean {
  for (let at = 0; at < members.length; at++) {
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    const [from, to] = [members.charAt(at), members.charAt(isRange ? at + 2 : at)];
    if (character >= from && character <= to) return true;
    if (isRange) at += 2;
  }
  return false;
}
