import type { Language } from '@annals/kernel/domain';
import { LANGUAGE_CODES } from '@annals/kernel/domain';
import { english } from './texts/english';
import { TRANSLATIONS } from './texts/translations';

const PLURAL = /_(zero|one|two|few|many|other)$/;
const VALUE = /\{\{\s*(\w+)\s*\}\}/g;

type Flat = ReadonlyMap<string, string>;

/** Every text that a language does not have: `de signIn.logIn`. A language without any text is one line: `de *`. */
export function missingTexts(): readonly string[] {
  const needed = [...flat(english).keys()];
  return LANGUAGE_CODES.flatMap((language) => {
    const own = textsOf(language);
    if (own.size === 0) return [`${language} *`];
    return neededIn(language, needed)
      .filter((key) => !own.has(key))
      .map((key) => `${language} ${key}`);
  });
}

/** Every text with a key that English does not have, or with other values than the English text. None if all is well. */
export function strangeTexts(): readonly string[] {
  const originals = flat(english);
  const original = (key: string) => originals.get(key) ?? originals.get(key.replace(PLURAL, '_other'));
  return LANGUAGE_CODES.flatMap((language) =>
    [...textsOf(language)]
      .filter(([key, text]) => !hasValuesOf(text, original(key), PLURAL.test(key)))
      .map(([key]) => `${language} ${key}`),
  );
}

/** A form of a plural may leave the number out: "one minute". */
function hasValuesOf(text: string, original: string | undefined, isPlural: boolean): boolean {
  if (original === undefined) return false;
  const values = (of: string) => [...of.matchAll(VALUE)].map(([, name]) => name);
  const [here, there] = [new Set(values(text)), new Set(values(original))];
  if (isPlural && !here.has('count')) there.delete('count');
  return here.size === there.size && [...here].every((name) => there.has(name));
}

/** The keys of English, with the plural forms of this language in the place of the English ones. */
function neededIn(language: Language, keys: readonly string[]): string[] {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return keys.flatMap((key) => {
    if (!PLURAL.test(key)) return [key];
    const bare = key.replace(PLURAL, '');
    return key.endsWith('_other') ? categories.map((category) => `${bare}_${category}`) : [];
  });
}

const textsOf = (language: Language): Flat => flat(TRANSLATIONS[language] ?? {});

const flat = (areas: Readonly<Record<string, Readonly<Record<string, string>> | undefined>>): Flat =>
  new Map(
    Object.entries(areas).flatMap(([area, texts]) =>
      Object.entries(texts ?? {}).map(([key, text]) => [`${area}.${key}`, text] as const),
    ),
  );
