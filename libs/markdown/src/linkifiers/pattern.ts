import { RE2JS, RE2JSException } from 're2js';

/** A regular expression in the syntax of RE2, which finds matches in time proportional to the text. */
export interface Pattern {
  /** Names of its groups, each once. */
  readonly groups: readonly string[];
  /** Instructions of its program. Each character of a text costs at most as many steps. */
  readonly cost: number;
  /** The named groups of the first match anywhere in a text. Undefined if there is none. */
  match(text: string): Readonly<Record<string, string>> | undefined;
}

/** A regular expression, or what is wrong with it. */
export function readPattern(source: string): Pattern | { readonly error: string } {
  try {
    const compiled = RE2JS.compile(source);
    return {
      groups: Object.keys(compiled.namedGroups()),
      cost: compiled.programSize(),
      match: (text) => {
        const matcher = compiled.matcher(text);
        return matcher.find() ? namedGroups(compiled, matcher) : undefined;
      },
    };
  } catch (error) {
    if (error instanceof RE2JSException) return { error: error.message.replace(/^error parsing regexp: /, '') };
    throw error;
  }
}

type Matcher = ReturnType<RE2JS['matcher']>;

/** The named groups of a match. Those that matched nothing are left out. */
export function namedGroups(compiled: RE2JS, matcher: Matcher): Record<string, string> {
  const entries = Object.keys(compiled.namedGroups()).flatMap((name) => {
    const text = matcher.group(name);
    return text === null ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries);
}
