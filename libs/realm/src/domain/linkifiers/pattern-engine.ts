/** What the engine of regular expressions says about a pattern. */
export interface PatternFacts {
  /** Names of its groups, each once. */
  readonly groups: readonly string[];
  /** What a character of text costs at most. */
  readonly cost: number;
  /** The named groups of its first match in a text. Undefined if it does not match. */
  readonly match: (text: string) => Readonly<Record<string, string>> | undefined;
}

/** Reads regular expressions and URL templates. It is pure. */
export interface PatternEngine {
  readonly pattern: (source: string) => PatternFacts | { readonly error: string };
  /** The names of the variables of a URL template, each once. Undefined if it is no template. */
  readonly variables: (template: string) => readonly string[] | undefined;
}
