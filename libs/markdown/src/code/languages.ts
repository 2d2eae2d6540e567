import { PYGMENTS_LANGUAGES } from './pygments-languages';

const NAMES: ReadonlyMap<string, string> = new Map(
  PYGMENTS_LANGUAGES.trim()
    .split(/[;\n]/)
    .flatMap((language) => {
      const [name = '', ...aliases] = language.split('|');
      return aliases.map((alias) => [alias.toLowerCase(), name] as const);
    })
    // Of two languages with one alias, the first has it.
    .toReversed(),
);

/**
 * The name of a language, as code playgrounds have it: `py` is Python. Clients compare it with the language of a
 * playground of the organization. An unknown one is returned as it is written, in lower case.
 */
export function languageName(written: string): string {
  const alias = written.toLowerCase();
  return NAMES.get(alias) ?? alias;
}
